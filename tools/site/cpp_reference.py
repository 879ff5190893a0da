"""The C++ reference: the public headers as a page, a declaration a section, its comment above it."""
import re
from pathlib import Path

NAME = re.compile(r"(?:enum class|enum|struct|class|using|concept) (\w+)|(?:^|[\w>&*\]] [*&]?|\n[*&]?)(\w+)\(|constexpr [\w:]+ (\w+) =", re.S)


def prose(comment: list[str]) -> str:
    """Lines of a comment as Markdown; a line that is indented further is a formula."""
    out = []
    for line in comment:
        text = re.sub(r"^//[/!]? ?", "", line.strip())
        out.append("\n    " + text.strip() + "\n" if text.startswith("  ") else re.sub(r"(`[^`]*`)|<", lambda m: m[1] or "&lt;", text))
    return "\n".join(out)


def declarations(body: str):
    """(comment, code) of what stands between blank lines in column 0 of the namespace; what is nested stays together."""
    block: list[str] = []
    depth = 0
    for line in [*body.splitlines(), ""]:
        if line.strip() or depth:
            block.append(line)
            depth += line.count("{") - line.count("}")
        elif block:
            start = next((i for i, text in enumerate(block) if not text.startswith("//")), len(block))
            yield block[:start], "\n".join(block[start:])
            block = []


def name_of(code: str) -> str:
    found = NAME.search(code)
    if not found:
        raise ValueError(f"no name in the declaration: {code[:80]}")
    return found[1] or found[2] or found[3]


def header_section(path: Path) -> str:
    text = path.read_text()
    opening = text.split("#pragma once")[0].splitlines()
    body = re.search(r"^namespace cavity \{\n(.*)^\}  // namespace cavity", text, re.M | re.S)
    out = [f"## cavity/{path.name}\n\n{prose(opening)}\n"]
    for comment, code in declarations(body[1] if body else ""):
        if re.match(r"(struct|class) \w+;$", code):
            continue  # declared elsewhere
        title = name_of(code) if code else ""
        out.append((f"### {title}\n\n" if title else "") + (prose(comment) + "\n\n" if comment else "") + (f"```cpp\n{code}\n```\n" if code else ""))
    return "\n".join(out)


def page(include: Path) -> str:
    sections = [header_section(path) for path in sorted(include.glob("*.hpp"), key=lambda path: (path.stem not in ("read", "fit"), path.stem))]
    return (
        "# C++ reference\n\nWritten from the public headers. They need nothing but C++20; a header brings what it uses. How to build against "
        "the library: [C++](cpp.md). A program of its own is three calls: `read_dataset`, `fit`, `predict`.\n\n" + "\n".join(sections)
    )

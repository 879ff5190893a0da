"""The R reference: the help pages of the R package (r/man/*.Rd), where there are any, as one page."""
import re
from pathlib import Path
from typing import Union

ARGUMENTS = {"item": 2, "href": 2, "eqn": 2, "deqn": 2, "method": 2, "S3method": 2, "if": 2, "ifelse": 3, "section": 2, "tabular": 2}
Node = Union[str, tuple[str, list[list]]]
SECTIONS = {"description": "", "usage": "Usage", "arguments": "Arguments", "details": "Details", "value": "Value", "note": "Note",
            "references": "References", "examples": "Examples"}


class Reader:
    """Rd is text with \\macro{argument}{argument}; `%` begins a comment, and a backslash quotes."""

    def __init__(self, text: str):
        self.text, self.at = re.sub(r"(?<!\\)%.*", "", text), 0

    def nodes(self, until: str = "") -> list[Node]:
        out: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] != until:
            out.append(self.node())
        self.at += 1
        return out

    def node(self) -> Node:
        if found := re.compile(r"\\([A-Za-z]+)").match(self.text, self.at):
            self.at = found.end()
            return found[1], self.arguments(found[1])
        if self.text[self.at] == "{":
            self.at += 1
            return "", [self.nodes("}")]
        if self.text[self.at] == "\\":
            self.at += 1
        self.at += 1
        return self.text[self.at - 1]

    def arguments(self, macro: str) -> list[list]:
        out: list[list] = []
        while len(out) < ARGUMENTS.get(macro, 1):
            if found := re.compile(r"\[[^\]]*\]").match(self.text, self.at):
                self.at = found.end()  # \link[package]{name}
            elif (found := re.compile(r"\s*\{" if macro in ("item", "section") and out else r"\{").match(self.text, self.at)) is None:
                break
            else:
                self.at = found.end()
                out.append(self.nodes("}"))
        return out


def plain(nodes: list[Node]) -> str:
    """As code: what is meant, without markup."""
    out = ""
    for node in nodes:
        if isinstance(node, str):
            out += node
            continue
        macro, arguments = node
        if macro in ("method", "S3method"):
            out += plain(arguments[0])
        elif macro in ("dots", "ldots"):
            out += "..."
        elif macro == "R":
            out += "R"
        elif arguments:
            out += plain(arguments[0])
    return out


def markdown(nodes: list[Node]) -> str:
    out = ""
    for node in nodes:
        if isinstance(node, str):
            out += "&lt;" if node == "<" else node
            continue
        macro, arguments = node
        text = markdown(arguments[0]) if arguments else ""
        if macro in ("code", "verb", "samp", "pkg", "file", "option", "env", "command"):
            out += f"`{plain(arguments[0])}`"
        elif macro in ("eqn", "deqn"):
            out += f"`{plain(arguments[-1])}`"
        elif macro in ("emph", "var", "dfn"):
            out += f"*{text}*"
        elif macro in ("strong", "bold"):
            out += f"**{text}**"
        elif macro == "doi":
            out += f"doi:{text}"
        elif macro == "href":
            out += f"{markdown(arguments[1])}"
        elif macro == "item":
            out += f"\n\n**{text}**: {markdown(arguments[1])}" if len(arguments) == 2 else "\n\n- " + text
        elif macro == "section":
            out += f"\n\n**{text}**\n\n{markdown(arguments[1])}"
        elif macro in ("dots", "ldots", "R"):
            out += "R" if macro == "R" else "..."
        elif macro == "if":
            out += markdown(arguments[1]) if plain(arguments[0]) == "text" else ""
        elif macro not in ("figure", "alias", "keyword", "concept"):
            out += text
    return out


def tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.strip() for line in text.splitlines())).strip()


def arguments_table(nodes: list[Node]) -> str:
    rows = [(plain(node[1][0]), tidy(markdown(node[1][1])).replace("\n", " ").replace("|", "\\|"))
            for node in nodes if not isinstance(node, str) and node[0] == "item" and len(node[1]) == 2]
    return "| argument | |\n|---|---|\n" + "".join(f"| `{name}` | {text} |\n" for name, text in rows)


def help_page(text: str) -> str:
    parts = [node for node in Reader(text).nodes() if not isinstance(node, str) and node[1]]
    first = {}
    for macro, arguments in parts:
        first.setdefault(macro, arguments)
    out = [f"## {tidy(plain(first['name'][0]))}\n\n**{tidy(markdown(first['title'][0]))}**\n"]
    for macro, heading in SECTIONS.items():
        if macro not in first:
            continue
        body = first[macro][0]
        if heading:
            out.append(f"### {heading} {{ #{tidy(plain(first['name'][0])).replace('.', '-')}-{macro} }}\n")
        if macro in ("usage", "examples"):
            out.append(f"```r\n{plain(body).strip()}\n```\n")
        else:
            out.append((arguments_table(body) if macro == "arguments" else tidy(markdown(body))) + "\n")
    return "\n".join(out)


def page(man: Path) -> str:
    """Nothing where there are no help pages."""
    files = sorted(man.glob("*.Rd"))
    if not files:
        return ""
    return "# R reference\n\nWritten from the help pages of the R package.\n\n" + "\n".join(help_page(file.read_text()) for file in files)

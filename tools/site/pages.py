"""mkdocs hooks: pages that are written from the code, pages that live elsewhere in the source, and the pictures.

tools/build-site has made the parts: build/release/describe (the options), build/site-parts (pictures and what their scripts printed).
"""
import ast
import os
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
import cpp_reference  # noqa: E402
import r_reference  # noqa: E402

PARTS = ROOT / "build" / "site-parts"
GALLERY = ["colon", "prostate", "srbct", "digits", "patients", "ring", "plan"]
ELSEWHERE = {"bench.md": "bench/README.md", "changelog.md": "CHANGELOG.md", "cpp.md": "examples/cpp/README.md"}
# Where a page of the source, linked to from another, is in the site.
PLACES = {
    **{path: uri for uri, path in ELSEWHERE.items()},
    **{f"docs/{page.name}": page.name for kind in ("*.md", "*.json") for page in (ROOT / "docs").glob(kind)},
    **{f"examples/gallery/{name}.py": f"gallery/{name}.md" for name in GALLERY},
    "examples/gallery": "gallery/index.md",
    "include/cavity": "cpp-api.md",
    "python/cavity": "python-api.md",
    "r/man": "r-api.md",
}
LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)")
FIGURE = re.compile(r"<!-- figure: (\S+) \| (.*?) -->", re.S)
PYTHON = """# Python reference

Written from the docstrings. An introduction with examples: [Python](python.md).

## Classifier

::: cavity.SparseBayesClassifier

## Selecting features

::: cavity.Panel

::: cavity.PruningSelector

::: cavity.stability

::: cavity.Stability

## New samples and another cohort

::: cavity.predict

::: cavity.Told

::: cavity.validate

::: cavity.adapt

## Model files and simulated data

::: cavity.save

::: cavity.load

::: cavity.simulate

## Theory

::: cavity.theory

## Pictures

::: cavity.plots
"""


def script_parts(name: str) -> tuple[str, str, str]:
    """Title, text and code of a study."""
    source = (ROOT / "examples" / "gallery" / f"{name}.py").read_text()
    words = ast.get_docstring(ast.parse(source)) or ""
    title, _, text = words.partition("\n")
    if not title or not text.strip():
        raise PluginError(f"examples/gallery/{name}.py needs a docstring: a title, a blank line, the text of its page")
    code = source.split('"""', 2)[2].strip()
    return title, text.strip(), code


def study_page(name: str) -> str:
    title, text, code = script_parts(name)
    made = PARTS / "gallery" / name
    missing = made / "missing.txt"
    if missing.exists():
        text = re.sub(r"^!\[.*\]\(.*\)\n", "", text, flags=re.M)
        output = f'!!! note\n    {missing.read_text()} was not at hand when this manual was built: there are no pictures here.\n'
    else:
        text = re.sub(r"^!\[(.*)\]\((.*)\)$", lambda found: figure(found[1], found[2]), text, flags=re.M)
        output = f"```text\n{(made / 'output.txt').read_text()}```\n"
    return f"# {title}\n\n{text}\n\n## What it printed\n\n{output}\n## The script\n\n`examples/gallery/{name}.py`\n\n```python\n{code}\n```\n"


def figure(caption: str, picture: str) -> str:
    return f'<figure markdown="span">\n![{caption}]({picture})\n<figcaption>{caption}</figcaption>\n</figure>'


def overview() -> str:
    cards = []
    for name in GALLERY:
        picture = f"![]({name}.svg)" if (PARTS / "gallery" / name / f"{name}.svg").exists() else "(not built here)"
        cards.append(f'<div markdown>\n[{picture}]({name}.md)\n\n[{script_parts(name)[0]}]({name}.md)\n</div>')
    return ("# Gallery\n\nSeven studies, each a script of `examples/gallery` that was run when this manual was built.\n\n"
            '<div class="overview" markdown>\n' + "\n".join(cards) + "\n</div>\n")


def generated() -> dict[str, str]:
    pages = {f"gallery/{name}.md": study_page(name) for name in GALLERY}
    pages["gallery/index.md"] = overview()
    pages["commands.md"] = (ROOT / "build" / "release" / "describe" / "commands.md").read_text()
    pages["cpp-api.md"] = cpp_reference.page(ROOT / "include" / "cavity")
    pages["python-api.md"] = PYTHON
    pages["r-api.md"] = r_reference.page(ROOT / "r" / "man")
    return pages


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    sections = {name: part for entry in config.nav for name, part in entry.items()}
    sections["Gallery"] += [f"gallery/{name}.md" for name in GALLERY]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for uri, text in generated().items():
        files.append(File.generated(config, uri, content=text))
    for uri, path in ELSEWHERE.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    for folder, kind in [("gallery", "gallery"), ("figures", "figures")]:
        for picture in sorted((PARTS / kind).glob("*/*.svg")):
            files.append(File.generated(config, f"{folder}/{picture.name}", abs_src_path=str(picture)))
    return files


def link_in_site(found: re.Match, source: str, uri: str) -> str:
    """A link of the source tree as one of the site; to a file that is no page of it, as its path."""
    text, path, anchor = found[1], found[2], found[3] or ""
    target = os.path.normpath(os.path.join(os.path.dirname(source), path))
    if target in PLACES:
        return f"[{text}]({os.path.relpath(PLACES[target], os.path.dirname(uri) or '.')}{anchor})"
    if (ROOT / target).exists():
        return f"`{target}`" if text.strip("`") in (path, target) else f"{text} (`{target}`)"
    return found[0]


def on_page_markdown(markdown: str, page: Page, **_) -> str:
    uri = page.file.src_uri
    if uri == "faq.md":
        page.meta["search"] = {"boost": 3}  # who asks a question wants the answer first, then the pages that mention it
    source = next((path for path, place in PLACES.items() if place == uri and path.endswith(".md")), None)
    if source:
        markdown = LINK.sub(lambda found: link_in_site(found, source, uri), markdown)
    markdown = FIGURE.sub(lambda found: figure(found[2], f"figures/{found[1]}"), markdown)
    return markdown.replace("```console data\n", "```console\n")

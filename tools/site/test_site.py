"""The manual that make site has built: what it must answer, that it needs no network, and that what is stale or dead is noticed."""
import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
sys.path.insert(0, str(ROOT / "tools" / "site"))
import console  # noqa: E402
import cpp_reference  # noqa: E402
import r_reference  # noqa: E402

QUESTIONS = {
    "My genes are in rows": "--samples sheet.tsv",
    "Which number do I quote?": "leave-one-out error with its 95 % interval",
    "Why is no gene above 0.5?": "they share the inclusion",
    "I have two samples of one patient": "--group patient",
    "How many more patients do I need?": "cavity theory plan",
    "How do I cite it?": "doi:10.1143/JPSJ.74.2233",
}


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html)).replace("&quot;", chr(34)).replace("&para;", "")


def test_the_six_questions_come_first_and_are_answered():
    page = (SITE / "faq.html").read_text()
    sections = re.split(r"<h2 ", page)[1:]
    titles = [text_of("<h2 " + section.split("</h2>")[0]).strip() for section in sections]
    assert titles[: len(QUESTIONS)] == list(QUESTIONS)
    for section, answer in zip(sections, QUESTIONS.values()):
        assert answer in text_of("<h2 " + section)


def test_the_front_page_links_to_each_question():
    page = (SITE / "index.html").read_text()
    anchors = re.findall(r'<h2 id="([^"]+)"', (SITE / "faq.html").read_text())[: len(QUESTIONS)]
    for anchor in anchors:
        assert f'href="faq.html#{anchor}"' in page


@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no Chromium")
@pytest.mark.parametrize("words, answer", [
    ("genes in rows", "my-genes-are-in-rows"),
    ("which number quote", "which-number-do-i-quote"),
    ("no gene above 0.5", "why-is-no-gene-above-05"),
    ("two samples of one patient", "i-have-two-samples-of-one-patient"),
    ("how many more patients", "how-many-more-patients-do-i-need"),
    ("cite", "how-do-i-cite-it"),
])
def test_search_finds_them_from_disk(words, answer, tmp_path):
    found = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--virtual-time-budget=15000",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom", f"{(SITE / 'index.html').as_uri()}?q={quote(words)}"],
        capture_output=True, text=True, timeout=120).stdout
    assert re.search(rf'faq\.html\?h=[^"]*#{answer}"', found)


def test_nothing_is_loaded_from_a_network():
    loads = re.compile(r'<(?:script|img|iframe|source)[^>]* src="?((?:https?:)?//[^"> ]+)|<link[^>]* href="?((?:https?:)?//[^"> ]+)')
    styles = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//""")
    pages = list(SITE.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        assert not loads.search(page.read_text()), page
    for sheet in SITE.rglob("*.css"):
        assert not styles.search(sheet.read_text()), sheet


def test_every_option_is_explained():
    commands = (ROOT / "build/release/describe/commands.md").read_text()
    words = "".join((ROOT / "docs" / page).read_text() for page in ("cli.md", "stability.md", "panel.md"))
    options = set(re.findall(r"--[a-z0-9-]+", " ".join(re.findall(r"^\| `([^`]*)`", commands, re.M))))
    assert len(options) > 60
    assert {option for option in options if option not in words} == set()


def test_the_schema_is_linked_to_and_there():
    assert 'href="cavity.schema.json"' in (SITE / "cli.html").read_text()
    assert (SITE / "cavity.schema.json").read_text() == (ROOT / "docs/cavity.schema.json").read_text()


def test_every_study_has_a_picture_or_says_why_not():
    studies = sorted(path.stem for path in (ROOT / "examples/gallery").glob("*.py"))
    assert len(studies) == 7
    for study in studies:
        page = (SITE / f"gallery/{study}.html").read_text()
        assert f'src="{study}.svg"' in page or "was not at hand" in page, study


def test_references_are_complete():
    names = next(ast.literal_eval(node.value) for node in ast.parse((ROOT / "python/cavity/__init__.py").read_text()).body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    python = (SITE / "python-api.html").read_text()
    for name in set(names) - {"__version__", "Simulation"}:
        assert f'id="cavity.{name}"' in python, name
    cpp = (SITE / "cpp-api.html").read_text()
    for header in (ROOT / "include/cavity").glob("*.hpp"):
        assert f"cavity/{header.name}" in cpp
    assert "read_dataset" in cpp and "ranked_features" in cpp


def test_a_citation_is_that_of_the_source():
    source, page = (ROOT / "CITATION.cff").read_text(), (ROOT / "docs/faq.md").read_text()
    version = re.search(r"^version: (.*)", source, re.M)[1]
    assert f"Version {version}." in page
    assert "doi:" + re.search(r"doi: (.*)", source)[1] in page


def build_with(tmp_path: Path, page: str, text: str) -> subprocess.CompletedProcess:
    """The manual with something added to a page."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    with open(tmp_path / "docs" / page, "a") as file:
        file.write(text)
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    settings |= {"docs_dir": f"{tmp_path}/docs", "site_dir": f"{tmp_path}/site", "hooks": [f"{ROOT}/tools/site/pages.py"]}
    settings["theme"]["custom_dir"] = f"{ROOT}/tools/site/theme"
    settings["plugins"][-1]["mkdocstrings"]["handlers"]["python"]["paths"] = [f"{ROOT}/python"]
    config = tmp_path / "mkdocs.yml"
    config.write_text(yaml.safe_dump(settings))
    return subprocess.run([Path(sys.executable).parent / "mkdocs", "build", "--strict", "-f", config], capture_output=True, text=True)


@pytest.mark.parametrize("text, complaint", [
    ("\n", ""),
    ("\n[nowhere](not_there.md)\n", "not_there.md"),
    ("\n[nowhere](cli.md#no-such-heading)\n", "no-such-heading"),
    ("\n[nowhere](../src/not_there.cpp)\n", "not_there.cpp"),
    ("\n<!-- figure: not_made.svg | a picture -->\n", "not_made.svg"),
])
def test_dead_links_fail_the_build(tmp_path, text, complaint):
    done = build_with(tmp_path, "faq.md", text)
    assert (done.returncode == 0) == (not complaint), done.stderr
    assert complaint in done.stderr


def test_links_lead_somewhere_in_the_source_tree_too():
    """Who reads the pages in the repository, or as installed text, follows the same links."""
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for path in re.findall(r"\]\(([^)#:\s]+)", page.read_text()):
            assert (page.parent / path).exists(), f"{page.name}: {path}"


def check(tmp_path: Path, said: str, command: str = "echo error 12.9 %, 3 features, took 2.5 s", fence: str = "console"):
    page = tmp_path / "page.md"
    page.write_text(f"text\n```{fence}\n$ {command}\n{said}```\n")
    return console.check_page(page, tmp_path, tmp_path / "no-data", write=False)


@pytest.mark.parametrize("said, fresh", [
    ("error 12.9 %, 3 features, took 2.5 s\n", True),
    ("error 12.8 %, 3 features, took 99 s\n", True),  # the last digit, a time
    ("error 12.7 %, 3 features, took 2.5 s\n", False),
    ("error 12.9 %, 4 features, took 2.5 s\n", False),  # counts are exact
    ("error 12.9 %, 3 genes, took 2.5 s\n", False),
    ("", False),
    ("...\n", True),
    ("error 12.9 %, 3 features, took 2.5 s\nand more\n", False),
])
def test_stale_output_is_noticed(tmp_path, said, fresh):
    ran, _, stale = check(tmp_path, said)
    assert ran == 1
    assert (not stale) == fresh


def test_commands_that_need_data_are_skipped_where_there_are_none(tmp_path):
    assert check(tmp_path, "not this\n", fence="console data") == (0, 1, [])


def test_refreshed_pages_keep_what_they_leave_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ printf 'a 1\\nb 2\\nc 3\\nd 4\\n'\na 0\n...\nc 9\n...\n```\n")
    console.check_page(page, tmp_path, tmp_path / "no-data", write=True)
    assert page.read_text().splitlines()[2:-1] == ["a 1", "...", "c 3", "d 4"] or page.read_text().splitlines()[2:-1] == ["a 1", "...", "c 3", "..."]


def test_r_help_pages_become_a_page(tmp_path):
    assert r_reference.page(tmp_path) == ""
    (tmp_path / "fit.Rd").write_text(r"""
% a comment
\name{cavity}
\alias{cavity}
\title{Fit a classifier}
\description{One fit with \code{x} and \emph{nothing} to tune; 95 \% intervals, see \code{\link[stats]{predict}}.}
\usage{
cavity(x, y, groups = NULL, \dots)
\method{predict}{cavity}(object, newdata)
}
\arguments{
  \item{x}{a matrix, a row a sample | or a data frame}
  \item{groups}{who belongs together}
}
\value{A list with
  \itemize{
    \item the error
    \item the inclusions
  }
}
\examples{
fit <- cavity(x, y) \% 2
}
""")
    page = r_reference.page(tmp_path)
    assert "## cavity\n\n**Fit a classifier**" in page
    assert "One fit with `x` and *nothing* to tune; 95 % intervals, see `predict`." in page
    assert "cavity(x, y, groups = NULL, ...)" in page and "predict(object, newdata)" in page
    assert "| `x` | a matrix, a row a sample \\| or a data frame |" in page
    assert "- the error\n\n- the inclusions" in page.replace("-  ", "- ")
    assert "fit <- cavity(x, y) % 2" in page and "a comment" not in page


def test_cpp_declarations_keep_their_comments(tmp_path):
    (tmp_path / "thing.hpp").write_text(
        "// Things.\n#pragma once\n\nnamespace cavity {\n\n/// One of a < b.\nstruct Thing {\n  int a = 0;\n\n  int b = 0;\n};\n\n"
        "/// Makes it.\nThing make_thing(int a);\n\n}  // namespace cavity\n")
    page = cpp_reference.page(tmp_path)
    assert "## cavity/thing.hpp\n\nThings." in page
    assert "### Thing\n\nOne of a &lt; b.\n\n```cpp\nstruct Thing {\n  int a = 0;\n\n  int b = 0;\n};\n```" in page
    assert "### make_thing\n\nMakes it." in page


def test_search_index_knows_the_questions():
    index = json.loads((SITE / "search/search_index.json").read_text())
    titles = {entry["title"] for entry in index["docs"]}
    assert set(QUESTIONS) <= titles

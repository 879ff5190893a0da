"""The examples of the docstrings and of the tutorial run as written."""

import doctest
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pytest

import cavity
from cavity import _classifier, _files, _panel, _selector, _simulate, _stability, plots, theory

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "python.md"


@pytest.mark.parametrize("module", [_classifier, _files, _panel, _selector, _simulate, _stability, plots, theory])
def test_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


def test_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(TUTORIAL), module_relative=False)
    assert tried > 10 and failed == 0


def test_the_page_on_panels():
    failed, tried = doctest.testfile(str(TUTORIAL.parent / "panel.md"), module_relative=False)
    assert tried >= 5 and failed == 0


def test_the_manual_lists_every_command(command_line):
    commands = re.findall(r"^  ([a-z]+)  ", command_line("--help").split("Subcommands:")[1], re.M)
    listed = re.findall(r"^cavity ([a-z]+)", (TUTORIAL.parent / "cli.md").read_text().split("```")[1], re.M)
    assert len(commands) >= 9 and sorted(commands) == sorted(listed)


def test_every_public_name_is_documented():
    for name in cavity.__all__:
        assert name == "__version__" or getattr(cavity, name).__doc__, name

"""One wheel serves every Python from 3.12 on."""

import shutil
import subprocess
import sys

import pytest

from cavity import _core


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the stable ABI that nanobind needs begins with Python 3.12")
def test_the_module_is_abi3():
    assert _core.__file__.endswith(".abi3.so")


@pytest.mark.skipif(shutil.which("nm") is None or sys.platform != "linux", reason="needs nm")
def test_the_module_shows_its_one_symbol():
    shown = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], check=True, capture_output=True, text=True)
    names = [line.split()[-1] for line in shown.stdout.splitlines()]
    assert [name for name in names if "cavity" in name or "PyInit" in name] == ["PyInit__core"]

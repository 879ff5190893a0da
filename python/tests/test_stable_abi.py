"""One wheel serves every Python from 3.12 on."""

import sys

import pytest

from cavity import _core


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the stable ABI that nanobind needs begins with Python 3.12")
def test_the_module_is_abi3():
    assert _core.__file__.endswith(".abi3.so")

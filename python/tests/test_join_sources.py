"""tools/join-sources: every source is compiled once, and what must not be read together is not."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def join(root: Path, include: Path, folder: Path, files: list[Path]) -> list[list[str]]:
    """What is compiled: the files in each piece, by their names under `root`."""
    told = subprocess.run([sys.executable, ROOT / "tools/join-sources", root, include, folder, *files], check=True, capture_output=True, text=True)
    pieces = []
    for line in told.stdout.splitlines():
        piece = Path(line)
        if piece.parent == folder:
            pieces.append([part.split('"')[1] for part in piece.read_text().splitlines()])
        else:
            pieces.append([piece.relative_to(root).as_posix()])
    return pieces


def test_every_source_is_compiled_once(tmp_path):
    files = sorted((ROOT / "src").rglob("*.cpp"))
    pieces = join(ROOT / "src", ROOT / "include", tmp_path, files)
    assert sorted(name for piece in pieces for name in piece) == [file.relative_to(ROOT / "src").as_posix() for file in files]
    assert len(pieces) < len(files) / 3
    assert all(len(piece) == 1 for piece in pieces if any("foreach_target" in (ROOT / "src" / name).read_text() for name in piece))
    assert pieces == join(ROOT / "src", ROOT / "include", tmp_path, files)


def test_names_of_ones_own_stay_apart(tmp_path):
    source = {
        "room/a.cpp": "namespace cavity {\nnamespace {\ndouble half(double x) { return x / 2; }\n}\n}",
        "room/b.cpp": "namespace cavity {\nnamespace {\nfloat half(float x) { return x / 2; }\n}\n}",
        "room/c.cpp": "namespace cavity {\nstatic int count() { return 1; }\nint use() { return count(); }\n}",
        "room/d.cpp": "// half, in words\nnamespace cavity {\nint other() { return 2; }\n}",
        "room/e.cpp": "namespace cavity {\nnamespace {\nconstexpr int first = 1, rows = 16;\n}\n}",
        "room/f.cpp": "namespace cavity {\nnamespace {\nint rows() { return first; }\n}\n}",
        "room/n.cpp": "namespace cavity {\nint n(double x) { return log(x) > first(x); }\n}",
        "room/g.cpp": "#define HALF 2\nint g() { return HALF; }",
        "room/h.cpp": '#include "room/h.hpp"\nnamespace cavity {\nint h() { return 3; }\n}',
        "room/i.cpp": "namespace cavity {\nnamespace {\nstruct Shape { int side; };\n}\n}",
        "room/j.cpp": '#include "room/j.hpp"\nnamespace cavity {\nint j() { return 4; }\n}',
        "room/k.cpp": "namespace {\nusing Json = int;\n}",
        "room/l.cpp": "namespace {\nusing Json = long;\n}",
        "room/m.cpp": "namespace {\nusing Json = int;\n}",
        "room/h.hpp": "namespace cavity {\nstruct Shape { int sides; };\nint h();\n}",
        "room/j.hpp": "namespace cavity {\nstruct Shape { double area; };\nint j();\n}",
    }
    for name, text in source.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    files = sorted((tmp_path / "src").rglob("*.cpp"))
    pieces = join(tmp_path / "src", tmp_path / "src", tmp_path / "joined", files)
    together = {frozenset((a[5], b[5])) for piece in pieces for a in piece for b in piece if a != b}
    apart = ("ab", "ef", "en", "hi", "hj", "ij", "kl", "lm", *(f"g{other}" for other in "abcdefhijklm"))
    assert not [pair for pair in apart if frozenset(pair) in together]
    assert {frozenset("ac"), frozenset("ad"), frozenset("km")} <= together

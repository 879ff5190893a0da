#!/usr/bin/env python3
"""pictures.py PARTS DATA: runs the gallery and the figures of the manual, each script in a folder of its own below PARTS.

A folder holds the pictures, what the script printed (`output.txt`), and a stamp: a script that ran with the same text, library and
data is not run again. Where a public data set is missing, the folder holds `missing.txt` with its name.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "tools" / "site"


def stamp_of(script: Path, data: Path) -> str:
    import cavity

    parts = [script.read_bytes(), (SITE / "matplotlibrc").read_bytes()]
    parts += [path.read_bytes() for path in sorted(Path(cavity.__file__).parent.glob("*.*")) if path.is_file()]
    parts += [path.read_bytes() for path in (ROOT / "docs" / "trust.md", ROOT / "bench" / "README.md")]
    parts += [path.read_bytes() for name in needed(script) if (path := data / name).exists()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def needed(script: Path) -> list[str]:
    """Data sets that the script names."""
    return re.findall(r'"(\w+\.(?:csv|svm)\.gz)"', script.read_text())


def make(script: Path, folder: Path, data: Path) -> str:
    stamp, stamp_file = stamp_of(script, data), folder / "stamp"
    if stamp_file.exists() and stamp_file.read_text() == stamp:
        return "as before"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    missing = [name for name in needed(script) if not (data / name).exists()]
    if missing:
        (folder / "missing.txt").write_text("\n".join(missing))
        return f"skipped: {', '.join(missing)} is not in {data}"
    environment = {**os.environ, "MATPLOTLIBRC": str(SITE / "matplotlibrc"), "CAVITY_DATA": str(data), "CAVITY_SOURCE": str(ROOT)}
    began = time.monotonic()
    done = subprocess.run([sys.executable, str(script)], cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"{script.relative_to(ROOT)} failed:\n{done.stdout}{done.stderr}")
    (folder / "output.txt").write_text(done.stdout)
    stamp_file.write_text(stamp)
    return f"{time.monotonic() - began:.0f} s"


def main(parts: str, data: str) -> None:
    for kind, scripts in [("gallery", ROOT / "examples" / "gallery"), ("figures", SITE / "figures")]:
        for script in sorted(scripts.glob("*.py")):
            print(f"{script.relative_to(ROOT)}: {make(script, Path(parts).resolve() / kind / script.stem, Path(data).resolve())}")


if __name__ == "__main__":
    main(*sys.argv[1:])

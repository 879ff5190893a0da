#!/usr/bin/env python3
"""console.py [--write] BINARIES DATA PAGE...: the commands of the pages, run again, must say what the pages say.

A block fenced as ```console holds lines `$ command` and what the command prints, standard error included. Blocks of a page
run in order in one empty folder, with BINARIES first in the PATH and DATA as the folder `data`. `...` on a line of its own
stands for any lines. A number may differ by one in its last printed or sixth digit; times, threads and residuals by anything. Blocks whose
fence reads ```console data need the public data sets, and are skipped where there is no DATA. --write puts what the
commands print now into the pages, leaving out what `...` left out.
"""
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"^```console(?P<needs> data)?\n(?P<body>.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
# What depends on the machine: times, threads, and how far a solution was from the next digit.
VARIES = re.compile(r"\b\d+(\.\d+)? (s|ms|min|updates?|threads?)\b|residual \S+")


@dataclass
class Command:
    line: int  # in its page, counted from 1
    text: str
    said: list[str] = field(default_factory=list)


def commands_of(body: str, line: int) -> list[Command]:
    found: list[Command] = []
    for number, text in enumerate(body.splitlines(), line):
        if text.startswith("$ "):
            found.append(Command(number, text[2:]))
        elif found and found[-1].text.endswith("\\") and not found[-1].said:
            found[-1].text += "\n" + text
        elif found:
            found[-1].said.append(text)
        else:
            raise SystemExit(f"line {number}: a console block begins with a command")
    return found


def same_numbers(ours: str, theirs: str) -> bool:
    """One unit of the last digit that the page prints, or the sixth digit: processors add in different orders."""
    if ours == theirs:
        return True
    mantissa, _, power = ours.partition("e")
    digits = len(mantissa.partition(".")[2])
    unit = 10.0 ** ((int(power) if power else 0) - digits)
    near = max(1.5 * unit, 1e-6 * abs(float(ours)))
    return "." in mantissa and abs(float(ours) - float(theirs)) < near


def same_line(page: str, now: str) -> bool:
    page, now = VARIES.sub("*", page.rstrip()), VARIES.sub("*", now.rstrip())
    if page == now:
        return True
    # Columns are aligned, so that a digit more is a blank less.
    words = [re.sub(r" +", " ", NUMBER.sub("#", text)) for text in (page, now)]
    numbers = [NUMBER.findall(text) for text in (page, now)]
    return words[0] == words[1] and all(map(same_numbers, *numbers))


def matches(page: list[str], now: list[str]) -> bool:
    if not page:
        return not now
    if page[0] == "...":
        return any(matches(page[1:], now[i:]) for i in range(len(now) + 1))
    return bool(now) and same_line(page[0], now[0]) and matches(page[1:], now[1:])


def refreshed(page: list[str], now: list[str]) -> list[str]:
    """What is printed now, with the page's `...` between the lines that begin as its neighbours do."""
    if "..." not in page:
        return now
    at = page.index("...")
    rest = page[at + 1 :]
    start = lambda text: re.split(r"[\d.]", text, maxsplit=1)[0]  # words before the first number
    resume = len(now) if not rest else next((i for i in range(at, len(now)) if start(now[i]) == start(rest[0])), at)
    return now[:at] + ["..."] + refreshed(rest, now[resume:])


def run(command: str, folder: Path, binaries: Path) -> list[str]:
    environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300)
    return done.stdout.rstrip("\n").splitlines()


def check_page(page: Path, binaries: Path, data: Path, write: bool) -> tuple[int, int, list[str]]:
    """How many commands ran, how many were skipped, and what is stale."""
    text = page.read_text()
    ran = skipped = 0
    stale: list[str] = []
    pieces, end = [], 0
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        if data.is_dir():
            (folder / "data").symlink_to(data)
        (folder / "source").symlink_to(Path(__file__).resolve().parents[2])
        for block in BLOCK.finditer(text):
            commands = commands_of(block["body"], text.count("\n", 0, block.start("body")) + 1)
            if block["needs"] and not data.is_dir():
                skipped += len(commands)
                continue
            lines: list[str] = []
            for command in commands:
                now = run(command.text, folder, binaries)
                ran += 1
                if not matches(command.said, now):
                    stale.append(f"{page}:{command.line}: `{command.text}` prints now:\n  " + "\n  ".join(now))
                    command.said = refreshed(command.said, now)
                lines += [f"$ {command.text}", *command.said]
            pieces += [text[end : block.start("body")], "".join(f"{line}\n" for line in lines)]
            end = block.end("body")
    if write and stale:
        page.write_text("".join(pieces) + text[end:])
    return ran, skipped, stale


def main(arguments: list[str]) -> int:
    write = arguments[:1] == ["--write"]
    binaries, data, *pages = map(Path, arguments[write:])
    ran = skipped = wrong = 0
    for page in pages:
        here, not_here, stale = check_page(page, binaries.resolve(), data.resolve(), write)
        ran, skipped, wrong = ran + here, skipped + not_here, wrong + len(stale)
        for fault in [] if write else stale:
            print(fault, file=sys.stderr)
    print(f"commands in the pages: {ran} ran, {skipped} skipped, {wrong} stale")
    return 1 if wrong and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

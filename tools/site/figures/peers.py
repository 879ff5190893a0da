"""Pictures of measured tables, drawn from the pages that state them: docs/trust.md and bench/README.md."""
import os
from pathlib import Path

import matplotlib.pyplot as plt

ROOT = Path(os.environ["CAVITY_SOURCE"])


def table(page: str, first_cells: str) -> list[list[str]]:
    """The table of a page whose header begins with these cells, without the header's rule."""
    lines = (ROOT / page).read_text().splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"| {first_cells} |")), None)
    if start is None:
        raise SystemExit(f"{page} has no table that begins with {first_cells!r}")
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def errors() -> None:
    header, *rows = table("docs/trust.md", "mean of ten tables")
    figure, axes = plt.subplots(1, len(rows), figsize=(8.5, 2.6))
    for ax, (name, *values) in zip(axes, rows):
        known = [(method, float(value)) for method, value in zip(header[1:], values) if value][::-1]
        ax.barh([m for m, _ in known], [v for _, v in known], color=["C1" if m == "cavity" else "C0" for m, _ in known])
        for i, (_, value) in enumerate(known):
            ax.text(value, i, f" {value:.3f}", va="center", fontsize=8)
        ax.set_title(name)
        ax.set_xlim(0, 1.2 * max(v for _, v in known))
    figure.savefig("peers_error.svg")


def times() -> None:
    header, *rows = table("bench/README.md", "table | cv.glmnet | ep or gamp")
    cavity, glmnet = header.index("default"), header.index("cv.glmnet")
    figure, ax = plt.subplots(figsize=(6.5, 3.6))
    names = [row[0] for row in rows][::-1]
    for place, (column, label, colour) in enumerate([(glmnet, "cv.glmnet", "C0"), (cavity, "cavity", "C1")]):
        values = [float(row[column]) for row in rows][::-1]
        ax.barh([i + 0.19 - 0.38 * place for i in range(len(names))], values, height=0.36, color=colour, label=label)
    ax.set_yticks(range(len(names)), names)
    ax.set(xscale="log", xlabel="CPU seconds, one thread")
    ax.legend()
    figure.savefig("peers_time.svg")


errors()
times()

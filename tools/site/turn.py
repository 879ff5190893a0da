#!/usr/bin/env python3
"""turn.py TABLE COUNTS SHEET: a table of samples in rows as laboratories deliver it, a row a gene and a sheet of samples.

The sheet is in another order than the table, and has an age and a sex that know nothing of the label.
"""
import csv
import gzip
import random
import sys


def main(table: str, counts: str, sheet: str) -> None:
    with (gzip.open if table.endswith(".gz") else open)(table, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    label = header.index("label")
    names = [f"P{i:03}" for i in range(len(rows))]
    with open(counts, "w", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["gene", *names])
        out.writerows([gene, *(row[j] for row in rows)] for j, gene in enumerate(header) if j != label)
    chance = random.Random(1)
    lines = [[name, row[label], chance.randint(45, 80), chance.choice("fm")] for name, row in zip(names, rows)]
    chance.shuffle(lines)
    with open(sheet, "w", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([["patient", "diagnosis", "age", "sex"], *lines])


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What the tests share: small simulated data, the real data sets, the command line."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cavity

ROOT = Path(__file__).resolve().parents[2]
DATA_SETS = ["breast", "colon", "leukemia", "prostate", "srbct"]


@pytest.fixture(scope="session")
def toy() -> cavity.Simulation:
    return cavity.simulate(80, 120, teacher=0.05, noise=0.02, seed=7)


@pytest.fixture
def quick() -> cavity.SparseBayesClassifier:
    """One grid cell: for tests about anything but the grid."""
    return cavity.SparseBayesClassifier(density=0.1, noise=0.05)


@pytest.fixture(scope="session")
def read_data():
    """Reads a data set by name: features as a frame, labels as a series."""

    def read(name: str) -> tuple[pd.DataFrame, pd.Series]:
        folder = Path(os.environ.get("CAVITY_DATA", ROOT.parent / "shared" / "data"))
        path = folder / f"{name}.csv.gz"
        if not path.exists():
            pytest.skip(f"{name}.csv.gz is not there: put it into ../shared/data or a folder named by CAVITY_DATA")
        table = pd.read_csv(path)
        return table.drop(columns="label"), table["label"]

    return read


@pytest.fixture(scope="session")
def command_line():
    """Runs the release binary and returns its standard output."""
    binary = Path(os.environ.get("CAVITY_BINARY", ROOT / "build" / "release" / "cavity"))
    if not binary.exists():
        pytest.skip(f"no command line at {binary}: run `make build`, or set CAVITY_BINARY")

    def run(*arguments: object) -> str:
        return subprocess.run([binary, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def write_csv(tmp_path):
    """A CSV with a label column first; float32 written so that it reads back bit for bit."""

    def write(X: np.ndarray, y: np.ndarray, name: str = "data.csv") -> Path:
        path = tmp_path / name
        frame = pd.DataFrame(np.asarray(X, dtype=np.float64), columns=[f"g{j}" for j in range(X.shape[1])])
        frame.insert(0, "label", y)
        frame.to_csv(path, index=False, float_format="%.17g")
        return path

    return write

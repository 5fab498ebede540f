"""What several tests need."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 8), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)]


def reference(boards, box):
    """The fitness of boards of shape (n, cells), by its definition, in numpy."""
    rows, columns = box
    side = rows * columns
    grid = boards.reshape(-1, side, side)
    boxes = grid.reshape(-1, columns, rows, rows, columns).swapaxes(2, 3).reshape(-1, side, side)
    distinct = sum(
        (units == value).any(axis=2).sum(axis=1)
        for units in (grid, grid.swapaxes(1, 2), boxes)
        for value in range(1, side + 1)
    )
    return (3 * side * side - distinct).astype(np.uint16)


def random_boards(count, box, seed=1):
    """Boards of random bytes; in every second board most bytes are valid values."""
    rng = np.random.default_rng(seed)
    side = box[0] * box[1]
    boards = rng.integers(0, 256, (count, side * side), dtype=np.uint8)
    boards[::2] = rng.integers(0, side + 2, boards[::2].shape, dtype=np.uint8)
    return boards


@pytest.fixture(scope="session", autouse=True)
def interrupts():
    """Ctrl-C works as in a terminal, even if a shell in the background makes the tests ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def command():
    """Runs the command, and returns what it exports as JSON."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "evodoku" for profile in ("debug", "release", "dist")]
    found = [str(path) for path in built if path.exists()] + [shutil.which("evodoku")]
    program = os.environ.get("EVODOKU", found[0])
    if program is None:
        pytest.skip("the command is not built: cargo build")

    def run(*arguments, folder):
        export = Path(folder) / "run.json"
        subprocess.run(
            [program, "solve", *arguments, "--on", "cpu", "--export-json", export, "--quiet"],
            check=False,
            stdout=subprocess.DEVNULL,
        )
        (one,) = json.loads(export.read_text())["runs"]
        one["board"] = [int(value) for value in one["board"]]
        return one

    return run

"""The type stubs agree with the module."""

import subprocess
import sys

import evodoku
import pytest

pytest.importorskip("mypy")

USE = """
import evodoku
import numpy as np

boards = np.zeros((10, 81), dtype=np.uint8)
scores = evodoku.score(boards, out=np.empty(10, dtype=np.uint16))
reveal_type(scores)
result = evodoku.solve("ai-escargot", "boxes", seed=1, population=50, mutation_rate=0.5)
reveal_type(result.board)
for generation in evodoku.Evolution(evodoku.Puzzle("ai-escargot"), seed=1):
    reveal_type(generation.best)
"""


def test_stubs_are_those_of_the_module(tmp_path):
    # The library itself, all of which the package passes on.
    allowed = tmp_path / "allowed.txt"
    allowed.write_text("evodoku.evodoku\n")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "evodoku", "--allowlist", allowed],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_calls_are_typed(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "use.py"], capture_output=True, text=True, cwd=tmp_path
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.count('is "numpy.ndarray[') == 2 and 'is "int"' in checked.stdout


def test_everything_public_has_a_docstring():
    for name in dir(evodoku):
        if name.startswith("_"):
            continue
        thing = getattr(evodoku, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            members = [member for member in vars(thing) if not member.startswith("_")]
            assert all(getattr(thing, member).__doc__ for member in members), name

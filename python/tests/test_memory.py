"""Nothing grows over many calls."""

import gc
import resource
import sys

import evodoku
import numpy as np
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


BOARDS = np.zeros((100, 81), dtype=np.uint8)


def evolve():
    evolution = evodoku.Evolution("ai-escargot", "boxes", seed=1, population=20, threads=1, on="cpu")
    evolution.step(2)
    return evolution.population, evolution.state()


CALLS = {
    "score": (10_000, lambda: evodoku.score(BOARDS)),
    "duplicates": (10_000, lambda: evodoku.duplicates(BOARDS)),
    "puzzle": (10_000, lambda: evodoku.Puzzle("ai-escargot").presolve("none").candidates),
    "solve": (2_000, lambda: evodoku.solve("ai-escargot", "boxes", seed=1, population=20, max_generations=2, threads=1, on="cpu").history),
    "evolution": (2_000, evolve),
}


@pytest.mark.parametrize("name", CALLS)
def test_memory_does_not_grow(name):
    calls, call = CALLS[name]
    for _ in range(calls // 4):
        call()
    before = resident()
    for _ in range(calls):
        call()
    assert resident() - before < 2 << 20

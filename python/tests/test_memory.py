"""Memory does not grow over many calls."""

import gc
import resource
import sys
import weakref

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
    "solve": (10_000, lambda: evodoku.solve("ai-escargot", "boxes", seed=1, population=20, max_generations=2, threads=1, on="cpu").history),
    "evolution": (10_000, evolve),
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


def test_a_run_whose_operator_knows_it_is_freed():
    class Study:
        def run(self):
            self.evolution = evodoku.Evolution(
                "easter-monster", "cells", seed=1, population=2_000, threads=1, crossover=lambda parents, rng: self and parents[:, 0]
            )
            self.evolution.step(1)

    freed = []
    for number in range(10):
        study = Study()
        weakref.finalize(study, freed.append, number)
        study.run()
        del study
    gc.collect()
    assert len(freed) == 10

"""Whole runs are those of the command, and are bounded, watched and interrupted."""

import signal
import threading
import time

import evodoku
import numpy as np
import pytest


@pytest.mark.parametrize("preset", list(evodoku.presets()))
@pytest.mark.parametrize("puzzle", ["easter-monster", "000-notebook"])
def test_a_run_is_that_of_the_command(puzzle, preset, command, tmp_path):
    flags = ["--seed", "7", "--max-work", "60k", "--presolve", "none", "--preset", preset]
    expected = command(puzzle, *flags, folder=tmp_path)
    result = evodoku.solve(puzzle, preset, seed=7, max_work=60_000, presolve="none", on="cpu")
    assert result.stop_reason == expected["stop_reason"] and result.seed == 7
    for name in ("fitness", "generations", "restarts", "evaluations", "moves", "steps"):
        assert getattr(result, name) == expected[name], name
    assert result.board.ravel().tolist() == expected["board"]


def test_a_result_has_its_board_counts_and_history():
    result = evodoku.solve("ai-escargot", seed=1)
    assert result.solved and result.fitness == 0 and result.stop_reason == "solved"
    assert result.puzzle.verify(result.board) and result.board.shape == (9, 9)
    assert result.work == result.evaluations + result.moves
    history = result.history
    assert {len(column) for column in history.values()} == {result.generations + 1}
    assert history["generation"].tolist() == list(range(result.generations + 1))
    assert history["best"][-1] == 0 and history["evaluations"][-1] == result.evaluations
    assert (history["best"] <= history["mean"]).all()
    assert (history["mean"] <= history["worst"]).all()
    assert result.parameters["population"] == 256
    assert "solved in generation" in str(result) and "seed=1" in repr(result)


def test_a_seed_is_drawn_and_told():
    first = evodoku.solve("ai-escargot", "boxes", population=100, max_generations=3)
    again = evodoku.solve("ai-escargot", "boxes", population=100, max_generations=3, seed=first.seed)
    assert (again.board == first.board).all() and again.evaluations == first.evaluations
    assert evodoku.solve("ai-escargot", "boxes", max_generations=1, population=50).seed != first.seed


def test_budgets_end_a_run_and_its_best_board_is_there():
    for budget, reason in (
        ({"max_generations": 3}, "generations"),
        ({"max_work": 900}, "work"),
        ({"time_limit": 0.05, "max_work": 0}, "time"),
    ):
        result = evodoku.solve("easter-monster", "boxes", seed=1, population=200, **budget)
        assert result.stop_reason == reason and not result.solved
        assert result.fitness == evodoku.score(result.board[None])[0]


def test_parameters_are_numbers_of_any_kind():
    same = [
        {"mutation_rate": 0.5, "population": 50},
        {"mutation_rate": np.float64(0.5), "population": np.int32(50)},
        {"mutation_rate": np.float32(0.5), "population": 50.0},
        {"mutation-rate": "0.5", "population": "50"},
    ]
    runs = [
        evodoku.solve("easter-monster", "boxes", seed=1, max_generations=5, **parameters)
        for parameters in same
    ]
    assert len({run.board.tobytes() for run in runs}) == 1
    assert runs[0].parameters["mutation_rate"] == 0.5


def test_a_callback_sees_every_generation_and_ends_the_run():
    seen = []

    def watch(generation):
        seen.append(generation)
        return generation.generation == 4

    result = evodoku.solve("easter-monster", "boxes", seed=1, population=200, callback=watch)
    assert [generation.generation for generation in seen] == [0, 1, 2, 3, 4]
    assert result.stop_reason == "observer" and result.generations == 4
    assert [generation.best for generation in seen] == result.history["best"].tolist()
    assert seen[2].board.shape == (9, 9)
    assert evodoku.score(seen[2].board[None])[0] == seen[2].best


def test_what_a_callback_raises_is_raised():
    def fail(_):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        evodoku.solve("easter-monster", "boxes", seed=1, population=200, callback=fail)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    timer.start()
    return timer


def test_ctrl_c_ends_a_run_and_its_best_board_is_there():
    interrupt_after(0.3)
    start = time.monotonic()
    result = evodoku.solve("easter-monster", "boxes", seed=1, population=5_000, max_work=0)
    assert time.monotonic() - start < 5
    assert result.stop_reason == "interrupted" and result.generations > 0
    assert result.fitness == evodoku.score(result.board[None])[0]


def test_ctrl_c_ends_searches_and_generating():
    for work in (
        lambda: evodoku.Puzzle("large-36-50").check(),
        lambda: evodoku.generate(10_000, box=(4, 4), unique=True, seed=1),
        lambda: evodoku.Evolution("easter-monster", "boxes", seed=1, max_work=0).step(10**9),
    ):
        interrupt_after(0.3)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            work()
        assert time.monotonic() - start < 5


def test_runs_in_threads_are_the_same_runs():
    expected = [evodoku.solve("easter-monster", "boxes", seed=seed, max_generations=20, population=100) for seed in range(6)]
    found = {}

    def work(seed):
        found[seed] = evodoku.solve("easter-monster", "boxes", seed=seed, max_generations=20, population=100)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, one in enumerate(expected):
        assert (found[seed].board == one.board).all()

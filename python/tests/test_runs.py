"""`evodoku.solve` gives the runs of the command; budgets, callbacks and Ctrl-C work."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import evodoku
import numpy as np
import pytest

DEVICES = ["cpu"] + [f"gpu:{k}" for k, _ in enumerate(evodoku.devices())][:1]


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
    assert "solved in generation" in str(result) and "seed 1" in repr(result)


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
    assert result.stop_reason == "callback" and result.generations == 4
    assert [generation.best for generation in seen] == result.history["best"].tolist()
    assert seen[2].board.shape == (9, 9)
    assert evodoku.score(seen[2].board[None])[0] == seen[2].best


def test_what_a_callback_raises_is_raised():
    def fail(_):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        evodoku.solve("easter-monster", "boxes", seed=1, population=200, callback=fail)


def interrupt_after(seconds):
    main = threading.main_thread().ident
    timer = threading.Timer(seconds, signal.pthread_kill, [main, signal.SIGINT])
    timer.start()
    return timer


def test_ctrl_c_ends_a_run_and_its_best_board_is_there():
    interrupt_after(0.3)
    start = time.monotonic()
    with pytest.raises(evodoku.Interrupted) as raised:
        evodoku.solve("easter-monster", "boxes", seed=1, population=5_000, max_work=0, max_generations=0)
    assert time.monotonic() - start < 5
    assert isinstance(raised.value, KeyboardInterrupt)
    result = raised.value.result
    assert result.stop_reason == "interrupted" and result.generations > 0
    assert result.fitness == evodoku.score(result.board[None])[0]


@pytest.mark.parametrize("on", DEVICES)
@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.1, 0.3])
def test_ctrl_c_ends_a_run_whenever_it_comes(seconds, on):
    interrupt_after(seconds)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        evodoku.solve("easter-monster", "rows-rank", seed=1, max_work=0, max_generations=0, on=on)
        time.sleep(1)
    assert time.monotonic() - start < 15


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.3, 0.4])
def test_ctrl_c_in_a_callback_loses_no_result(seconds):
    interrupt_after(seconds)
    with pytest.raises(evodoku.Interrupted) as raised:
        evodoku.solve(
            "easter-monster",
            "boxes",
            seed=1,
            population=100,
            max_work=0,
            max_generations=0,
            callback=lambda _: sum(range(20_000)) < 0,
        )
    result = raised.value.result
    assert result.stop_reason == "interrupted" and result.generations > 0
    assert result.fitness == evodoku.score(result.board[None])[0]


def test_a_callback_is_called_on_the_callers_thread_and_ctrl_c_reaches_it():
    threads = set()

    def slow(_):
        threads.add(threading.current_thread())
        time.sleep(30)

    interrupt_after(0.3)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        evodoku.solve("easter-monster", "boxes", seed=1, population=100, callback=slow)
    assert time.monotonic() - start < 5 and threads == {threading.current_thread()}


def test_what_another_signals_handler_raises_is_raised():
    def alarm(*_):
        raise TimeoutError("mine")

    before = signal.signal(signal.SIGALRM, alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError, match="mine"):
            evodoku.solve("easter-monster", "boxes", seed=1, max_work=0, max_generations=0)
    finally:
        signal.signal(signal.SIGALRM, before)


def score_in_child(_):
    boards = np.ones((50_000, 81), dtype=np.uint8)
    (puzzle,) = evodoku.generate(seed=1)
    solved = evodoku.solve("ai-escargot", seed=1)
    return int(evodoku.score(boards).sum()), int(evodoku.duplicates(boards).sum()), solved, puzzle


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_share_the_work(method):
    expected = score_in_child(0)
    scorer, evolution = evodoku.Scorer(), evodoku.Evolution("ai-escargot", "boxes", seed=1)
    with multiprocessing.get_context(method).Pool(2) as pool:
        for found in pool.map_async(score_in_child, range(3)).get(timeout=60):
            assert found[:2] == expected[:2] and found[3] == expected[3]
            assert (found[2].board == expected[2].board).all()
            assert found[2].history["best"].tolist() == expected[2].history["best"].tolist()
            assert repr(found[2]) == repr(expected[2])
    if method == "fork":
        child = os.fork()
        if child == 0:
            refused = 0
            for call in (lambda: scorer.score(np.ones((9, 81), np.uint8)), evolution.step):
                try:
                    call()
                except RuntimeError as error:
                    refused += "before the process was forked" in str(error)
            os._exit(refused)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2


def test_operators_draw_anew_for_every_seed():
    def draws(seed):
        drawn = []

        def crossover(parents, rng):
            drawn.append(int(rng.integers(2**60)))
            return parents[:, 0].copy()

        evodoku.solve("easter-monster", "cells", seed=seed, crossover=crossover, population=20, max_generations=2)
        return drawn

    seeds = [0, 1, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1000, 2**64 - 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len({tuple(draws(seed)) for seed in seeds}) == len(seeds)


def test_warnings_that_are_errors_come_before_the_run():
    seen = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="tabu_steps has no effect"):
            evodoku.solve("ai-escargot", "boxes", seed=1, tabu_steps=5, population=50, max_generations=2, callback=seen.append)
    assert not seen


def test_daemon_threads_end_with_the_interpreter():
    script = """
import atexit
# Called after the handler of evodoku, which is registered later.
atexit.register(lambda: print(evodoku.solve("003-4x4", seed=1).solved))
import evodoku, threading, time
def crossover(parents, rng):
    time.sleep(0.02)
    return parents[:, 0].copy()
def run(generations, **operators):
    while True:
        evodoku.solve("easter-monster", "cells", population=20, max_generations=generations, on="cpu", threads=1, **operators)
for generations in (2, 10**6):
    for operators in ({}, {"crossover": crossover}):
        threading.Thread(daemon=True, target=run, args=(generations,), kwargs=operators).start()
time.sleep(0.3)
"""
    for _ in range(5):
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")


def test_damaged_pickles_are_refused():
    seen = []
    result = evodoku.solve("ai-escargot", "boxes", seed=1, population=50, max_generations=2, callback=seen.append)
    for kept, name in [(result, "RunResult"), (seen[0], "Generation")]:
        make, (pickled,) = kept.__reduce__()
        for at in range(len(pickled)):
            damaged = bytearray(pickled)
            damaged[at] ^= 0xFF
            with pytest.raises(ValueError, match=f"this is not the pickle of a {name}, or it is damaged"):
                make(bytes(damaged))
        with pytest.raises(ValueError, match="damaged"):
            make(b"")


def test_generations_are_pickled():
    seen = []
    evodoku.solve("ai-escargot", "boxes", seed=1, population=50, max_generations=2, callback=seen.append)
    again = pickle.loads(pickle.dumps(seen))
    assert [one.best for one in again] == [one.best for one in seen]
    assert (again[1].board == seen[1].board).all()


def test_what_has_no_meaning_is_warned_of():
    with pytest.warns(UserWarning, match="tournament has no effect in this run"):
        evodoku.solve("ai-escargot", "boxes", seed=1, population=50, max_generations=2, tournament=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evodoku.solve("ai-escargot", "boxes", seed=1, population=50, max_generations=2, mutation_rate=0.3)


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

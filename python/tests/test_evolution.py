"""A run made step by step equals that of `solve`; its population is read and set as arrays."""

import pickle
import signal
import threading

import evodoku
import numpy as np
import pytest

DEVICES = ["cpu"] + [f"gpu:{k}" for k, _ in enumerate(evodoku.devices())][:1]
ARGUMENTS = {"seed": 5, "population": 300, "max_generations": 30, "restart_after": 6}


def evolution(preset="boxes", on="cpu", **more):
    return evodoku.Evolution("easter-monster", preset, on=on, **{**ARGUMENTS, **more})


@pytest.mark.parametrize("on", DEVICES)
@pytest.mark.parametrize("preset", ["boxes", "cellular", "rows-rank", "cells"])
def test_steps_of_any_size_make_the_run_of_solve(preset, on):
    whole = evodoku.solve("easter-monster", preset, on="cpu", **ARGUMENTS)
    for size in (1, 7, 1_000):
        run = evolution(preset, on)
        assert run.generation == 0 and run.stop_reason is None
        while run.step(size) is not None:
            pass
        assert run.stop_reason == whole.stop_reason
        assert (run.best == whole.board).all() and run.best_fitness == whole.fitness
        for name in ("restarts", "evaluations", "moves"):
            assert getattr(run, name) == getattr(whole, name), name
        assert run.result().generations == whole.generations == run.generation


@pytest.mark.parametrize("on", DEVICES)
def test_the_population_is_what_the_generation_says(on):
    run = evolution(on=on)
    for generation in run:
        assert run.population.shape == (300, 81) and run.population.dtype == np.uint8
        assert run.fitness.shape == (300,) and run.fitness.dtype == np.uint16
        assert (evodoku.score(run.population) == run.fitness).all()
        assert generation.best == run.fitness.min() and generation.worst == run.fitness.max()
        assert generation.mean == pytest.approx(run.fitness.mean())
        assert run.population is run.population
    assert run.stop_reason == "generations" and run.generation == 30
    assert next(run, None) is None


def test_arrays_stay_as_they_are_and_are_read_only():
    run = evolution()
    boards, fitness = run.population, run.fitness
    before = boards.copy()
    run.step(3)
    assert (boards == before).all() and not (run.population == before).all()
    for array in (boards, fitness):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        assert not array.flags.writeable


@pytest.mark.parametrize("on", DEVICES)
def test_a_run_is_pickled_and_continues_as_the_same_run(on):
    run = evolution(on=on)
    run.step(4)
    copies = [pickle.loads(pickle.dumps(run)), evodoku.Evolution.from_state(run.state(), on="cpu", threads=1)]
    for other in copies:
        assert other.generation == 4 and other.seed == 5 and other.preset == "boxes"
        assert (other.population == run.population).all()
        assert other.parameters == run.parameters
    run.step(15)
    for other in copies:
        other.step(15)
        assert (other.population == run.population).all()
        assert (other.evaluations, other.restarts) == (run.evaluations, run.restarts)


def test_a_run_that_has_ended_is_pickled_too():
    for run in (evolution(max_generations=2), evodoku.Evolution("001-easy-03", seed=1)):
        run.step(10)
        other = pickle.loads(pickle.dumps(run))
        assert other.stop_reason == run.stop_reason is not None
        assert other.step() is None and (other.best == run.best).all()


def test_a_state_that_is_none_is_refused():
    state = evolution().state()
    for wrong in (b"", b"nothing", state[:-1], state[: len(state) // 2], b"\x7f" + state[1:]):
        with pytest.raises(ValueError):
            evodoku.Evolution.from_state(wrong)
    damaged = bytearray(state)
    damaged[len(state) // 2] ^= 0xFF
    with pytest.raises(ValueError, match="damaged"):
        evodoku.Evolution.from_state(bytes(damaged))


def test_a_state_goes_on_as_the_same_run_or_is_refused():
    own = evolution("cells", presolve="none", crossover=half)
    own.step(3)
    for functions in ({}, {"selection": better_of_two}, OPERATORS):
        with pytest.raises(ValueError, match="the saved run uses functions for"):
            evodoku.Evolution.from_state(own.state(), **functions)
    with pytest.raises(ValueError, match="but functions for"):
        evodoku.Evolution.from_state(evolution().state(), crossover=half)
    for change in ({"population": 50}, {"mutation_rate": 0.9}, {"encoding": "rows"}, {"presolve": "probing"}):
        with pytest.raises(TypeError, match="cannot change during a run"):
            evodoku.Evolution.from_state(evolution().state(), **change)
    # A budget may, in every spelling of its name.
    assert evodoku.Evolution.from_state(evolution().state(), **{"max-work": 5}).result().parameters["max_work"] == 5
    spent = evolution(max_generations=3)
    spent.step(10)
    assert spent.stop_reason == "generations"
    again = evodoku.Evolution.from_state(spent.state(), max_generations=9)
    again.step(100)
    whole = evolution(max_generations=9)
    whole.step(100)
    assert again.generation == 9 and (again.population == whole.population).all()


def test_what_a_device_has_gone_beyond_is_not_made_up():
    for on in DEVICES:
        run = evolution(on=on, population=2_000, max_work=20_000, max_generations=0, restart_after=0)
        run.step(1_000)
        assert run.stop_reason == "work" and run.generation == 9
        if on == "cpu":
            expected = run.fitness
            continue
        try:
            assert (run.fitness == expected).all()
        except RuntimeError as gone:
            assert "to keep it, run one at a time" in str(gone)
        single = evolution(on=on, population=2_000, max_work=20_000, max_generations=0, restart_after=0)
        while single.step():
            pass
        assert (single.fitness == expected).all()


def test_an_operator_that_stops_an_iterator_does_not_end_the_run():
    calls = []

    def stops(children, rng):
        calls.append(1)
        return next(iter([])) if len(calls) == 4 else children

    run = evolution("cells", mutation=stops)
    with pytest.raises(RuntimeError, match="StopIteration"):
        for _ in run:
            pass
    assert run.generation == 3


def test_operators_are_called_on_the_thread_that_steps():
    threads = set()

    def where(children, rng):
        threads.add(threading.current_thread())

    evolution("cells", mutation=where).step(3)
    assert threads == {threading.current_thread()}


def test_boards_are_injected_in_place_of_the_worst():
    run = evolution()
    run.step(2)
    best = run.best
    expected = np.sort(run.fitness)
    expected[-3:] = run.best_fitness
    evaluations = run.evaluations
    run.inject(np.stack([best] * 3))
    assert (np.sort(run.fitness) == np.sort(expected)).all()
    assert run.evaluations == evaluations + 3
    solution = evodoku.solve("easter-monster", seed=1).board
    wrong = solution.copy()
    wrong[run.puzzle.givens > 0] = wrong[run.puzzle.givens > 0] % 9 + 1
    with pytest.raises(ValueError, match="board 1: row 1 column 1 holds"):
        run.inject(np.stack([solution, wrong]))
    with pytest.raises(ValueError, match="301 boards, but the population has only"):
        run.inject(np.stack([solution] * 301))
    assert run.stop_reason is None
    run.inject(solution.reshape(1, 81))
    assert run.stop_reason == "solved" and (run.best == solution).all()


def test_ctrl_c_ends_a_step_and_the_run_goes_on():
    run = evolution("boxes", max_generations=0, max_work=0, population=2_000)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        run.step(10**9)
    generation, best = run.generation, run.best_fitness
    assert generation > 0
    run.step(5)
    assert run.generation == generation + 5 and run.best_fitness <= best
    whole = evolution("boxes", max_generations=0, max_work=0, population=2_000)
    whole.step(generation + 5)
    assert (whole.population == run.population).all()


def half(parents, rng):
    """Each cell from either parent."""
    take = rng.integers(0, 2, (len(parents), 1, parents.shape[2]), dtype=np.int64)
    return np.take_along_axis(parents, take, axis=1)[:, 0]


def better_of_two(fitness, n, rng):
    drawn = rng.integers(0, len(fitness), (n, 2, 2))
    return np.where(fitness[drawn[..., 0]] <= fitness[drawn[..., 1]], drawn[..., 0], drawn[..., 1])


def swap(children, rng):
    """Two free cells of each child exchange their values, in place."""
    free = np.flatnonzero(evodoku.Puzzle("easter-monster").presolve("none").fixed.ravel() == 0)
    cells = free[rng.integers(0, len(free), (len(children), 2))]
    rows = np.arange(len(children))[:, None]
    children[rows, cells] = children[rows, cells[:, ::-1]]


OPERATORS = {"selection": better_of_two, "crossover": half, "mutation": swap}


@pytest.mark.parametrize("families", [["crossover"], ["selection"], ["mutation"], list(OPERATORS)])
def test_own_operators_breed_whole_generations(families):
    own = {family: OPERATORS[family] for family in families}
    arguments = {**ARGUMENTS, "presolve": "none", "on": "cpu"}
    result = evodoku.solve("easter-monster", "cells", **arguments, **own)
    assert result.generations == 30
    for family in families:
        assert result.parameters[family] == OPERATORS[family].__name__
    again = evodoku.solve("easter-monster", "cells", threads=1, **arguments, **own)
    assert (again.board == result.board).all()
    other = evodoku.solve("easter-monster", "cells", **{**arguments, "seed": 6}, **own)
    assert (other.board != result.board).any()
    run = evodoku.Evolution("easter-monster", "cells", **arguments, **own)
    run.step(7)
    run = pickle.loads(pickle.dumps(run))
    run.step(1_000)
    assert (run.best == result.board).all()


def test_an_own_operator_that_is_wrong_is_told():
    def run(**own):
        evodoku.solve("easter-monster", "cells", **ARGUMENTS, **own)

    with pytest.raises(ZeroDivisionError):
        run(crossover=lambda parents, rng: 1 // 0)
    with pytest.raises(ValueError, match="crossover returned 299 children: it must return 300"):
        run(crossover=lambda parents, rng: parents[1:, 0].copy())
    with pytest.raises(TypeError, match="crossover returned: children has dtype int64"):
        run(crossover=lambda parents, rng: parents[:, 0].astype(np.int64))
    with pytest.raises(RuntimeError, match="child 0: row 1 column 1 holds 0"):
        run(crossover=lambda parents, rng: np.zeros_like(parents[:, 0]))
    with pytest.raises(ValueError, match="slot 300 for a parent of child 0: the population has slots 0 to 299"):
        run(selection=lambda fitness, n, rng: np.full((n, 2), 300))
    with pytest.raises(ValueError, match="slot -1 for a parent of child 0"):
        run(selection=lambda fitness, n, rng: np.full((n, 2), -1))
    with pytest.raises(ValueError, match=r"shape \(300,\)"):
        run(selection=lambda fitness, n, rng: np.zeros(n, int))
    stuck = evolution("cells", crossover=lambda parents, rng: stuck.population)
    with pytest.raises(RuntimeError, match="is in use"):
        stuck.step()

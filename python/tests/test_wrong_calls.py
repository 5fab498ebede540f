"""A wrong call raises the exception that Python users expect, with one sentence."""

import pathlib

import evodoku
import numpy as np
import pytest

# Without an adapter it is refused earlier, in other words: its call is skipped.
GPU = "gpu:0"
BOARDS = np.zeros((10, 81), dtype=np.uint8)
WRONG = [
    (TypeError, "population is a list: it takes a numpy array of dtype uint8", lambda: evodoku.score([[0] * 81])),
    (TypeError, r"dtype int64: pass population.astype\(numpy.uint8\)", lambda: evodoku.score(BOARDS.astype(np.int64))),
    (TypeError, "dtype float64", lambda: evodoku.score(BOARDS.astype(float))),
    (TypeError, r"pass population.filled\(0\)", lambda: evodoku.score(np.ma.masked_equal(BOARDS, 3))),
    (TypeError, r"is a masked array, and its mask would be ignored", lambda: evodoku.Puzzle(np.ma.masked_equal(BOARDS[0], 3))),
    (ValueError, r"shape \(10, 80\): boards with boxes of 3x3", lambda: evodoku.score(BOARDS[:, :80])),
    (ValueError, r"shape \(81,\)", lambda: evodoku.score(BOARDS[0])),
    (ValueError, r"shape \(10, 9, 8\)", lambda: evodoku.score(np.zeros((10, 9, 8), np.uint8))),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(np.asfortranarray(BOARDS))),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(np.zeros((10, 162), np.uint8)[:, ::2])),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(BOARDS[::-1])),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(np.broadcast_to(BOARDS[0], (10, 81)))),
    (TypeError, "is a masked array, and its mask would be ignored", lambda: evodoku.Puzzle(list(np.ma.masked_equal(BOARDS[0].reshape(9, 9), 3)))),
    (TypeError, "alphabet is for text", lambda: evodoku.Puzzle(BOARDS[0], alphabet="ABCDEFGHI")),
    (TypeError, "alphabet is for text", lambda: evodoku.Puzzle(evodoku.Puzzle("003-4x4"), alphabet="ABCD")),
    (ValueError, "but it takes 0 to", lambda: evodoku.solve("003-4x4", seed=2**200)),
    (TypeError, "fill is True: it takes a number", lambda: evodoku.generate(fill=True, seed=1)),
    (ValueError, "fill: the share", lambda: evodoku.generate(fill=45, seed=1)),
    (TypeError, "time_limit is True: it takes a number", lambda: evodoku.Puzzle("ai-escargot").check(time_limit=True)),
    (ValueError, "without it there is no limit", lambda: evodoku.Puzzle("ai-escargot").check(time_limit=float("inf"))),
    (TypeError, "callback is 5: it takes a function", lambda: evodoku.solve("ai-escargot", callback=5)),
    (TypeError, "it takes rows and columns of a box", lambda: evodoku.score(BOARDS, box=b"\x03\x03")),
    (TypeError, "out is a masked array", lambda: evodoku.score(BOARDS, out=np.ma.masked_equal(np.zeros(10, np.uint16), 1))),
    (TypeError, "selection returned a masked array", lambda: evodoku.solve("ai-escargot", "rows-tournament", selection=lambda fitness, n, rng: np.ma.masked_equal(np.zeros((n, 2), int), 1))),
    (ValueError, r"out has shape \(9,\)", lambda: evodoku.score(BOARDS, out=np.zeros(9, np.uint16))),
    (TypeError, "out has dtype int64", lambda: evodoku.score(BOARDS, out=np.zeros(10, np.int64))),
    (ValueError, r"out is strided or misaligned: pass numpy.empty\(10, dtype=numpy.uint16\)", lambda: evodoku.score(BOARDS, out=np.zeros(20, np.uint16)[::2])),
    (ValueError, r"for one board pass population\[None\]", lambda: evodoku.score(BOARDS[0])),
    (ValueError, r"set other boxes with box=\(rows, columns\)", lambda: evodoku.score(np.zeros((5, 256), np.uint8))),
    (TypeError, r"box is 4: it takes rows and columns", lambda: evodoku.score(BOARDS, box=4)),
    (TypeError, r"box is '44'", lambda: evodoku.score(BOARDS, box="44")),
    (TypeError, "rows and columns", lambda: evodoku.score(BOARDS, box=(3, 3, 3))),
    (ValueError, "read-only", lambda: evodoku.score(BOARDS, out=np.broadcast_to(np.zeros(10, np.uint16), 10))),
    (ValueError, "overlaps", lambda: evodoku.score(BOARDS, out=BOARDS.reshape(-1)[:20].view(np.uint16))),
    (ValueError, "on is 'here', but scoring takes cpu, gpu or gpu:ID", lambda: evodoku.score(BOARDS, on="here")),
    (ValueError, "on is 'cpu:0'", lambda: evodoku.score(BOARDS, on="cpu:0")),
    (ValueError, "'auto', but scoring takes", lambda: evodoku.score(BOARDS, on="auto")),
    (ValueError, "but scoring takes", lambda: evodoku.score(BOARDS, on="gpu:0,0")),
    (ValueError, "but scoring takes", lambda: evodoku.score(BOARDS, on="gpu-score:0")),
    (ValueError, "'here' is not one of auto, cpu", lambda: evodoku.solve("ai-escargot", on="here")),
    (ValueError, "cpu takes no adapter", lambda: evodoku.solve("ai-escargot", on="cpu:0")),
    (RuntimeError, "no graphics adapter", lambda: evodoku.score(BOARDS, on="gpu:no-such-adapter")),
    (ValueError, "a box of 1x9 is not supported", lambda: evodoku.score(BOARDS, box=(1, 9))),
    (ValueError, "a box of 9x9 is not supported", lambda: evodoku.Scorer(box=(9, 9))),
    (ValueError, "did you mean 'boxes'", lambda: evodoku.solve("ai-escargot", "boxs")),
    (TypeError, "did you mean 'population'", lambda: evodoku.solve("ai-escargot", populaton=5)),
    (ValueError, "population is '0', but it takes a whole number from 1 to", lambda: evodoku.solve("ai-escargot", population=0)),
    (ValueError, "population is '2.5'", lambda: evodoku.solve("ai-escargot", population=2.5)),
    (TypeError, r"population is \[5\]: it takes a number or a name", lambda: evodoku.solve("ai-escargot", population=[5])),
    (TypeError, "population is True", lambda: evodoku.solve("ai-escargot", population=True)),
    (TypeError, "radius does not take a function", lambda: evodoku.solve("ai-escargot", "cellular", radius=print)),
    (ValueError, "did you mean 'subset'", lambda: evodoku.solve("ai-escargot", "boxes", crossover="subsets")),
    (ValueError, "ai-escargt", lambda: evodoku.solve("ai-escargt")),
    (ValueError, "seed is -1, but it takes 0 to", lambda: evodoku.solve("ai-escargot", seed=-1)),
    (ValueError, "seed is 18446744073709551616", lambda: evodoku.solve("ai-escargot", seed=2**64)),
    (TypeError, "seed is '1': it takes an integer", lambda: evodoku.solve("ai-escargot", seed="1")),
    (TypeError, "seed is True", lambda: evodoku.solve("ai-escargot", seed=True)),
    (ValueError, "threads is 5000, but it takes 0 to 4096", lambda: evodoku.solve("ai-escargot", threads=5000)),
    (TypeError, "population is np.True_|population is True", lambda: evodoku.solve("ai-escargot", population=np.True_)),
    (TypeError, "use max_generations", lambda: evodoku.solve("ai-escargot", n_gen=5)),
    (TypeError, r"use Puzzle\(..., box=...\)", lambda: evodoku.solve("ai-escargot", box=(3, 3))),
    (TypeError, "crossover is None: it takes a name or a function", lambda: evodoku.solve("ai-escargot", crossover=None)),
    (ValueError, "generations is -1", lambda: evodoku.Evolution("ai-escargot", "boxes", seed=1).step(-1)),
    (ValueError, "'-' is not a puzzle", lambda: evodoku.Puzzle("-")),
    (ValueError, "givens is -1", lambda: evodoku.generate(givens=-1, seed=1)),
    (TypeError, "givens is True", lambda: evodoku.generate(givens=True, seed=1)),
    (ValueError, "max_guesses is -1", lambda: evodoku.generate(unique=True, seed=1, max_guesses=-1)),
    (ValueError, "solutions is 0, but it takes 1 to", lambda: evodoku.Puzzle("." * 16).check(0)),
    (ValueError, "solutions is -1", lambda: evodoku.Puzzle("." * 16).check(-1)),
    (ValueError, "max_guesses is 18446744073709551616", lambda: evodoku.Puzzle("." * 16).check(max_guesses=2**64)),
    (ValueError, "box", lambda: evodoku.Puzzle(evodoku.Puzzle("ai-escargot"), box=(2, 2))),
    (ValueError, "with alphabet", lambda: evodoku.Puzzle("A" + "." * 255)),
    (ValueError, "alphabet", lambda: evodoku.Puzzle("A" + "." * 15, alphabet="AA")),
    (FileNotFoundError, "there is no file /no/such", lambda: evodoku.Puzzle(pathlib.Path("/no/such"))),
    (ValueError, r"shape \(27, 3\): a board has shape", lambda: evodoku.Puzzle(np.zeros((27, 3), int))),
    (ValueError, r"shape \(9, 9, 9\)", lambda: evodoku.Puzzle(np.zeros((9, 9, 9), int))),
    (TypeError, "is a NoneType", lambda: evodoku.Puzzle(None)),
    (RuntimeError, 'use on="cpu"', lambda: evodoku.solve("ai-escargot", "cells", crossover=lambda parents, rng: parents[:, 0], on=GPU)),
    (ValueError, "80 cells", lambda: evodoku.Puzzle("." * 80)),
    (ValueError, "no board has 80 cells", lambda: evodoku.Puzzle(np.zeros(80, int))),
    (ValueError, "row 1 column 1 is given as 10, but the side is 9", lambda: evodoku.Puzzle(np.full((9, 9), 10))),
    (ValueError, "holds 300 in cell 0", lambda: evodoku.Puzzle(np.full((9, 9), 300))),
    (TypeError, "dtype float64", lambda: evodoku.Puzzle(np.zeros((9, 9)))),
    (ValueError, "row 1 holds 1 9 times", lambda: evodoku.Puzzle(np.ones((9, 9), int)).presolve()),
    (ValueError, "row 2 holds 1 9 times", lambda: evodoku.solve(np.ones((9, 9), int))),
    (ValueError, "'all' is not one of none, naked", lambda: evodoku.Puzzle("ai-escargot").presolve("all")),
    (ValueError, "solutions is 0", lambda: evodoku.Puzzle("ai-escargot").check(0)),
    (ValueError, "time_limit is -1", lambda: evodoku.Puzzle("ai-escargot").check(time_limit=-1)),
    (ValueError, "at least 17", lambda: evodoku.generate(unique=True, givens=16, seed=1)),
    (ValueError, "fill cannot be combined", lambda: evodoku.generate(fill=0.5, unique=True, seed=1)),
    (ValueError, "no/such/file", lambda: evodoku.read("/no/such/file.txt")),
]


@pytest.mark.parametrize(("kind", "text", "call"), WRONG, ids=[text for _, text, _ in WRONG])
def test_a_wrong_call_is_told(kind, text, call):
    if "use on=" in text and not evodoku.devices():
        pytest.skip("there is no adapter")
    with pytest.raises(kind, match=text) as raised:
        call()
    assert raised.type is kind and "\n" not in str(raised.value)

"""What cannot be done is told in a sentence, by the exception that Python users expect."""

import evodoku
import numpy as np
import pytest

BOARDS = np.zeros((10, 81), dtype=np.uint8)
WRONG = [
    (TypeError, "population is a list: pass a numpy array", lambda: evodoku.score([[0] * 81])),
    (TypeError, r"dtype int64: pass population.astype\(numpy.uint8\)", lambda: evodoku.score(BOARDS.astype(np.int64))),
    (TypeError, "dtype float64", lambda: evodoku.score(BOARDS.astype(float))),
    (ValueError, r"shape \(10, 80\): boards with boxes of 3x3", lambda: evodoku.score(BOARDS[:, :80])),
    (ValueError, r"shape \(81,\)", lambda: evodoku.score(BOARDS[0])),
    (ValueError, r"shape \(10, 9, 8\)", lambda: evodoku.score(np.zeros((10, 9, 8), np.uint8))),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(np.asfortranarray(BOARDS))),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(np.zeros((10, 162), np.uint8)[:, ::2])),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(BOARDS[::-1])),
    (ValueError, "ascontiguousarray", lambda: evodoku.score(np.broadcast_to(BOARDS[0], (10, 81)))),
    (ValueError, r"out has shape \(9,\)", lambda: evodoku.score(BOARDS, out=np.zeros(9, np.uint16))),
    (TypeError, "out has dtype int64", lambda: evodoku.score(BOARDS, out=np.zeros(10, np.int64))),
    (ValueError, "contiguous", lambda: evodoku.score(BOARDS, out=np.zeros(20, np.uint16)[::2])),
    (ValueError, "read-only", lambda: evodoku.score(BOARDS, out=np.broadcast_to(np.zeros(10, np.uint16), 10))),
    (ValueError, "overlaps", lambda: evodoku.score(BOARDS, out=BOARDS.reshape(-1)[:20].view(np.uint16))),
    (ValueError, "'here' is none of auto, cpu", lambda: evodoku.score(BOARDS, on="here")),
    (ValueError, "cpu takes no adapter", lambda: evodoku.score(BOARDS, on="cpu:0")),
    (ValueError, "'auto', but scoring takes", lambda: evodoku.score(BOARDS, on="auto")),
    (RuntimeError, "no graphics adapter", lambda: evodoku.score(BOARDS, on="gpu:no-such-adapter")),
    (ValueError, "a box of 1x9 does not work", lambda: evodoku.score(BOARDS, box=(1, 9))),
    (ValueError, "a box of 9x9 does not work", lambda: evodoku.Scorer(box=(9, 9))),
    (ValueError, "did you mean 'boxes'", lambda: evodoku.solve("ai-escargot", "boxs")),
    (TypeError, "did you mean 'population'", lambda: evodoku.solve("ai-escargot", populaton=5)),
    (ValueError, "population is '0', but it takes 1 to", lambda: evodoku.solve("ai-escargot", population=0)),
    (ValueError, "population is '2.5'", lambda: evodoku.solve("ai-escargot", population=2.5)),
    (TypeError, "population is a list: it takes a number or a name", lambda: evodoku.solve("ai-escargot", population=[5])),
    (TypeError, "population is a bool", lambda: evodoku.solve("ai-escargot", population=True)),
    (TypeError, "radius takes no function", lambda: evodoku.solve("ai-escargot", "cellular", radius=print)),
    (ValueError, "did you mean 'subset'", lambda: evodoku.solve("ai-escargot", "boxes", crossover="subsets")),
    (ValueError, "ai-escargt", lambda: evodoku.solve("ai-escargt")),
    (OverflowError, "negative", lambda: evodoku.solve("ai-escargot", seed=-1)),
    (ValueError, "80 cells", lambda: evodoku.Puzzle("." * 80)),
    (ValueError, "a board of 80 cells is no square", lambda: evodoku.Puzzle(np.zeros(80, int))),
    (ValueError, "row 1 column 1 is given as 10, but the side is 9", lambda: evodoku.Puzzle(np.full((9, 9), 10))),
    (ValueError, "holds 300 in cell 0", lambda: evodoku.Puzzle(np.full((9, 9), 300))),
    (TypeError, "dtype float64", lambda: evodoku.Puzzle(np.zeros((9, 9)))),
    (ValueError, "row 1 holds 1 9 times", lambda: evodoku.Puzzle(np.ones((9, 9), int)).presolve()),
    (ValueError, "row 2 holds 1 9 times", lambda: evodoku.solve(np.ones((9, 9), int))),
    (ValueError, "'all' is none of none, naked", lambda: evodoku.Puzzle("ai-escargot").presolve("all")),
    (ValueError, "solutions is 0", lambda: evodoku.Puzzle("ai-escargot").check(0)),
    (ValueError, "time_limit is -1", lambda: evodoku.Puzzle("ai-escargot").check(time_limit=-1)),
    (ValueError, "at least 17", lambda: evodoku.generate(unique=True, givens=16, seed=1)),
    (ValueError, "fill goes neither", lambda: evodoku.generate(fill=0.5, unique=True, seed=1)),
    (ValueError, "no/such/file", lambda: evodoku.read("/no/such/file.txt")),
]


@pytest.mark.parametrize(("kind", "text", "call"), WRONG, ids=[text for _, text, _ in WRONG])
def test_a_wrong_call_is_told(kind, text, call):
    with pytest.raises(kind, match=text) as raised:
        call()
    assert raised.type is kind and "\n" not in str(raised.value)

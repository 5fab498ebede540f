"""Puzzles from text and arrays, presolve, exact search and generation."""

import pickle
import warnings

import evodoku
import numpy as np
import pytest

SMALL = "1... ..1. .... ...1"


def test_a_puzzle_is_read_from_whatever_there_is(tmp_path):
    named = evodoku.Puzzle("ai-escargot")
    assert (named.name, named.box, named.side) == ("ai-escargot", (3, 3), 9)
    assert named.givens.shape == (9, 9) and (named.givens > 0).sum() == 23
    line = "".join(str(value) if value else "." for value in named.givens.ravel())
    path = tmp_path / "mine.sdm"
    path.write_text(line + "\n")
    for source in (line, str(path), path, named.givens, named.givens.ravel(), named.givens.tolist()):
        puzzle = evodoku.Puzzle(source)
        assert puzzle == named and hash(puzzle) == hash(named)
        assert evodoku.Puzzle(source, name="mine").name == "mine"
    assert evodoku.Puzzle(named) == named != evodoku.Puzzle("easter-monster")
    assert evodoku.Puzzle(path).name == "mine"
    assert evodoku.Puzzle(np.zeros((6, 6), dtype=int), box=(3, 2)).box == (3, 2)
    assert str(evodoku.Puzzle(SMALL)).splitlines()[0] == "1 . | . ."


def test_lists_are_read_whole(tmp_path):
    path = tmp_path / "list.sdm"
    puzzles = evodoku.generate(20, seed=3)
    lines = ["".join(map(str, puzzle.givens.ravel())) for puzzle in puzzles]
    path.write_text("\n".join(lines))
    read = evodoku.read(path)
    assert [puzzle.name for puzzle in read][:2] == ["list:1", "list:2"]
    assert all((a.givens == b.givens).all() for a, b in zip(read, puzzles))


def test_all_shipped_puzzles_are_there():
    puzzles = evodoku.puzzles()
    names = [puzzle.name for puzzle in puzzles]
    assert len(names) == len(set(names)) and {"ai-escargot", "000-notebook"} <= set(names)
    assert all(evodoku.Puzzle(name) == puzzle for name, puzzle in zip(names, puzzles))


def test_presolve_removes_no_solution():
    puzzle = evodoku.Puzzle("ai-escargot")
    (solution,) = puzzle.check().boards
    before = 9 * 9 * 9
    for level in ("none", "naked", "singles", "subsets", "fish", "probing"):
        space = puzzle.presolve(level)
        assert space.candidates.shape == (9, 9, 9) and space.candidates.dtype == bool
        assert np.take_along_axis(space.candidates, solution[..., None].astype(int) - 1, 2).all()
        assert space.candidates.sum() <= before
        before = space.candidates.sum()
        fixed = space.fixed > 0
        assert (space.fixed[fixed] == solution[fixed]).all() and (~fixed).sum() == space.blanks


def test_solutions_are_counted_and_verified():
    puzzle = evodoku.Puzzle(SMALL)
    few = puzzle.check()
    assert (few.count, few.complete, few.unique) == (2, False, False)
    found = puzzle.check(10**6)
    assert found.complete and found.count == len(found.boards) > 2
    assert all(puzzle.verify(board) for board in found.boards)
    assert len({board.tobytes() for board in found.boards}) == found.count
    assert (evodoku.score(found.boards, box=(2, 2)) == 0).all()
    wrong = found.boards[0].copy()
    wrong[0, 0] = wrong[0, 0] % 4 + 1
    assert not puzzle.verify(wrong)
    assert puzzle.mistake(wrong) == f"row 1 column 1 holds {wrong[0, 0]}, but the puzzle gives 1"
    assert puzzle.mistake(found.boards[0]) is None
    assert evodoku.Puzzle("ai-escargot").check().unique is True
    assert evodoku.Puzzle("large-36-50").check(max_guesses=1).unique is None


def test_puzzles_are_made_as_the_command_makes_them():
    unique = evodoku.generate(3, unique=True, seed=1)
    assert all(puzzle.check().unique for puzzle in unique)
    assert unique == evodoku.generate(3, unique=True, seed=1)
    assert evodoku.generate(givens=30, seed=2)[0].givens.astype(bool).sum() == 30
    assert evodoku.generate(box=(2, 3), fill=0.5, seed=2)[0].givens.astype(bool).sum() == 18
    with pytest.raises(RuntimeError, match="max_guesses"):
        evodoku.generate(unique=True, givens=17, seed=1, max_guesses=10)


def test_assumed_boxes_and_skipped_lines_are_warned_of():
    text = "1" + "." * 35
    for make in (evodoku.Puzzle, evodoku.read, evodoku.solve):
        with pytest.warns(UserWarning, match=r"assuming boxes of 2x3; box=\(3, 2\) would also fit"):
            make(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evodoku.Puzzle(text, box=(3, 2))
    line = "." * 80 + "5"
    with pytest.warns(UserWarning, match="skipped 1 line without a puzzle; first line: 2"):
        assert len(evodoku.read(f"{line}\nhello, world 5\n{line}\n")) == 2


def test_a_puzzle_is_pickled():
    for puzzle in (evodoku.Puzzle("ai-escargot"), evodoku.Puzzle(np.zeros((6, 6), int), box=(3, 2))):
        assert pickle.loads(pickle.dumps(puzzle)) == puzzle


def test_a_puzzle_in_letters_is_read_with_its_alphabet():
    text = "A---\n--C-\n-B--\n---D\n"
    puzzle = evodoku.Puzzle(text, alphabet="ABCD")
    assert puzzle == evodoku.Puzzle("1... ..3. .2.. ...4")
    assert evodoku.read(text, alphabet="ABCD") == [puzzle]


def test_a_puzzle_gets_the_boxes_that_are_asked_for():
    puzzle = evodoku.Puzzle(np.zeros((6, 6), int), box=(3, 2))
    assert evodoku.Puzzle(puzzle, box=(2, 3)).box == (2, 3)
    assert evodoku.Puzzle(puzzle).box == (3, 2)


def test_a_puzzle_that_may_have_redundant_givens_gives_a_warning():
    with pytest.warns(UserWarning, match="1 of the puzzles may have redundant givens.*generated-3x3-1"):
        evodoku.generate(unique=True, seed=1, max_guesses=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evodoku.generate(unique=True, seed=1)

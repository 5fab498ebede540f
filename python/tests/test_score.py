"""Scores equal a reference in numpy, whatever the layout."""

import threading

import evodoku
import numpy as np
import pytest
from conftest import SHAPES, random_boards, reference

DEVICES = ["cpu"] + [f"gpu:{k}" for k, _ in enumerate(evodoku.devices())][:1]


def stride(box):
    cells = (box[0] * box[1]) ** 2
    return -(-cells // 4) * 4


@pytest.mark.parametrize("on", DEVICES)
@pytest.mark.parametrize("box", SHAPES)
def test_every_layout_scores_as_numpy_does(box, on):
    boards = random_boards(3_000, box)
    side = box[0] * box[1]
    expected = reference(boards, box)
    packed = np.full((len(boards), stride(box)), 77, dtype=np.uint8)
    packed[:, : side * side] = boards
    wide = np.full((len(boards), side * side + 13), 77, dtype=np.uint8)
    wide[:, 5 : 5 + side * side] = boards
    scorer = evodoku.Scorer(box=box, on=on)
    for layout in (
        boards,
        boards.reshape(-1, side, side),
        packed,
        packed[:, : side * side],
        wide[:, 5 : 5 + side * side],
        np.repeat(boards, 2, axis=0)[::2],
    ):
        np.testing.assert_array_equal(scorer.score(layout), expected)
        np.testing.assert_array_equal(evodoku.score(layout, box=box), expected)
    for count in (0, 1, 2, 63, 64, 65):
        np.testing.assert_array_equal(scorer.score(boards[:count]), expected[:count])


@pytest.mark.parametrize("box", SHAPES)
def test_duplicates_sum_to_the_score(box):
    boards = random_boards(500, box)
    side = box[0] * box[1]
    counts = evodoku.duplicates(boards, box=box)
    assert counts.shape == (500, 3, side) and counts.dtype == np.uint8
    np.testing.assert_array_equal(counts.sum(axis=(1, 2)), evodoku.score(boards, box=box))
    for board, units in zip(boards[:20], counts):
        grid = board.reshape(side, side)
        values = set(range(1, side + 1))
        for k in range(side):
            assert units[0, k] == side - len(values & set(grid[k]))
            assert units[1, k] == side - len(values & set(grid[:, k]))
            row, column = k // box[0] * box[0], k % box[0] * box[1]
            inside = grid[row : row + box[0], column : column + box[1]]
            assert units[2, k] == side - len(values & set(inside.ravel()))


def test_the_result_goes_into_a_given_array():
    boards = random_boards(1_000, (3, 3))
    out = np.full(2_000, 9, dtype=np.uint16)
    returned = evodoku.score(boards, out=out[500:1_500])
    assert returned.base is out
    np.testing.assert_array_equal(out[500:1_500], reference(boards, (3, 3)))
    assert (out[:500] == 9).all() and (out[1_500:] == 9).all()


def test_threads_share_a_scorer():
    scorer = evodoku.Scorer(on=DEVICES[-1])
    failures = []

    def work(seed):
        boards = random_boards(2_000, (3, 3), seed)
        expected = reference(boards, (3, 3))
        for _ in range(10):
            if not (scorer.score(boards) == expected).all():
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_other_threads_run_meanwhile():
    boards = np.zeros((2_000_000, 81), dtype=np.uint8)
    turns, done = 0, threading.Event()

    def work():
        for _ in range(20):
            evodoku.score(boards)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        turns += 1
    thread.join()
    assert turns > 1_000

"""Makes reference.json, the values that `src/statistics` is tested against.

    python3 -m venv VENV && VENV/bin/pip install scipy==1.17.* scikit-posthocs statsmodels
    VENV/bin/python tests/statistics/reference.py > tests/statistics/reference.json

Samples are drawn with a fixed seed; the edges (ties, censored times, small samples, all equal) are
written out.
"""

import itertools
import json
import math

import numpy as np
import pandas as pd
import scikit_posthocs as posthocs
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests

EXACT = 50
random = np.random.default_rng(1)


def u_of(first, second):
    return float(stats.mannwhitneyu(first, second, method="asymptotic").statistic)


def mann_whitney(first, second):
    case = {"first": first, "second": second, "u": u_of(first, second)}
    exact = len(first) + len(second) <= EXACT
    ties = len(set(first + second)) < len(first) + len(second)
    found, least = of_scores((2 * stats.rankdata(first + second)).astype(int).tolist(), len(first))
    if not exact:
        found = stats.mannwhitneyu(first, second, method="asymptotic").pvalue
    elif not ties:
        found = stats.mannwhitneyu(first, second, method="exact").pvalue
    return case | {"p": float(found), "least": least, "exact": exact}


def of_scores(scores, count):
    """The p of the first `count` scores and the least that there is: all choices, the smaller tail doubled, or
    the normal distribution where they are too many."""
    if len(scores) <= EXACT:
        if math.comb(len(scores), count) > 2_000_000:
            return math.nan, 2 / math.comb(len(scores), count)
        sums = np.array([sum(chosen) for chosen in itertools.combinations(scores, count)])

        def p(sum_of):
            return min(1.0, 2 * min(np.mean(sums <= sum_of), np.mean(sums >= sum_of)))

        return float(p(sum(scores[:count]))), float(min(p(sums.min()), p(sums.max())))
    # Sampling without replacement.
    variance = count * (len(scores) - count) / len(scores) * np.var(scores, ddof=1)

    def normal(chosen):
        distance = abs(sum(chosen) - count * np.mean(scores)) - 1
        return 1.0 if variance == 0 or distance <= 0 else float(2 * stats.norm.sf(distance / variance**0.5))

    inorder = sorted(scores)
    return normal(scores[:count]), min(normal(inorder[:count]), normal(inorder[-count:]))


def whole(low, high, count):
    return [float(value) for value in random.integers(low, high, count)]


def mann_whitneys():
    yield mann_whitney([1.0], [2.0])
    yield mann_whitney([3.0, 5.0, 8.0], [1.0, 2.0, 9.0, 11.0])
    yield mann_whitney([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0])
    yield mann_whitney([7.0] * 5, [7.0] * 4)
    yield mann_whitney([2.0, 2.0, 4.0, 6.0], [2.0, 3.0, 6.0, 6.0, 9.0])
    yield mann_whitney([1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 2.0])
    yield mann_whitney(whole(0, 6, 8), whole(2, 9, 7))
    yield mann_whitney(whole(0, 4, 10), whole(0, 4, 10))
    yield mann_whitney(random.normal(0, 1, 25).tolist(), random.normal(0.5, 1, 25).tolist())
    yield mann_whitney(random.normal(0, 1, 20).tolist(), random.normal(1, 1, 10).tolist())
    yield mann_whitney(random.normal(0, 1, 26).tolist(), random.normal(0.5, 1, 25).tolist())
    yield mann_whitney(whole(0, 8, 40), whole(1, 10, 30))
    yield mann_whitney([3.0] * 59 + [2.0], [3.0] * 40)


def censored(first, second):
    """Gehan's test: a pair is open where the one without an event ended before the other's event."""

    def worse(one, other):
        if one[1] and other[1]:
            return 1 + int(np.sign(one[0] - other[0]))
        if other[1] and other[0] <= one[0]:
            return 2
        return 0 if one[1] and one[0] <= other[0] else 1

    everyone = first + second
    scores = [sum(worse(one, other) for other in everyone) for one in everyone]
    u = sum(worse(one, other) for one in first for other in second) / 2
    p, least = of_scores(scores, len(first))
    exact = len(everyone) <= EXACT
    return {"first": first, "second": second, "u": u, "p": p, "least": least, "exact": exact}


def drawn_times(scale, count, bound):
    times = np.ceil(random.exponential(scale, count))
    return [[float(min(time, bound)), bool(time <= bound)] for time in times]


def all_censored():
    yield censored([[3, True], [5, True], [8, False]], [[9, True], [12, True]])
    # Censored at a time at which others end, and equal times in both.
    yield censored([[5, True], [5, False], [7, True]], [[5, True], [7, True], [7, False], [9, True]])
    yield censored([[4, True], [6, False]], [[9, False], [9, False], [9, False]])
    yield censored([[2, False], [4, False], [4, False]], [[3, True], [5, True], [6, True]])
    yield censored(drawn_times(50, 9, 100), drawn_times(90, 11, 100))
    yield censored(drawn_times(8, 40, 12), drawn_times(12, 35, 12))
    yield censored(drawn_times(400, 30, 100), drawn_times(20, 30, 100))
    # Nothing happens, all at once, or when the others have left.
    yield censored([[9, False]] * 2, [[9, False]] * 2)
    yield censored([[5, True]] * 2, [[5, True]] * 2)
    yield censored([[2, False]] * 6, [[3 + place, True] for place in range(6)])


def holms():
    for values in [[0.2], [0.01, 0.04, 0.03], [0.5, 0.9, 0.6], [0.001, 0.001, 0.2, 0.04, 0.011, 1.0]]:
        yield {"p": values, "corrected": multipletests(values, method="holm")[1].tolist()}


def friedman(blocks):
    columns = list(zip(*blocks))
    if len(columns) > 2:
        found = stats.friedmanchisquare(*columns)
        statistic, p = float(found.statistic), float(found.pvalue)
    else:
        # SciPy wants three. What is left of it is the sign test.
        signs = [np.sign(one - other) for one, other in blocks]
        statistic = float(sum(signs) ** 2 / np.count_nonzero(signs))
        p = float(stats.binomtest(signs.count(1), np.count_nonzero(signs)).pvalue)
    ranks = np.mean([stats.rankdata(block) for block in blocks], axis=0)
    pairs = []
    if len(columns) > 2:
        after = posthocs.posthoc_conover_friedman(pd.DataFrame(blocks)).to_numpy()
        pairs = [
            [one, other, float(after[one][other])]
            for one, other in itertools.combinations(range(len(columns)), 2)
        ]
    return {
        "blocks": blocks,
        "statistic": statistic,
        "p": p,
        "mean_ranks": ranks.tolist(),
        "pairs": pairs,
    }


def friedmans():
    yield friedman([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [2.0, 1.0, 3.0], [1.0, 2.0, 3.0]])
    yield friedman([[1.0, 1.0, 3.0, 4.0], [2.0, 2.0, 2.0, 1.0], [5.0, 4.0, 4.0, 9.0]])
    yield friedman([random.normal(place, 2, 5).tolist() for place in range(12)])
    yield friedman([whole(0, 4, 6) for _ in range(9)])
    yield friedman([[1.0, 2.0], [3.0, 2.0], [1.0, 5.0], [4.0, 4.0], [1.0, 9.0]])
    yield friedman([[1.0, 2.0]] * 4)
    yield friedman([[2.0, 1.0]] * 6)
    # All equal: SciPy has no value, nothing is told apart.
    yield {
        "blocks": [[4.0] * 3] * 2,
        "statistic": 0.0,
        "p": 1.0,
        "mean_ranks": [2.0] * 3,
        "pairs": [[0, 1, 1.0]],
    }


def nemenyis():
    for k, n in [(2, 5), (4, 14), (5, 30), (12, 8), (40, 3)]:
        q = stats.studentized_range.ppf(0.95, k, np.inf) / math.sqrt(2)
        yield {"k": k, "n": n, "difference": float(q * math.sqrt(k * (k + 1) / (6 * n)))}


def newcombe(share, m, n):
    z = stats.norm.ppf(0.975)

    def beyond(other):
        middle = (m + n) / 2 - 1
        terms = 1 + middle * ((1 - other) / (2 - other) + other / (1 + other))
        return (share - other) ** 2 - z * z * other * (1 - other) / (m * n) * terms

    # Away from 0 and 1, where it is nothing anyway.
    edge = 1e-12
    low = 0.0 if share == 0 else optimize.brentq(beyond, edge, share, xtol=1e-15)
    high = 1.0 if share == 1 else optimize.brentq(beyond, share, 1 - edge, xtol=1e-15)
    if share == 0:
        high = optimize.brentq(beyond, edge, 1 - edge, xtol=1e-15)
    if share == 1:
        low = optimize.brentq(beyond, edge, 1 - edge, xtol=1e-15)
    return low, high


def a12(first, second):
    # The less is the better: pairs that the second is larger in.
    share = u_of(second, first) / (len(first) * len(second))
    low, high = newcombe(share, len(first), len(second))
    return {"first": first, "second": second, "share": share, "low": low, "high": high}


def a12s():
    yield a12([1.0, 2.0, 3.0], [2.0, 2.0, 5.0, 9.0])
    yield a12([1.0, 2.0, 3.0], [4.0, 5.0])
    yield a12([4.0, 5.0], [1.0, 2.0, 3.0])
    yield a12([6.0] * 4, [6.0] * 9)
    yield a12(whole(0, 20, 30), whole(4, 24, 25))


def needed_a12():
    both = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    for share in [0.56, 0.64, 0.71, 0.2, 1.0]:
        yield {"share": share, "runs": math.ceil(both**2 / (6 * (share - 0.5) ** 2))}
    yield {"share": 0.5, "runs": None}


print("{")
names = [mann_whitneys, all_censored, holms, friedmans, nemenyis, a12s, needed_a12]
keys = [
    "mann_whitney", "censored", "holm", "friedman", "nemenyi", "a12", "needed_a12",
]
for place, (key, make) in enumerate(zip(keys, names)):
    lines = ",\n".join(json.dumps(case) for case in make())
    print(f'"{key}": [\n{lines}\n]' + ("," if place + 1 < len(keys) else ""))
print("}")

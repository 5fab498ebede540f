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
    if not exact:
        p = stats.mannwhitneyu(first, second, method="asymptotic").pvalue
    elif not ties:
        p = stats.mannwhitneyu(first, second, method="exact").pvalue
    else:
        p = by_enumeration(first, second)
    return case | {"p": float(p), "exact": exact}


def by_enumeration(first, second):
    """All ways to deal the values out, the smaller tail doubled."""
    ranks = (2 * stats.rankdata(first + second)).astype(int)
    seen = sum(ranks[: len(first)])
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(first))]
    below = sum(value <= seen for value in sums) / len(sums)
    above = sum(value >= seen for value in sums) / len(sums)
    return min(1.0, 2 * min(below, above))


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


def log_rank(first, second):
    def data(times):
        return stats.CensoredData(
            uncensored=[time for time, event in times if event],
            right=[time for time, event in times if not event],
        )

    found = stats.logrank(data(first), data(second))
    least = least_p_of_log_rank(first, second)
    return {
        "first": first,
        "second": second,
        "statistic": float(found.statistic) ** 2,
        "p": float(found.pvalue),
        "least": least,
    }


def least_p_of_log_rank(first, second):
    """That of all events in one sample, or as many as were there, given who is there at each time."""
    bounds, variance = np.zeros(2), 0.0
    for time in sorted({time for time, event in first + second if event}):
        own, other = (sum(until >= time for until, _ in sample) for sample in (first, second))
        happened = sum(event and until == time for until, event in first + second)
        of_first = stats.hypergeom(own + other, own, happened)
        mean, support = happened * own / (own + other), of_first.support()
        bounds += np.array(support, dtype=float) - mean
        # Its own variance is no number where only one value is left.
        variance += sum((k - mean) ** 2 * of_first.pmf(k) for k in range(support[0], support[1] + 1))
    if variance == 0:
        return 1.0
    return float(stats.chi2.sf(max(bounds**2) / variance, 1))


def fisher(first, second):
    def p(of, other):
        table = [[of, first[1] - of], [other, second[1] - other]]
        return float(stats.fisher_exact(table).pvalue)

    both = first[0] + second[0]
    fewest, most = max(0, both - second[1]), min(both, first[1])
    least = min(p(of, both - of) for of in range(fewest, most + 1))
    return {"first": first, "second": second, "p": p(first[0], second[0]), "least": least}


def fishers():
    yield fisher([6, 6], [0, 6])
    yield fisher([3, 3], [0, 3])
    yield fisher([1, 4], [3, 9])
    yield fisher([9, 10], [2, 12])
    yield fisher([0, 5], [0, 7])
    yield fisher([5, 5], [7, 7])
    yield fisher([1, 1], [0, 1])
    yield fisher([310, 1000], [260, 1000])
    yield fisher([17, 30], [4, 8])


def drawn_times(scale, count, bound):
    times = np.ceil(random.exponential(scale, count))
    return [[float(min(time, bound)), bool(time <= bound)] for time in times]


def log_ranks():
    yield log_rank([[3, True], [5, True], [8, False]], [[9, True], [12, True]])
    # CensoredQuantiles at a time at which others end, and equal times in both.
    yield log_rank([[5, True], [5, False], [7, True]], [[5, True], [7, True], [7, False], [9, True]])
    yield log_rank([[4, True], [6, False]], [[9, False], [9, False], [9, False]])
    yield log_rank([[2, False], [4, False], [4, False]], [[3, True], [5, True], [6, True]])
    yield log_rank(drawn_times(50, 12, 100), drawn_times(90, 15, 100))
    yield log_rank(drawn_times(8, 40, 12), drawn_times(12, 35, 12))
    yield log_rank(drawn_times(400, 30, 100), drawn_times(20, 30, 100))
    # Nothing happens, all at once, or when the others have left: SciPy has no value for any of them,
    # nothing is told apart.
    never, at_once = [[9, False], [9, False]], [[5, True], [5, True]]
    left, later = [[2, False]] * 6, [[3 + place, True] for place in range(6)]
    for first, second in [(never, never), (at_once, at_once), (left, later)]:
        yield {"first": first, "second": second, "statistic": 0.0, "p": 1.0, "least": 1.0}


def holms():
    for values in [[0.2], [0.01, 0.04, 0.03], [0.5, 0.9, 0.6], [0.001, 0.001, 0.2, 0.04, 0.011, 1.0]]:
        yield {"p": values, "corrected": multipletests(values, method="holm")[1].tolist()}


def friedman(blocks):
    columns = list(zip(*blocks))
    if len(columns) > 2:
        found = stats.friedmanchisquare(*columns)
        statistic, p = float(found.statistic), float(found.pvalue)
    else:
        # SciPy wants three: the sign test that is left of it.
        signs = [np.sign(one - other) for one, other in blocks]
        statistic = float(sum(signs) ** 2 / np.count_nonzero(signs))
        p = float(stats.chi2.sf(statistic, 1))
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


def needed():
    level, power = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    for one, other in [(0.25, 0.4), (0.5, 0.7), (0.0, 1.0), (0.0, 0.1), (0.9, 0.95), (0.05, 0.95)]:
        mean, distance = (one + other) / 2, abs(one - other)
        alike = level * math.sqrt(2 * mean * (1 - mean))
        apart = power * math.sqrt(one * (1 - one) + other * (1 - other))
        runs = ((alike + apart) / distance) ** 2
        runs = runs / 4 * (1 + math.sqrt(1 + 4 / (runs * distance))) ** 2
        yield {"one": one, "other": other, "runs": math.ceil(runs)}
    yield {"one": 0.3, "other": 0.3, "runs": None}


def needed_a12():
    both = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    for share in [0.56, 0.64, 0.71, 0.2, 1.0]:
        yield {"share": share, "runs": math.ceil(both**2 / (6 * (share - 0.5) ** 2))}
    yield {"share": 0.5, "runs": None}


print("{")
names = [mann_whitneys, log_ranks, fishers, holms, friedmans, nemenyis, a12s, needed, needed_a12]
keys = [
    "mann_whitney", "log_rank", "fisher", "holm", "friedman", "nemenyi", "a12", "needed", "needed_a12",
]
for place, (key, make) in enumerate(zip(keys, names)):
    lines = ",\n".join(json.dumps(case) for case in make())
    print(f'"{key}": [\n{lines}\n]' + ("," if place + 1 < len(keys) else ""))
print("}")

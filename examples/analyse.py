#!/usr/bin/env python3
"""Reads an experiment's runs with pandas: success, work and convergence, a row a method.

    evodoku experiment --puzzle 001-easy-03 003-6x6 --preset boxes rows-pmx --seeds 10 \\
        --set presolve=none max_work=500000 \\
        --export-runs runs.csv --export-generations generations.csv
    python3 examples/analyse.py runs.csv generations.csv

What the columns are: docs/EXPORTS.md. Needs pandas alone (`pip install pandas`).
"""

import sys

import pandas as pd


def success(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs, solutions, and what one costs: work of all runs over solutions."""
    cells = runs.groupby(["puzzle", "method"], sort=False)
    table = cells.agg(
        runs=("solved", "size"),
        solved=("solved", "sum"),
        work=("work", "sum"),
        median_seconds=("seconds", "median"),
    )
    table["share"] = table.solved / table.runs
    table["expected_work"] = (table.work / table.solved.where(table.solved > 0)).round()
    return table.drop(columns="work")


def convergence(generations: pd.DataFrame, at: list[int]) -> pd.DataFrame:
    """Best fitness so far at some generations, by the median over seeds.

    A run that has ended keeps the fitness that it ended with.
    """
    run = ["puzzle", "method", "seed"]
    rows = generations.sort_values("generation")
    rows["best_so_far"] = rows.groupby(run).best.cummin()
    wide = rows.pivot_table(index=run, columns="generation", values="best_so_far").ffill(axis=1)
    shown = [max(known for known in wide.columns if known <= limit) for limit in at]
    table = wide[shown].groupby(level=["puzzle", "method"], sort=False).median()
    table.columns = pd.Index(at, name="generation")
    return table


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    runs = pd.read_csv(sys.argv[1], dtype={"givens": str, "solution": str})
    generations = pd.read_csv(sys.argv[2])
    with pd.option_context("display.width", 100, "display.max_columns", 20):
        print(success(runs), end="\n\n")
        print(convergence(generations, [0, 1, 3, 10, 30, 100]))


if __name__ == "__main__":
    main()

//! Runs that a device carries out together, those of a kind one after the other.

use std::ops::ControlFlow;

use super::observer::ExperimentObserver;
use super::{Done, Runner};
use crate::experiment::Cell;
use crate::ga::RunJob;
use crate::solver::{Errand, Pool};
use crate::spread::Delivery;

impl Runner<'_> {
    /// Does runs together, those that can go together one after the other: of each kind the first
    /// seed of every cell, then the second.
    pub(super) fn run_together(
        &self,
        pool: &mut Pool<'_>,
        mut missing: Vec<usize>,
        take: impl FnMut(Done) -> ControlFlow<()>,
    ) {
        let kinds = self.kinds();
        missing.sort_by_key(|number| kinds[self.plan.run(*number).0]);
        let most = missing.len();
        let errand = |number| match self.job(number) {
            Ok(job) => Errand::Run(job),
            Err(answer) => Errand::Answered((number, *answer)),
        };
        let finish = |job: RunJob<ExperimentObserver<'_>>, outcome| {
            (job.watcher.number, self.result(job, outcome, self.threads))
        };
        let (items, interrupted) = (missing.into_iter().map(errand), self.interrupted);
        pool.run_together(items, most, Delivery::AsDone, interrupted, finish, take);
    }

    /// Of each cell the first one whose runs can go together with its own.
    fn kinds(&self) -> Vec<usize> {
        let mut firsts: Vec<usize> = Vec::new();
        let cells = &self.plan.cells;
        let together = |one: &Cell, other: &Cell| {
            one.puzzle.geometry == other.puzzle.geometry
                && self.backend.goes_together(&one.config, &other.config)
        };
        let kind = |(number, cell)| {
            let known = firsts.iter().find(|first| together(&cells[**first], cell)).copied();
            known.unwrap_or_else(|| {
                firsts.push(number);
                number
            })
        };
        cells.iter().enumerate().map(kind).collect()
    }
}

//! What a tuning came to, as people read it.

use super::irace::Iteration;
use super::report::TuneSummary;
use super::space::{Dimension, Domain};
use super::validation::{ConfigRuns, ValidationPair};
use crate::report::{Table, dash};
use crate::statistics::wilson;
use crate::util::quantity::count;

impl TuneSummary<'_> {
    /// A row for each race.
    pub(super) fn iterations(&self) -> Table {
        let row = |one: &Iteration| {
            let best = one.elites.first();
            vec![
                one.number.to_string(),
                count(one.candidates as u64),
                count(one.new as u64),
                count(one.runs),
                count(one.work),
                count(one.elites.len() as u64),
                best.map_or_else(dash, |best| count(best.number as u64)),
                count(one.blocks as u64),
                best.map_or_else(dash, |best| figure(best.mean())),
            ]
        };
        Table {
            title: "Iterations".to_owned(),
            header: vec![
                "iteration", "candidates", "new", "runs", "work", "left", "best", "its blocks",
                "its mean cost",
            ],
            rows: self.tuned.iterations.iter().map(row).collect(),
            notes: vec![
                "Candidate 1 is the default configuration. A block is a training puzzle and a seed. Mean \
                 costs of training are of the candidates that did best there, and so too good: what \
                 counts is validation."
                    .to_owned(),
            ],
        }
    }

    /// A row for each parameter that is tuned.
    pub(super) fn parameters(&self) -> Table {
        let default = &self.tuning.plan().cells[0];
        let won = |name: &str| self.tuned.values.iter().find(|(known, _)| *known == name);
        let row = |dimension: &Dimension| {
            vec![
                dimension.name.to_owned(),
                range(&dimension.domain),
                default.value(dimension.name).unwrap_or_default(),
                won(dimension.name).map_or_else(dash, |(_, value)| value.clone()),
            ]
        };
        Table {
            title: "Parameters".to_owned(),
            header: vec!["parameter", "range", "default", "winner"],
            rows: self.tuning.spec().space.dimensions.iter().map(row).collect(),
            notes: vec![
                "The default is that of the first training puzzle; - is left as it is, because the parameter \
                 does not exist beside the others."
                    .to_owned(),
            ],
        }
    }

    /// A row for each validation puzzle; nothing where the default has won.
    pub(super) fn validation(&self) -> Option<Table> {
        let solved = |tried: &ConfigRuns| format!("{}/{}", tried.solved, tried.costs.len());
        let row = |one: &ValidationPair| {
            let (default, winner) = (one.default.mean(), one.winner.mean());
            let ratio = winner / default;
            let (puzzle, solved) =
                (one.puzzle.clone(), [solved(&one.default), solved(&one.winner)]);
            let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { dash() };
            let [before, after] = solved;
            vec![puzzle, before, after, figure(default), figure(winner), ratio]
        };
        let header = vec!["puzzle", "default solved", "winner solved", "default cost"];
        let share = |of: fn(&ValidationPair) -> &ConfigRuns| {
            let tried = self.tuned.validated.iter().map(of);
            let (solved, runs) =
                tried.fold((0, 0), |all, one| (all.0 + one.solved, all.1 + one.costs.len()));
            let interval = wilson(solved, runs)
                .map(|it| format!(" ({:.0} to {:.0} %)", 100.0 * it.low, 100.0 * it.high));
            format!("{solved}/{runs}{}", interval.unwrap_or_default())
        };
        let notes = self.gain().into_iter().chain([format!(
            "The default solved {}, the winner {} (95 % Wilson intervals). The interval of the ratio is a \
             bootstrap over puzzles and runs.",
            share(|one| &one.default),
            share(|one| &one.winner)
        )]);
        (!self.tuned.validated.is_empty()).then(|| Table {
            title: "Validation".to_owned(),
            header: header.into_iter().chain(["winner cost", "ratio"]).collect(),
            rows: self.tuned.validated.iter().map(row).collect(),
            notes: notes.collect(),
        })
    }
}

fn range(domain: &Domain) -> String {
    let scale = |log: bool| if log { ", log" } else { "" };
    match domain {
        Domain::Whole { from, to, log } => format!("{from} to {to}{}", scale(*log)),
        Domain::Real { from, to, log } => format!("{from} to {to}{}", scale(*log)),
        Domain::Names(names) => names.join(", "),
    }
}

/// A cost: whole if it is large.
fn figure(cost: f64) -> String {
    if cost >= 100.0 { count(cost.round() as u64) } else { format!("{cost:.2}") }
}

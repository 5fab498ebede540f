//! The document of a command that solves puzzles: a record and a row for each run, written as runs
//! finish.

use super::document::{Document, Entry, Fact, Table, origin};
use super::{Record, Spent};
use crate::board::Puzzle;
use crate::format::line;

const COLUMNS: [&str; 21] = [
    "puzzle",
    "name",
    "shape",
    "preset",
    "population",
    "presolve",
    "seed",
    "solved",
    "stop_reason",
    "fitness",
    "generations",
    "restarts",
    "evaluations",
    "moves",
    "steps",
    "work",
    "seconds",
    "children_per_second",
    "threads",
    "backend",
    "solution",
];

/// What is known of all runs so far: what each spent, and whether it found a solution.
#[derive(Clone, Debug, Default)]
pub struct SolvedRuns {
    runs: Vec<Spent>,
}

impl SolvedRuns {
    /// Takes in a run, for the plot.
    pub fn note(&mut self, record: &Record) {
        self.runs.push(Spent { work: record.work, solved: record.solved });
    }
}

impl Document for SolvedRuns {
    fn kind(&self) -> &'static str {
        "solve"
    }

    fn title(&self) -> String {
        "evodoku solve".to_owned()
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        origin(self.kind()).to_vec()
    }

    fn list(&self) -> &'static str {
        "runs"
    }

    fn records(&self) -> Vec<String> {
        Vec::new()
    }

    fn columns(&self) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        Vec::new()
    }

    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<super::Plot> {
        use super::solved_by_work::solved_by_work;

        let panel = solved_by_work([("all runs".to_owned(), self.runs.as_slice())]);
        panel.iter().map(|panel| super::Plot::of(panel)).collect()
    }
}

impl Entry for Record {
    fn record(&self) -> Option<String> {
        // Every key is a string and every number finite: nothing here can fail.
        Some(serde_json::to_string(self).unwrap_or_default())
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.puzzle.clone(),
            self.name.clone(),
            self.shape.clone(),
            self.preset.to_string(),
            self.population.to_string(),
            self.presolve.to_string(),
            self.seed.to_string(),
            self.solved.to_string(),
            self.stop_reason.to_string(),
            self.fitness.to_string(),
            self.generations.to_string(),
            self.restarts.to_string(),
            self.evaluations.to_string(),
            self.moves.to_string(),
            self.steps.to_string(),
            self.work.to_string(),
            format!("{:.6}", self.seconds),
            format!("{:.0}", self.children_per_second),
            self.device.threads.to_string(),
            self.device.backend.to_owned(),
            self.solution.clone().unwrap_or_default(),
        ]
    }
}

/// A puzzle that was not run, because it has no solution or the run failed: it has a row and no
/// record.
#[derive(Clone, Copy, Debug)]
pub struct NotRun<'a>(pub &'a Puzzle);

impl Entry for NotRun<'_> {
    fn record(&self) -> Option<String> {
        None
    }

    fn row(&self) -> Vec<String> {
        let known = |column: &str| match column {
            "name" => self.0.name.clone(),
            "puzzle" => line(self.0.geometry, &self.0.givens),
            "shape" => self.0.geometry.to_string(),
            "solved" => false.to_string(),
            _ => String::new(),
        };
        COLUMNS.into_iter().map(known).collect()
    }
}

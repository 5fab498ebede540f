//! The document of a command that solves puzzles: a record and a row for each run, written as runs
//! finish.

use crate::board::Puzzle;
use crate::format::line;
use crate::report::document::{Document, Entry, Fact, Table, origin};
use crate::report::{Course, Moment, Record, Scaling, Spent};

#[cfg(feature = "plot")]
mod plot;

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

/// Puzzles that are told apart in a plot; of more there is one line of all.
const APART: usize = 40;

/// What is known of all runs so far, for plots: what each spent, and whether it found a solution.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "plot"), allow(dead_code, reason = "figures alone read it"))]
pub struct SolvedRuns {
    scaling: Scaling,
    runs: Vec<Spent>,
    /// The runs of each puzzle by its name, unless there are too many puzzles.
    puzzles: Vec<(String, Vec<Spent>)>,
    too_many: bool,
    /// The first run of one puzzle: its name and seed, and how it went.
    course: Option<(String, u64, Vec<Moment>)>,
}

impl SolvedRuns {
    /// None yet; axes of generations are divided so.
    pub fn new(scaling: Scaling) -> Self {
        Self { scaling, ..Self::default() }
    }

    /// Takes in a run.
    pub fn note(&mut self, record: &Record) {
        let spent = Spent { work: record.work, solved: record.solved };
        self.runs.push(spent);
        if self.too_many {
            return;
        }
        match self.puzzles.iter().position(|(name, _)| *name == record.name) {
            Some(known) => self.puzzles[known].1.push(spent),
            None => self.puzzles.push((record.name.clone(), vec![spent])),
        }
        if self.puzzles.len() > APART {
            self.too_many = true;
            self.puzzles = Vec::new();
        }
    }

    /// Takes in how a run went.
    pub(crate) fn note_course(&mut self, puzzle: &str, seed: u64, course: Course) {
        self.course = Some((puzzle.to_owned(), seed, course.finish()));
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
    fn plots(&self) -> Vec<crate::report::Plot> {
        let mut plots = Vec::new();
        if let Some((puzzle, seed, course)) = &self.course {
            plots.extend(plot::course(puzzle, *seed, course, self.scaling));
        }
        if self.runs.len() > 1 {
            plots.extend(plot::spent(&self.runs, &self.puzzles));
        }
        plots
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

//! The document of a command that solves puzzles: a record and a row for each run, written as runs
//! finish.

use indicatif::HumanCount;

use crate::board::Puzzle;
use crate::format::line;
use crate::ga::StopReason;
use crate::report::document::{Document, Entry, Fact, Table, origin};
use crate::report::{
    BackendInfo, CurvePoint, Moment, Record, Scaling, ShownBoard, ShownRun, ShownRuns, Spent,
    Spread, shown_device,
};

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
/// Runs that are kept whole, and names of puzzles that were not run: no document shows more of them.
const KEPT: usize = 400;
const NAMED: usize = 20;

/// What is known of all runs so far: what each spent, and whether it found a solution; of the first
/// ones all that a page shows.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "plot"), allow(dead_code, reason = "figures alone read it"))]
pub struct SolvedRuns {
    scaling: Scaling,
    /// Runs that presolve left nothing of, which are no success of evolution.
    presolved: usize,
    /// All others.
    runs: Vec<Spent>,
    /// The runs of each puzzle by its name, unless there are too many puzzles.
    puzzles: Vec<(String, Vec<Spent>)>,
    too_many: bool,
    /// The first run of one puzzle: its name and seed, and how it went.
    course: Option<(String, u64, Vec<Moment>)>,
    kept: Vec<ShownRun>,
    /// Whether they are of one puzzle.
    several: bool,
    /// How many puzzles were not run, and what the first are called.
    not_run: usize,
    named: Vec<String>,
}

impl SolvedRuns {
    /// None yet; axes of generations are divided so.
    pub fn new(scaling: Scaling) -> Self {
        Self { scaling, ..Self::default() }
    }

    /// Takes in a run, with its board and its curve.
    pub fn note(&mut self, record: &Record, board: ShownBoard, curve: Vec<CurvePoint>) {
        self.several |= self.kept.first().is_some_and(|run| run.puzzle != record.name);
        if self.kept.len() < KEPT {
            self.kept.push(shown(record, board, curve));
        }
        if record.stop_reason == StopReason::Presolved {
            self.presolved += 1;
            return;
        }
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
    pub(crate) fn note_course(&mut self, puzzle: &str, seed: u64, course: Vec<Moment>) {
        self.course = Some((puzzle.to_owned(), seed, course));
    }

    /// Takes in a puzzle that was not run.
    pub fn note_not_run(&mut self, puzzle: &Puzzle) {
        self.not_run += 1;
        if self.named.len() < NAMED {
            self.named.push(puzzle.name.clone());
        }
    }
}

fn device_text(info: &BackendInfo) -> String {
    shown_device(info.backend, info.adapter.as_deref(), info.driver.as_deref(), info.threads)
}

fn shown(record: &Record, board: ShownBoard, curve: Vec<CurvePoint>) -> ShownRun {
    ShownRun {
        puzzle: record.name.clone(),
        shape: record.shape.clone(),
        method: record.preset.to_string(),
        labels: Vec::new(),
        seed: record.seed,
        solved: record.solved,
        end: record.stop_reason.to_string(),
        fitness: Some(record.fitness),
        generations: Some(record.generations),
        work: Some(record.work),
        seconds: record.seconds,
        device: Some(device_text(&record.device)),
        config: Some(record.config.clone()),
        curve,
        board: Some(board),
    }
}

impl Document for SolvedRuns {
    fn kind(&self) -> &'static str {
        "solve"
    }

    fn title(&self) -> String {
        "evodoku solve".to_owned()
    }

    fn question(&self) -> String {
        let preset = self.kept.first().map_or("evodoku", |run| run.method.as_str());
        match self.kept.first() {
            Some(run) if !self.several && self.not_run == 0 => {
                format!("Does {preset} solve {}, and at what cost?", run.puzzle)
            }
            _ => format!("Which of these puzzles does {preset} solve, and at what cost?"),
        }
    }

    fn answer(&self) -> Vec<String> {
        let count = |count: usize| HumanCount(count as u64);
        let solved = self.runs.iter().filter(|run| run.solved).count();
        let runs = self.runs.len();
        let noun = if runs == 1 { "run" } else { "runs" };
        let mut answer = Vec::new();
        if runs > 0 {
            answer.push(format!("{} of {} {noun} solved.", count(solved), count(runs)));
        }
        match (self.presolved, runs) {
            (0, _) => {}
            (1, 0) => answer.push("Presolve alone solved it: nothing was left to evolve.".into()),
            (all, 0) => answer.push(format!(
                "Presolve alone solved all {}: nothing was left to evolve.",
                count(all)
            )),
            (more, _) => answer.push(format!("Presolve alone solved {} more.", count(more))),
        }
        let work = self.runs.iter().filter(|run| run.solved).map(|run| run.work as f64);
        answer.extend(match (Spread::of(work), solved) {
            (Some(spread), 1) => Some(format!("Work: {}.", count(spread.median as usize))),
            (Some(spread), _) => Some(format!("Work to a solution: {spread}.")),
            (None, _) => None,
        });
        if self.not_run > 0 {
            let more = self.not_run - self.named.len();
            let more = if more > 0 { format!(" and {} more", count(more)) } else { String::new() };
            answer.push(format!(
                "Not run, for want of a solution or after a failure: {}{more}.",
                self.named.join(", ")
            ));
        }
        answer
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

    fn shown_runs(&self, most: usize) -> ShownRuns {
        let runs = self.kept.iter().take(most).cloned().collect();
        ShownRuns { runs, of: self.runs.len() + self.presolved, which: "the first that ended" }
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

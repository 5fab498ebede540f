//! The report of `solve`, whose runs are written one by one as they end.

use indicatif::HumanCount;

use crate::board::Puzzle;
use crate::ga::StopReason;
use crate::report::{
    AxisScale, BoardView, CurvePoint, HistoryPoint, MOST_RUN_VIEWS, OnDemand, Report, ReportRow,
    RunCost, RunRecord, RunView, RunViews, TidyTable, device_text, version_fields,
};
#[cfg(feature = "plot")]
use crate::report::{Plot, solve_plot};
use crate::statistics::Quantiles;

/// Puzzles that are told apart in a plot; of more there is one line of all.
const APART: usize = 40;
/// Puzzles that were not run and are named.
const NAMED: usize = 20;

/// All runs so far: the cost of each, and of the first ones all that a page shows.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "plot"), allow(dead_code, reason = "figures alone read it"))]
pub struct SolveSummary {
    scaling: AxisScale,
    /// Runs that presolve left nothing of, which are no success of evolution.
    presolved: usize,
    /// All others.
    runs: Vec<RunCost>,
    /// The runs of each puzzle by its name, unless there are too many puzzles.
    puzzles: Vec<(String, Vec<RunCost>)>,
    too_many: bool,
    /// The first run of one puzzle: its name and seed, and its history.
    history: Option<(String, u64, Vec<HistoryPoint>)>,
    kept: Vec<RunView>,
    /// Whether they are of one puzzle.
    several: bool,
    /// How many puzzles were not run, and what the first are called.
    not_run: usize,
    named: Vec<String>,
}

impl SolveSummary {
    /// A summary of no runs; plots divide axes of generations as `scaling` says.
    pub fn new(scaling: AxisScale) -> Self {
        Self { scaling, ..Self::default() }
    }

    /// Takes in a run, with its board and its curve.
    pub fn note(&mut self, record: &RunRecord, board: BoardView, curve: Vec<CurvePoint>) {
        self.several |= self.kept.first().is_some_and(|run| run.puzzle != record.name);
        if self.kept.len() < MOST_RUN_VIEWS {
            self.kept.push(shown(record, board, curve));
        }
        if record.stop_reason == StopReason::Presolved {
            self.presolved += 1;
            return;
        }
        let spent = RunCost { work: record.work, solved: record.solved };
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

    /// Takes in the history of a run.
    pub(crate) fn note_history(&mut self, puzzle: &str, seed: u64, history: Vec<HistoryPoint>) {
        self.history = Some((puzzle.to_owned(), seed, history));
    }

    /// Takes in a puzzle that was not run.
    pub fn note_not_run(&mut self, puzzle: &Puzzle) {
        self.not_run += 1;
        if self.named.len() < NAMED {
            self.named.push(puzzle.name.clone());
        }
    }
}

fn shown(record: &RunRecord, board: BoardView, curve: Vec<CurvePoint>) -> RunView {
    let device = &record.device;
    let (adapter, driver) = (device.adapter.as_deref(), device.driver.as_deref());
    RunView {
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
        device: Some(device_text(device.backend, adapter, driver, device.threads)),
        config: Some(record.config.clone()),
        curve,
        board: Some(board),
    }
}

impl SolveSummary {
    /// The report of these runs.
    pub fn report(&self) -> Report<'_> {
        Report {
            kind: "solve",
            title: "evodoku solve".to_owned(),
            question: OnDemand::new(|| self.question()),
            answer: OnDemand::new(|| self.answer()),
            fields: OnDemand::new(|| version_fields("solve")),
            list: "runs",
            rows: OnDemand::new(|| TidyTable {
                names: ReportRow::COLUMNS.to_vec(),
                rows: Vec::new(),
            }),
            run_views: OnDemand::new(|| self.run_views()),
            #[cfg(feature = "plot")]
            plots: OnDemand::new(|| self.plots()),
            ..Report::default()
        }
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
        answer.extend(match (Quantiles::of(work), solved) {
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

    fn run_views(&self) -> RunViews {
        let runs = self.kept.clone();
        RunViews { runs, of: self.runs.len() + self.presolved, which: "the first that ended" }
    }

    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        if let Some((puzzle, seed, history)) = &self.history {
            plots.extend(solve_plot::fitness(puzzle, *seed, history, self.scaling));
        }
        if self.runs.len() > 1 {
            plots.extend(solve_plot::work(&self.runs, &self.puzzles));
        }
        plots
    }
}

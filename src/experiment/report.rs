//! The report of an experiment: a row for each cell, a record for each run, and the plan of both.
//!
//! Rows and the cells of the JSON have the same columns. `seconds`, `median_seconds`,
//! `children_per_second` and `threads` depend on the machine and on `--jobs`; all else depends on
//! the spec alone, unless a time limit ended a run.
//!
//! Runs and generations are tidy tables too: each row says of which cell it is, so that a program that reads
//! one needs no other file.
//!
//! ```text
//! cell,block,puzzle,method,population,seed,solved,...
//! 1,,003-4x4,boxes,20,1,true,...
//! ```

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::cell::{differ, grouped};
use super::cell_filter::all_hold;
use super::record::ExperimentRecord;
use super::run_metrics::ALIKE;
use super::summary::{answer, cell_table, question};
use super::{
    Cell, CellSummary, Comparisons, Method, Results, RunMetrics, RunResult, StopCause, comparison,
    law_table, plan_json,
};
use crate::board::Presolve;
use crate::ga::Config;
use crate::report::{
    BoardView, Field, MOST_RUN_VIEWS, OnDemand, Report, Row, RunView, RunViews, Table, TidyTable,
    rounded,
};
use crate::store::parse_line;
use crate::util::quantity::counted;
use crate::util::{FEW_GENERATIONS, distinct};

/// Columns of a run: the members of its record (`record.rs`) that have one, but for its puzzle, which is
/// called `givens` there.
const RUN_COLUMNS: [&str; 23] = [
    "shape", "population", "seed", "solved", "late", "stop_reason", "fitness", "free_cells",
    "generations", "restarts", "evaluations", "moves", "steps", "work", "nodes", "seconds",
    "children_per_second", "threads", "backend", "adapter", "fault", "givens", "solution",
];

/// Columns of a generation: the points of the series of its run (`store/fitness_history.rs`).
const GENERATION_COLUMNS: [&str; 5] = ["seed", "generation", "best", "worst", "restart"];

/// Results with the summary of each cell and what is compared.
#[derive(Clone, Debug)]
pub struct ExperimentSummary<'r, 'p> {
    results: &'r Results<'p>,
    summaries: Vec<CellSummary>,
    comparisons: Comparisons,
}

impl<'r, 'p> ExperimentSummary<'r, 'p> {
    /// The summary of the runs that are finished now.
    pub fn of(results: &'r mut Results<'p>) -> Self {
        let summaries = results.summaries();
        let comparisons = Comparisons::of(results);
        Self { results, summaries, comparisons }
    }

    /// Their report.
    pub fn report(&self) -> Report<'_> {
        let plan = self.results.plan;
        Report {
            kind: "experiment",
            title: plan.name.clone(),
            question: OnDemand::new(|| question(plan)),
            answer: OnDemand::new(|| self.findings().0),
            fields: OnDemand::new(|| self.fields()),
            list: "runs",
            records: OnDemand::new(|| {
                self.results.finished().map(|run| run.line.clone()).collect()
            }),
            rows: OnDemand::new(|| self.cells().into()),
            runs: OnDemand::new(|| run_table(self.results)),
            generations: OnDemand::new(|| generation_table(self.results)),
            comparisons: OnDemand::new(|| self.pairs()),
            tables: OnDemand::new(|| self.findings().1),
            run_views: OnDemand::new(|| run_views(self.results, MOST_RUN_VIEWS)),
            plots: OnDemand::new(|| {
                super::plots(self.results)
                    .into_iter()
                    .chain(super::ranked(&self.comparisons))
                    .collect()
            }),
            ..Report::default()
        }
    }

    /// The cells that pass the filters of the view.
    fn shown(&self) -> Vec<(&Cell, &CellSummary)> {
        let cells = self.results.plan.cells.iter().zip(&self.summaries);
        cells.filter(|(cell, _)| all_hold(&self.results.view.only, cell)).collect()
    }

    /// Warnings that runs differ in more than a comparison needs, or not at all.
    fn warnings(&self) -> Vec<String> {
        let share = |cell: &Cell, run: &RunMetrics| run.work as f64 / cell.config.max_work as f64;
        let thin = |cell: &Cell, run: &RunMetrics| {
            let is_thin = cell.config.population > 1
                && matches!(run.end, StopCause::Work | StopCause::Time)
                && run.generations < FEW_GENERATIONS;
            is_thin.then(|| -f64::from(run.generations))
        };
        let over = |cell: &Cell, run: &RunMetrics| {
            Some(share(cell, run)).filter(|share| share.is_finite() && *share > ALIKE)
        };
        // Without max_work the share is infinite.
        let is_compared = self.results.view.compare.is_some();
        let short = |cell: &Cell, run: &RunMetrics| {
            let share = share(cell, run);
            let is_short = run.end == StopCause::Generations
                && (share * ALIKE < 1.0 || is_compared && share.is_infinite());
            is_short.then_some(-share)
        };
        let thin = self.cells_with(thin).map(|(cells, _)| {
            format!(
                "the budget was enough for fewer than {FEW_GENERATIONS} generations in {cells}. Raise \
                 the budget, or lower the population, to compare the algorithms."
            )
        });
        let beyond = self.cells_with(over).map(|(cells, most)| {
            format!(
                "runs took up to {most:.1} times max_work in {cells}, because no generation is cut short. \
                 Raise max_work, or lower the population, to compare at equal work."
            )
        });
        let short = self.cells_with(short).map(|(cells, _)| {
            format!(
                "runs in {cells} were ended by max_generations, so their work may differ. To compare at equal work, \
                 set max_generations to 0 and limit the runs by max_work."
            )
        });
        let several = self.shown().len() > 1;
        let timed = |_: &Cell, run: &RunMetrics| {
            (several && run.end == StopCause::Time).then_some(run.seconds)
        };
        let timed = self.cells_with(timed).map(|(cells, _)| {
            format!(
                "runs in {cells} were ended by time_limit, so the work of unsolved runs may differ. To compare work, set \
                 max_work instead; otherwise compare solved runs and seconds."
            )
        });
        let cells = self.shown().into_iter().map(|(cell, _)| cell);
        let evolved: Vec<&Cell> =
            cells.filter(|cell| matches!(cell.method, Method::Preset(_))).collect();
        let levels: BTreeSet<Presolve> = evolved.iter().map(|cell| cell.config.presolve).collect();
        let is_meant = self.results.plan.parameters.contains(&"presolve");
        let presolve = (levels.len() > 1 && !is_meant).then(|| {
            let level = |level: &Presolve| {
                let such = evolved.iter().filter(|cell| cell.config.presolve == *level);
                let methods = distinct(such.map(|cell| cell.method.to_string()));
                format!("{level}: {}", methods.join(", "))
            };
            format!(
                "the methods use different levels of presolve ({}), so some methods search a smaller space. To \
                 compare the algorithms, set the same presolve for all methods.",
                levels.iter().map(level).collect::<Vec<_>>().join("; ")
            )
        });
        let idle = self.results.plan.varying().into_iter().filter_map(|name| {
            let applies = Config::parameter(name).ok()?.applies;
            let idle = evolved.iter().filter(|cell| !applies(&cell.config));
            let values = grouped(idle.map(|cell| (cell.method, cell.value(name))));
            let several = values.iter().filter(|(_, values)| differ(values.iter()));
            let idle: Vec<String> = several.map(|(method, _)| method.to_string()).collect();
            let idle = idle.join(", ");
            (!idle.is_empty()).then(|| {
                format!(
                    "{name} has no effect in some cells of {idle}: cells that differ only in {name} have equal runs."
                )
            })
        });
        [thin, beyond, short, timed, presolve].into_iter().flatten().chain(idle).collect()
    }

    /// The cells that are shown with a run of evolution for which `figure` gives a number, and the highest:
    /// `2 of 9 cells (such as boxes on ai-escargot)`, whose number that is.
    fn cells_with(
        &self,
        figure: impl Fn(&Cell, &RunMetrics) -> Option<f64>,
    ) -> Option<(String, f64)> {
        let only = &self.results.view.only;
        let cells = self.results.plan.cells.iter().enumerate();
        let shown: Vec<(usize, &Cell)> = cells.filter(|(_, cell)| all_hold(only, cell)).collect();
        let most = |(at, cell): &(usize, &Cell)| {
            let runs = self.results.of_cell(*at).filter(|run| run.work > 0);
            runs.filter_map(|run| figure(cell, run)).max_by(f64::total_cmp)
        };
        let such: Vec<(f64, &Cell)> =
            shown.iter().filter_map(|cell| Some((most(cell)?, cell.1))).collect();
        let (most, worst) = such.iter().max_by(|one, other| one.0.total_cmp(&other.0))?;
        let (of, all) = (such.len(), counted(shown.len() as u64, "cell"));
        let place = format!("{} on {}", worst.method, worst.puzzle.name);
        Some((format!("{of} of {all} (such as {place})"), *most))
    }

    /// What was found, and the tables for people: the cells, where the population varies its law, and what is
    /// compared. The first note of each explains it.
    pub fn findings(&self) -> (Vec<String>, Vec<Table>) {
        let view = &self.results.view;
        let mut tables = vec![cell_table(self.results, &self.shown())];
        tables.extend(law_table(self.results));
        let mut nothing = None;
        if let Some(factor) = view.compare {
            let Comparisons { pairs, rankings } = &self.comparisons;
            if pairs.is_empty() {
                let what = factor.plural();
                nothing =
                    Some(format!("Nothing is compared: no puzzle was evolved with two {what}."));
            } else {
                tables.push(comparison::pair_table(factor, pairs));
            }
            if !rankings.is_empty() {
                tables.push(comparison::ranking_table(factor, &self.comparisons));
            }
        }
        let mut found = answer(&self.shown());
        found.extend(nothing);
        // Notes on rows of cells stay with them.
        tables.iter_mut().skip(1).for_each(|table| found.extend(table.notes.drain(1..)));
        found.extend(self.warnings().iter().map(|warning| format!("Warning: {warning}")));
        (found, tables)
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let plan = self.results.plan;
        let rankings = |factor| comparison::ranking_rows(factor, &self.comparisons.rankings);
        let rankings = self.results.view.compare.map(rankings).unwrap_or_default();
        let mut fields = vec![
            ("experiment", Field::of(&plan.name)),
            ("fingerprint", Field::of(&plan.fingerprint)),
            ("shard", Field::of(self.results.shard)),
        ];
        fields.extend(plan_json::fields(plan));
        fields.extend([
            ("cells", Field::List(self.cells())),
            ("comparisons", Field::List(self.pairs().rows)),
            ("rankings", Field::List(rankings)),
        ]);
        fields
    }

    fn cells(&self) -> Vec<Row> {
        let plan = self.results.plan;
        let cells = plan.cells.iter().zip(&self.summaries).enumerate();
        let row = |(number, (cell, summary))| columns(number, cell, summary, &plan.parameters);
        cells.map(row).collect()
    }

    /// The pairs that are compared.
    fn pairs(&self) -> TidyTable {
        let (Results { plan, view, .. }, pairs) = (self.results, &self.comparisons.pairs);
        let rows = |factor| comparison::pair_rows(plan, factor, pairs);
        view.compare.map(rows).unwrap_or_default()
    }
}

/// The names of the columns that identify a cell.
fn cell_names(parameters: &[&'static str]) -> Vec<&'static str> {
    ["cell", "block", "puzzle", "method"].into_iter().chain(parameters.iter().copied()).collect()
}

/// The columns that identify a cell, counted from 0.
fn cell_columns(number: usize, cell: &Cell, parameters: &[&'static str]) -> Row {
    let method = cell.method.name();
    let mut values =
        vec![json!(number + 1), json!(cell.block), json!(cell.puzzle.name), json!(method)];
    values.extend(cell.json_values(parameters));
    Row(cell_names(parameters).into_iter().zip(values).collect())
}

fn columns(number: usize, cell: &Cell, summary: &CellSummary, parameters: &[&'static str]) -> Row {
    let CellSummary { success, generations, work, expected_work, .. } = summary;
    let Row(mut columns) = cell_columns(number, cell, parameters);
    columns.extend([
        ("status", json!(summary.status)),
        ("remark", json!(summary.remark)),
        ("runs", json!(summary.runs)),
        ("planned", json!(summary.planned)),
        ("solved", json!(summary.solved)),
        ("late", json!(summary.late)),
        ("success", rounded(success.map(|success| success.share), 4)),
        ("success_low", rounded(success.map(|success| success.low), 4)),
        ("success_high", rounded(success.map(|success| success.high), 4)),
        ("generations_best", rounded(generations.best, 2)),
        ("generations_lower_quartile", rounded(generations.lower_quartile, 2)),
        ("generations_median", rounded(generations.median, 2)),
        ("generations_upper_quartile", rounded(generations.upper_quartile, 2)),
        ("generations_worst", rounded(generations.worst, 2)),
        ("work_best", rounded(work.best, 2)),
        ("work_lower_quartile", rounded(work.lower_quartile, 2)),
        ("work_median", rounded(work.median, 2)),
        ("work_upper_quartile", rounded(work.upper_quartile, 2)),
        ("work_worst", rounded(work.worst, 2)),
        ("work_total", json!(summary.total_work)),
        ("expected_work", rounded(expected_work.mean, 1)),
        ("expected_work_low", rounded(expected_work.low, 1)),
        ("expected_work_high", rounded(expected_work.high, 1)),
        ("unsolved_fitness", rounded(summary.unsolved_fitness, 3)),
        ("seconds", rounded(Some(summary.seconds), 6)),
        ("median_seconds", rounded(summary.median_seconds, 6)),
        ("children_per_second", rounded(summary.children_per_second, 0)),
    ]);
    Row(columns)
}

/// A row for each finished run.
fn run_table(results: &Results<'_>) -> TidyTable {
    let parameters = &results.plan.parameters;
    let own = || RUN_COLUMNS.iter().filter(|name| !parameters.contains(name)).copied();
    let row = |(_, Row(mut columns), run): (u64, Row, &RunResult)| {
        let record: Map<String, Value> = serde_json::from_str(&run.line).unwrap_or_default();
        let value = |name: &str| match name {
            "late" => json!(run.figures.late),
            "givens" => record.get("puzzle").cloned().unwrap_or_default(),
            _ => record.get(name).cloned().unwrap_or_default(),
        };
        columns.extend(own().map(|name| (name, value(name))));
        Row(columns)
    };
    TidyTable {
        names: cell_names(parameters).into_iter().chain(own()).collect(),
        rows: finished(results).map(row).collect(),
    }
}

/// A row for each generation in the series of a finished run; an exact method has none.
fn generation_table(results: &Results<'_>) -> TidyTable {
    let rows = |(seed, columns, run): (u64, Row, &RunResult)| -> Vec<Row> {
        let series = &run.figures.series;
        let fitness = series.best.iter().zip(&series.worst);
        let points = series.generation.iter().zip(fitness).zip(&series.restart);
        let row = |((generation, (best, worst)), restart)| {
            let own = [json!(seed), json!(generation), json!(best), json!(worst), json!(restart)];
            let mut row = columns.clone();
            row.0.extend(GENERATION_COLUMNS.into_iter().zip(own));
            row
        };
        points.map(row).collect()
    };
    let names = cell_names(&results.plan.parameters).into_iter().chain(GENERATION_COLUMNS);
    TidyTable { names: names.collect(), rows: finished(results).flat_map(rows).collect() }
}

/// The finished runs, each with its seed and the columns of its cell.
fn finished<'a>(results: &'a Results<'_>) -> impl Iterator<Item = (u64, Row, &'a RunResult)> + 'a {
    let plan = results.plan;
    (0..plan.runs()).filter_map(move |number| {
        let run = results.run(number)?;
        let (at, cell, seed) = plan.cell_of(number);
        Some((seed, cell_columns(at, cell, &plan.parameters), run))
    })
}

/// At most so many of the finished runs, in the order of the plan: the first seeds of every cell where there
/// are more.
fn run_views(results: &Results<'_>, most: usize) -> RunViews {
    let plan = results.plan;
    let mut chosen: Vec<usize> =
        (0..plan.runs()).filter(|number| results.run(*number).is_some()).collect();
    let of = chosen.len();
    chosen.sort_by_key(|number| (plan.run(*number).1, *number));
    chosen.truncate(most);
    chosen.sort_unstable();
    let view =
        |number: usize| run_view(plan.cell_of(number).1, &plan.parameters, results.run(number)?);
    let runs = chosen.into_iter().filter_map(view).collect();
    RunViews { runs, of, which: "the first seeds of each cell" }
}

/// A run; none if its record cannot be read, which this program wrote or checked.
fn run_view(cell: &Cell, parameters: &[&'static str], run: &RunResult) -> Option<RunView> {
    let board = |line: &str| BoardView::read(&cell.puzzle, line);
    let view = match parse_line(&run.line).ok()? {
        ExperimentRecord::Evolved(record) => {
            let view = RunView::of(&record.run, board(&record.run.board), record.series);
            let end = if run.figures.late { format!("{}, late", view.end) } else { view.end };
            RunView { end, ..view }
        }
        ExperimentRecord::Exact(run) => RunView {
            puzzle: run.name,
            shape: run.shape,
            method: run.method,
            seed: run.seed,
            solved: run.solved,
            end: run.stop_reason.to_string(),
            seconds: run.seconds,
            board: run.solution.as_deref().and_then(board),
            ..RunView::default()
        },
    };
    let block = (!cell.block.is_empty()).then(|| ("block", cell.block.clone()));
    Some(RunView { labels: block.into_iter().chain(cell.values(parameters)).collect(), ..view })
}

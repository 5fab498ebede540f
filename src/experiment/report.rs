//! The report of an experiment: a row for each cell, a record for each run, and the plan of both.
//!
//! Rows and the cells of the JSON have the same columns. `seconds`, `median_seconds`,
//! `children_per_second` and `threads` depend on the machine and on `--jobs`; all else depends on
//! the spec alone, unless a time limit ended a run.

use serde_json::{Value, json};

use super::{
    Cell, CellSummary, Comparisons, Results, cell_table, comparison, law_table, narrative,
    report_runs, tidy_tables,
};
use crate::ga::Config;
use crate::report::{
    Field, MOST_RUN_VIEWS, OnDemand, Report, Row, Table, TidyTable, version_fields,
};
use crate::statistics::CensoredQuantiles;

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
        let plan = self.results.plan();
        let parameters = &plan.parameters;
        Report {
            kind: "experiment",
            title: plan.name.clone(),
            question: OnDemand::new(|| narrative::question(plan)),
            answer: OnDemand::new(|| narrative::answer(plan, &self.summaries)),
            fields: OnDemand::new(|| self.fields()),
            list: "runs",
            records: OnDemand::new(|| {
                self.results.finished().map(|run| run.line.clone()).collect()
            }),
            rows: OnDemand::new(|| self.cells().into()),
            runs: OnDemand::new(|| TidyTable {
                names: tidy_tables::run_columns(parameters),
                rows: tidy_tables::runs(self.results),
            }),
            generations: OnDemand::new(|| TidyTable {
                names: tidy_tables::generation_columns(parameters),
                rows: tidy_tables::generations(self.results),
            }),
            comparisons: OnDemand::new(|| self.pairs()),
            tables: OnDemand::new(|| self.tables()),
            run_views: OnDemand::new(|| report_runs::runs(self.results, MOST_RUN_VIEWS)),
            plots: OnDemand::new(|| {
                super::plots(self.results)
                    .into_iter()
                    .chain(super::ranked(&self.comparisons))
                    .collect()
            }),
            ..Report::default()
        }
    }

    /// Tables for people: the cells, where the population varies its law, and what is compared.
    pub fn tables(&self) -> Vec<Table> {
        let cells = cell_table(self.results.plan(), &self.summaries);
        let compared = comparison::tables(self.results.view().compare, &self.comparisons);
        [cells].into_iter().chain(law_table(self.results)).chain(compared).collect()
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let plan = self.results.plan();
        let rankings = self
            .results
            .view()
            .compare
            .map(|aspect| comparison::rankings(aspect, &self.comparisons.rankings));
        let mut fields = version_fields("experiment");
        fields.extend([
            ("experiment", Field::of(&plan.name)),
            ("fingerprint", Field::of(&plan.fingerprint)),
            ("shard", Field::of(self.results.shard())),
        ]);
        fields.extend(super::plan::json::fields(plan));
        fields.extend([
            ("cells", Field::List(self.cells())),
            ("comparisons", Field::List(self.pairs().rows)),
            ("rankings", Field::List(rankings.unwrap_or_default())),
        ]);
        fields
    }

    fn cells(&self) -> Vec<Row> {
        let plan = self.results.plan();
        let cells = plan.cells.iter().zip(&self.summaries).enumerate();
        cells
            .map(|(number, (cell, summary))| columns(number, cell, summary, &plan.parameters))
            .collect()
    }

    /// The pairs that are compared.
    fn pairs(&self) -> TidyTable {
        let Some(aspect) = self.results.view().compare else { return TidyTable::default() };
        let plan = self.results.plan();
        let pairs = self.comparisons.pairs.iter();
        TidyTable {
            names: comparison::names(plan, aspect),
            rows: pairs.map(|pair| comparison::columns(plan, aspect, pair)).collect(),
        }
    }
}

/// The columns that tell a cell, counted from 0, from the others.
pub(super) fn of_cell(number: usize, cell: &Cell, parameters: &[&'static str]) -> Row {
    let mut columns = vec![
        ("cell", json!(number + 1)),
        ("block", json!(cell.block)),
        ("puzzle", json!(cell.puzzle.name)),
        ("method", json!(cell.method)),
    ];
    columns.extend(parameters.iter().map(|name| (*name, value_of(cell, name))));
    Row(columns)
}

fn columns(number: usize, cell: &Cell, summary: &CellSummary, parameters: &[&'static str]) -> Row {
    let Row(mut columns) = of_cell(number, cell, parameters);
    columns.extend([
        ("status", json!(summary.status)),
        ("remark", json!(summary.remark)),
        ("runs", json!(summary.runs)),
        ("planned", json!(summary.planned)),
        ("solved", json!(summary.solved)),
        ("success", rounded(summary.success.map(|success| success.share), 4)),
        ("success_low", rounded(summary.success.map(|success| success.low), 4)),
        ("success_high", rounded(summary.success.map(|success| success.high), 4)),
    ]);
    let CensoredQuantiles { best, lower_quartile, median, upper_quartile, worst, .. } =
        summary.generations;
    columns.extend([
        ("generations_best", rounded(best, 2)),
        ("generations_lower_quartile", rounded(lower_quartile, 2)),
        ("generations_median", rounded(median, 2)),
        ("generations_upper_quartile", rounded(upper_quartile, 2)),
        ("generations_worst", rounded(worst, 2)),
    ]);
    let CensoredQuantiles { best, lower_quartile, median, upper_quartile, worst, .. } =
        summary.work;
    columns.extend([
        ("work_best", rounded(best, 2)),
        ("work_lower_quartile", rounded(lower_quartile, 2)),
        ("work_median", rounded(median, 2)),
        ("work_upper_quartile", rounded(upper_quartile, 2)),
        ("work_worst", rounded(worst, 2)),
        ("work_total", json!(summary.total_work)),
        ("expected_work", rounded(summary.expected_work.mean, 1)),
        ("expected_work_low", rounded(summary.expected_work.low, 1)),
        ("expected_work_high", rounded(summary.expected_work.high, 1)),
        ("unsolved_fitness", rounded(summary.unsolved_fitness, 3)),
        ("seconds", rounded(Some(summary.seconds), 6)),
        ("median_seconds", rounded(summary.median_seconds, 6)),
        ("children_per_second", rounded(summary.children_per_second, 0)),
    ]);
    Row(columns)
}

/// A parameter as number or name.
pub(super) fn value_of(cell: &Cell, name: &str) -> Value {
    match (cell.value(name), serde_json::to_value(&cell.config)) {
        (Some(_), Ok(config)) => config_value(&config, name),
        _ => Value::Null,
    }
}

fn config_value(config: &Value, name: &str) -> Value {
    debug_assert!(Config::parameter(name).is_ok());
    config.get(name).cloned().unwrap_or(Value::Null)
}

pub(super) fn rounded(figure: Option<f64>, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    figure.map_or(Value::Null, |figure| json!((figure * scale).round() / scale))
}

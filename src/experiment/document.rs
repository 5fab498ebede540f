//! Results as a document: a row for each cell, a record for each run, and the plan of both.
//!
//! Rows and the cells of the JSON have the same columns. `seconds`, `median_seconds`,
//! `children_per_second` and `threads` depend on the machine and on `--jobs`; all else depends on
//! the spec alone, unless a time limit ended a run.

use serde_json::{Value, json};

use super::{
    Cell, CellSummary, Censored, Comparisons, Results, cell_table, comparison, law_table,
    narrative, planned, report_runs, tidy_tables,
};
use crate::ga::Config;
use crate::report::{Columns, Document, Fact, LongTable, ShownRuns, Table, origin};

/// Results with the summary of each cell, to be exported.
#[derive(Clone, Debug)]
pub struct Report<'r, 'p> {
    results: &'r Results<'p>,
    summaries: Vec<CellSummary>,
    comparisons: Comparisons,
}

impl<'r, 'p> Report<'r, 'p> {
    /// Of what is finished now.
    pub fn of(results: &'r mut Results<'p>) -> Self {
        let summaries = results.summaries();
        let comparisons = Comparisons::of(results);
        Self { results, summaries, comparisons }
    }

    fn cells(&self) -> impl Iterator<Item = Columns> {
        let plan = self.results.plan();
        let cells = plan.cells.iter().zip(&self.summaries).enumerate();
        cells.map(|(number, (cell, summary))| columns(number, cell, summary, &plan.parameters))
    }

    fn pairs(&self) -> Vec<Columns> {
        let Some(aspect) = self.results.view().compare else { return Vec::new() };
        let pairs = self.comparisons.pairs.iter();
        pairs.map(|pair| comparison::columns(self.results.plan(), aspect, pair)).collect()
    }

    fn rankings(&self) -> Vec<Columns> {
        let Some(aspect) = self.results.view().compare else { return Vec::new() };
        comparison::rankings(aspect, &self.comparisons.rankings)
    }
}

impl Document for Report<'_, '_> {
    fn kind(&self) -> &'static str {
        "experiment"
    }

    fn title(&self) -> String {
        self.results.plan().name.clone()
    }

    fn question(&self) -> String {
        narrative::question(self.results.plan())
    }

    fn answer(&self) -> Vec<String> {
        narrative::answer(self.results.plan(), &self.summaries)
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let plan = self.results.plan();
        let mut facts = origin(self.kind()).to_vec();
        facts.extend([
            ("experiment", Fact::of(&plan.name)),
            ("fingerprint", Fact::of(&plan.fingerprint)),
            ("shard", Fact::of(self.results.shard())),
        ]);
        facts.extend(planned::facts(plan));
        facts.push(("cells", Fact::List(self.cells().collect())));
        facts.push(("comparisons", Fact::List(self.pairs())));
        facts.push(("rankings", Fact::List(self.rankings())));
        facts
    }

    fn list(&self) -> &'static str {
        "runs"
    }

    fn records(&self) -> Vec<String> {
        self.results.finished().map(|run| run.line.clone()).collect()
    }

    fn columns(&self) -> Vec<&'static str> {
        self.cells().next().map(|cell| cell.names()).unwrap_or_default()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        self.cells().map(|cell| cell.texts()).collect()
    }

    /// The cells, where the population varies its law, and what is compared.
    fn tables(&self) -> Vec<Table> {
        let cells = cell_table(self.results.plan(), &self.summaries);
        let compared = comparison::tables(self.results.view().compare, &self.comparisons);
        [cells].into_iter().chain(law_table(self.results)).chain(compared).collect()
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn run_table(&self) -> LongTable {
        let names = tidy_tables::run_columns(&self.results.plan().parameters);
        LongTable { names, rows: tidy_tables::runs(self.results) }
    }

    fn generation_table(&self) -> LongTable {
        let names = tidy_tables::generation_columns(&self.results.plan().parameters);
        LongTable { names, rows: tidy_tables::generations(self.results) }
    }

    fn comparison_table(&self) -> LongTable {
        let Some(aspect) = self.results.view().compare else { return LongTable::default() };
        LongTable { names: comparison::names(self.results.plan(), aspect), rows: self.pairs() }
    }

    fn shown_runs(&self, most: usize) -> ShownRuns {
        report_runs::runs(self.results, most)
    }

    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<crate::report::Plot> {
        super::plots(self.results).into_iter().chain(super::ranked(&self.comparisons)).collect()
    }
}

/// What tells a cell, counted from 0, from the others.
pub(super) fn of_cell(number: usize, cell: &Cell, parameters: &[&'static str]) -> Columns {
    let mut columns = vec![
        ("cell", json!(number + 1)),
        ("block", json!(cell.block)),
        ("puzzle", json!(cell.puzzle.name)),
        ("method", json!(cell.method)),
    ];
    columns.extend(parameters.iter().map(|name| (*name, value_of(cell, name))));
    Columns(columns)
}

fn columns(
    number: usize,
    cell: &Cell,
    summary: &CellSummary,
    parameters: &[&'static str],
) -> Columns {
    let Columns(mut columns) = of_cell(number, cell, parameters);
    let (success, low, high) = match summary.success {
        Some((success, low, high)) => (Some(success), Some(low), Some(high)),
        None => (None, None, None),
    };
    columns.extend([
        ("status", json!(summary.status)),
        ("remark", json!(summary.remark)),
        ("runs", json!(summary.runs)),
        ("planned", json!(summary.planned)),
        ("solved", json!(summary.solved)),
        ("success", rounded(success, 4)),
        ("success_low", rounded(low, 4)),
        ("success_high", rounded(high, 4)),
    ]);
    let Censored { best, lower_quartile, median, upper_quartile, worst, .. } = summary.generations;
    columns.extend([
        ("generations_best", rounded(best, 2)),
        ("generations_lower_quartile", rounded(lower_quartile, 2)),
        ("generations_median", rounded(median, 2)),
        ("generations_upper_quartile", rounded(upper_quartile, 2)),
        ("generations_worst", rounded(worst, 2)),
    ]);
    let Censored { best, lower_quartile, median, upper_quartile, worst, .. } = summary.work;
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
    Columns(columns)
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

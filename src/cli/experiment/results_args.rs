//! Flags that say how the results of an experiment are shown and exported, and the tables of results.

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::exports::ExperimentExportArgs;
use crate::cli::output::Logger;
use crate::cli::table::{paragraphs, report_table};
use crate::experiment::{
    CellFilter, ComparedFactor, Comparisons, ExperimentSummary, Plan, Results, ResultsView,
};
use crate::report::{ExportFormat, ExportSet, Table};

/// Flags that say how results are shown, and in which files they are written.
#[derive(Debug, Args)]
pub struct ResultsArgs {
    /// Compare cells that differ only in WHAT: method, block, or a parameter such as population
    ///
    /// `block` compares the blocks of a spec, which may differ in several ways. Prints statistical tests,
    /// effect sizes, ranks over puzzles, and the number of runs needed to detect each difference.
    #[arg(long, value_name = "WHAT")]
    compare: Option<ComparedFactor>,
    /// Use only cells with this value: puzzle=NAME, method=NAME, block=NAME or PARAMETER=VALUE
    ///
    /// The flag may be repeated. A cell is used if, for each name, it has one of the values given for that
    /// name. Tables, comparisons and plots use only these cells; exports contain all cells.
    #[arg(long, value_name = "NAME=VALUE")]
    pub only: Vec<CellFilter>,
    #[command(flatten)]
    exports: ExperimentExportArgs,
}

impl ResultsArgs {
    /// The view of the results.
    pub fn view(&self) -> ResultsView {
        ResultsView { only: self.only.clone(), compare: self.compare }
    }

    /// Checks that each cell filter selects at least one cell of a plan.
    ///
    /// # Errors
    /// On the first that selects none.
    pub fn check_only(&self, plan: &Plan) -> Result<()> {
        for one in &self.only {
            if !plan.cells.iter().any(|cell| one.is_value_of(cell)) {
                bail!("--only {one}: no cell of {} matches", plan.name);
            }
        }
        Ok(())
    }

    /// The files to export to.
    ///
    /// # Errors
    /// When a file cannot be written, a plot cannot show the plan, or there is nothing to compare.
    pub fn open(&self, plan: &Plan) -> Result<ExportSet> {
        let exports = self.exports.open()?;
        if exports.output(ExportFormat::Plot).is_some() {
            crate::experiment::check_plot(plan, &self.only)?;
        }
        match self.compare {
            Some(factor) => Comparisons::check(plan, factor)?,
            None if exports.output(ExportFormat::Comparisons).is_some() => {
                bail!("--export-comparisons needs --compare")
            }
            None => {}
        }
        Ok(exports)
    }
}

/// Columns that tables leave out where there is no room, the first of them first.
const SPARE: &[&str] = &[
    "boards/s",
    "s per run",
    "s per solution",
    "independent success (95 %)",
    "independent work (95 %)",
    "independent runs",
    "generations",
    "work",
    "conflicts left",
    "success (95 %)",
    "expected work (95 %)",
    "solved by each",
    "runs for A12",
    "p",
    "A12 interval",
];

/// A table of an experiment or a tuning, with its notes.
pub fn experiment_table(table: Table) -> String {
    report_table(table, &["block", "puzzle"], SPARE)
}

/// What was found, and all tables of an experiment. The first note of each explains it, for `--verbose`.
pub fn tables(results: &mut Results<'_>, notes: Logger) -> String {
    let summary = ExperimentSummary::of(results);
    let (found, mut tables) = summary.findings();
    if !notes.verbose {
        tables.iter_mut().for_each(|table| drop(table.notes.remove(0)));
        notes.say("-v explains the columns of the tables");
    }
    let texts = tables.into_iter().map(|table| experiment_table(table).trim_end().to_owned());
    format!("{}\n{}\n", paragraphs(&found), texts.collect::<Vec<_>>().join("\n\n"))
}

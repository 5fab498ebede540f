//! The summary of each cell: how often its method succeeds, and what a success costs; the table of all, and the
//! question and the answer of an experiment in sentences.
//!
//! ```text
//! How do boxes and memetic compare on 001-easy-03 and ai-escargot?
//! boxes solved 5 of 10 runs, memetic 10 of 10.
//! ```

use super::cell::differ;
use super::run_metrics::{RunMetrics, StopCause};
use super::{Cell, ExpectedWork, Method, Plan, Results, RunCost, Skip};
use crate::report::{Table, dash};
use crate::statistics::{CensoredQuantiles, ShareInterval, wilson};
use crate::util::distinct;
use crate::util::named_enum::named;
use crate::util::quantity::{count, counted};

/// Things that are named one by one; of more of them the number is given.
const NAMED: usize = 3;

named! {
    /// The state of a cell.
    pub enum Status {
        /// All its runs are finished.
        Done = "done",
        /// Some runs are missing.
        Unfinished = "unfinished",
        /// Presolve left nothing to evolve, which is no success of evolution.
        Presolved = "presolved",
        /// Its puzzle has no solution.
        Contradictory = "contradictory",
        /// The program was built without its method.
        NotBuilt = "not built",
        /// Its bound on work does not pay the `least_generations` of the spec.
        Blank = "blank",
        /// Its method does not fit its puzzle or parameters.
        Unfit = "unfit",
    }
}

/// A cell's runs, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSummary {
    /// Its state.
    pub status: Status,
    /// A remark: why the puzzle is contradictory, how many solutions it has.
    pub remark: String,
    /// Runs finished.
    pub runs: usize,
    /// Runs in the plan.
    pub planned: usize,
    /// Runs in which evolution found a solution with at most 1.1 times `max_work`.
    pub solved: usize,
    /// Runs that found one with more work.
    pub late: usize,
    /// Share of the runs that are solved, and its 95 % Wilson interval.
    pub success: Option<ShareInterval>,
    /// Generations to a solution.
    pub generations: CensoredQuantiles,
    /// Evaluations plus moves to a solution.
    pub work: CensoredQuantiles,
    /// Work of all runs, or the most that there is a number for; an exact method counts none.
    pub total_work: Option<u64>,
    /// Work of all runs over successes.
    pub expected_work: ExpectedWork,
    /// Mean fitness of the best boards of runs without a solution.
    pub unsolved_fitness: Option<f64>,
    /// Wall time of all runs, in seconds.
    pub seconds: f64,
    /// Half the runs took no longer, in seconds.
    pub median_seconds: Option<f64>,
    /// Boards scored over wall time: the rate of one run, several of which may happen at a time.
    pub children_per_second: Option<f64>,
}

impl CellSummary {
    /// Of a cell and its finished runs.
    pub(super) fn of(cell: &Cell, runs: &[&RunMetrics]) -> Self {
        let (status, remark) = status(cell, runs);
        let evolved = matches!(status, Status::Done | Status::Unfinished);
        // An exact method neither breeds nor prices boards: it has none of these figures. One run that is the
        // same whenever it is made is no sample.
        let bred: &[&RunMetrics] = if let Method::Preset(_) = cell.method { runs } else { &[] };
        let (solved, unsolved): (Vec<&RunMetrics>, Vec<&RunMetrics>) =
            bred.iter().partition(|run| run.solved());
        let censored = |figure: fn(&RunMetrics) -> f64| {
            CensoredQuantiles::of(solved.iter().map(|run| figure(run)), unsolved.len())
        };
        let costs: Vec<RunCost> = bred.iter().map(|run| run.cost()).collect();
        let left = unsolved.iter().filter(|run| !run.late).map(|run| f64::from(run.fitness));
        let left = left.collect::<Vec<f64>>();
        let seconds = runs.iter().fold(0.0, |all, run| all + run.seconds);
        let evaluations: f64 = runs.iter().map(|run| run.evaluations as f64).sum();
        Self {
            status,
            remark,
            runs: runs.len(),
            planned: cell.seeds as usize,
            solved: runs.iter().filter(|run| run.solved()).count(),
            late: runs.iter().filter(|run| run.late).count(),
            success: wilson(solved.len(), bred.len()).filter(|_| evolved),
            generations: censored(|run| run.generations.into()),
            work: censored(|run| run.work as f64),
            total_work: matches!(cell.method, Method::Preset(_))
                .then(|| bred.iter().fold(0_u64, |all, run| all.saturating_add(run.work))),
            expected_work: ExpectedWork::of(&costs),
            unsolved_fitness: (evolved && !left.is_empty())
                .then(|| left.iter().sum::<f64>() / left.len() as f64),
            seconds,
            median_seconds: CensoredQuantiles::of(runs.iter().map(|run| run.seconds), 0).median,
            children_per_second: (evaluations > 0.0).then(|| evaluations / seconds.max(1e-9)),
        }
    }

    /// `17/20`, or why not; `17/20 (3 late)` where three more were solved with more work than `max_work`.
    fn solved_text(&self) -> String {
        match self.status {
            Status::Done | Status::Unfinished => {
                solved_text(self.solved, [self.runs, self.planned], self.late)
            }
            other => other.to_string(),
        }
    }
}

/// `17/20`, or `17/20 of 30 (3 late)`: solved runs of those that have ended, of those that are planned.
pub(super) fn solved_text(solved: usize, [runs, planned]: [usize; 2], late: usize) -> String {
    let of = if runs < planned { format!(" of {planned}") } else { String::new() };
    let late = if late > 0 { format!(" ({late} late)") } else { String::new() };
    format!("{solved}/{runs}{of}{late}")
}

fn status(cell: &Cell, runs: &[&RunMetrics]) -> (Status, String) {
    let presolved = |run: &&RunMetrics| run.end == StopCause::Presolved;
    let status = match &cell.skip {
        Some(Skip::Contradictory(what)) => return (Status::Contradictory, what.clone()),
        Some(Skip::Unfit(what)) => return (Status::Unfit, what.clone()),
        Some(Skip::NotBuilt) => Status::NotBuilt,
        Some(Skip::Blank) => Status::Blank,
        None if runs.iter().any(|run| run.end == StopCause::NoSolution) => {
            return (Status::Contradictory, format!("{} finds none", cell.method));
        }
        // Then the other runs end so, too.
        None if runs.iter().any(presolved) => Status::Presolved,
        None if runs.len() < cell.seeds as usize => Status::Unfinished,
        None => Status::Done,
    };
    (status, cell.remark.clone())
}

/// The table of all cells for people: one row a cell, and only the parameters that vary.
pub(super) fn cell_table(results: &Results<'_>, cells: &[(&Cell, &CellSummary)]) -> Table {
    let plan = results.plan;
    let blocks = differ(plan.cells.iter().map(|cell| &cell.block));
    let parameters = plan.varying();
    let unsolved = cells.iter().any(|(_, summary)| summary.unsolved_fitness.is_some());

    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.extend(["puzzle", "method"]);
    header.extend(&parameters);
    header.extend(["solved", "success (95 %)", "generations", "work", "expected work (95 %)"]);
    header.extend(unsolved.then_some("conflicts left"));
    header.extend(["s per run", "boards/s"]);

    let quartiles =
        |of: &CensoredQuantiles| spread([of.median, of.lower_quartile, of.upper_quartile]);
    let rows = cells.iter().map(|(cell, summary)| {
        let expected = &summary.expected_work;
        let mut row = if blocks { vec![cell.block.clone()] } else { Vec::new() };
        row.extend([cell.puzzle.name.clone(), cell.method.to_string()]);
        row.extend(parameters.iter().map(|name| cell.value(name).unwrap_or_default()));
        row.extend([
            summary.solved_text(),
            summary.success.map_or_else(dash, |success| success.to_string()),
            quartiles(&summary.generations),
            quartiles(&summary.work),
            spread([expected.mean, expected.low, expected.high]),
        ]);
        if unsolved {
            row.push(summary.unsolved_fitness.map_or_else(dash, |mean| format!("{mean:.1}")));
        }
        row.extend([
            summary.median_seconds.map_or_else(dash, three_digits),
            summary.children_per_second.map_or_else(dash, whole),
        ]);
        row
    });
    let notes = notes(cells, results.shard.is_some());
    Table { title: String::new(), header, rows: rows.collect(), notes }
}

/// A number to three digits: `0.000123`, `12.3`, `1235`.
pub(super) fn three_digits(number: f64) -> String {
    let exponent = number.max(1e-6).log10().floor();
    format!("{number:.*}", (2.0 - exponent).max(0.0) as usize)
}

fn notes(cells: &[(&Cell, &CellSummary)], is_shard: bool) -> Vec<String> {
    let text = "Success: share of runs solved, with its 95 % Wilson interval. Late: solved, but with more than 1.1 times \
        max_work. A late run does not count as solved. Generations and work (evaluations + moves) to a solution: \
        median (quartiles) of all runs. A dash means that the median or quartile falls on an unsolved or late run. \
        Expected work: work of all runs divided by the number of solved runs, including late runs. With five or \
        more runs, it has a 95 % bootstrap interval. Conflicts left: mean of unsolved runs. S per run: median \
        seconds per run. Boards/s: boards scored per second of all runs.";
    let mut notes = vec![text.to_owned()];
    let mut note = |status: Status, text: &str| {
        let count = cells.iter().filter(|(_, summary)| summary.status == status).count();
        if count > 0 {
            notes.push(format!("{}, {status}: {text}", counted(count as u64, "row")));
        }
    };
    let missing = match is_shard {
        true => {
            "some runs have not ended, or are in other shards: experiment merge combines shards."
        }
        false => "some runs have not ended. To execute them, use --export-json and --resume.",
    };
    note(Status::Unfinished, missing);
    note(Status::Presolved, "presolve alone solved the puzzle. This does not count as a success.");
    note(Status::NotBuilt, "this program was built without the method.");
    note(Status::Blank, "max_work is too small for least_generations.");
    for (cell, summary) in cells {
        let (puzzle, remark) = (&cell.puzzle.name, &summary.remark);
        let note = match summary.status {
            Status::Contradictory => format!("{puzzle} has no solution: {remark}."),
            Status::Unfit => format!("{puzzle} by {} was skipped: {remark}.", cell.method),
            _ if remark.is_empty() => continue,
            _ => format!("{puzzle}: {remark}."),
        };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// `12 (8 to 20)`: a figure and its interval, as far as they are known.
pub(super) fn spread(figures: [Option<f64>; 3]) -> String {
    let [middle, low, high] = figures.map(|figure| figure.map_or_else(dash, whole));
    match figures {
        [None, None, None] => dash(),
        [_, None, None] => middle,
        _ => format!("{middle} ({low} to {high})"),
    }
}

/// To the nearest whole number.
pub(super) fn whole(figure: f64) -> String {
    count(figure.round() as u64)
}

/// The question that a plan answers.
pub(super) fn question(plan: &Plan) -> String {
    let methods = distinct(plan.cells.iter().map(|cell| cell.method.to_string()));
    let puzzles = distinct(plan.cells.iter().map(|cell| cell.puzzle.name.clone()));
    let verb = match &methods[..] {
        [method] => format!("What does {method} achieve"),
        _ => format!("How do {} compare", list(&methods, "methods")),
    };
    let varied: Vec<String> = plan.varying().into_iter().map(str::to_owned).collect();
    let parameters = || format!(", over {}", list(&varied, "parameters"));
    let over = (!varied.is_empty()).then(parameters).unwrap_or_default();
    format!("{verb} on {}{over}?", list(&puzzles, "puzzles"))
}

/// The answer: what each method solved, and how many runs are missing.
pub(super) fn answer(cells: &[(&Cell, &CellSummary)]) -> Vec<String> {
    let methods = distinct(cells.iter().map(|(cell, _)| cell.method.to_string()));
    let sentence = |(at, method): (usize, &String)| {
        let own = cells.iter().filter(|(cell, _)| cell.method.name() == method).map(|(_, of)| of);
        let (presolved, evolved): (Vec<&CellSummary>, Vec<&CellSummary>) =
            own.partition(|of| of.status == Status::Presolved);
        let runs = |of: &[&CellSummary]| of.iter().map(|of| of.runs as u64).sum::<u64>();
        let solved = count(evolved.iter().map(|of| of.solved as u64).sum());
        let mut text = match at {
            0 => format!("{method} solved {solved} of {}", counted(runs(&evolved), "run")),
            _ => format!("{method} {solved} of {}", count(runs(&evolved))),
        };
        if !presolved.is_empty() {
            text += &format!(" (presolve alone solved {} more)", count(runs(&presolved)));
        }
        let late = evolved.iter().map(|of| of.late as u64).sum();
        if late > 0 {
            text += &format!(" ({} more late)", count(late));
        }
        text
    };
    let sentences: Vec<String> = methods.iter().enumerate().map(sentence).collect();
    let mut answer = Vec::new();
    if !sentences.is_empty() {
        answer.push(format!("{}.", sentences.join(", ")));
    }
    let [done, all] = [|of: &CellSummary| of.runs, |of: &CellSummary| of.planned]
        .map(|figure| cells.iter().map(|(_, summary)| figure(summary) as u64).sum::<u64>());
    if done < all {
        answer.push(format!("{} of {} runs are finished.", count(done), count(all)));
    }
    answer
}

/// `a, b and c`, or `12 puzzles`.
fn list(names: &[String], noun: &str) -> String {
    match names {
        [] => format!("no {noun}"),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        _ => format!("{} {noun}", names.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Results, Spec};
    use super::*;

    fn plan(spec: &str) -> Plan {
        Plan::new(&Spec::from_toml(spec, "spec.toml".as_ref()).unwrap()).unwrap()
    }

    #[test]
    fn the_question_names_what_is_compared() {
        let one = plan("puzzles = ['003-4x4']\nmethods = ['boxes']");
        assert_eq!(question(&one), "What does boxes achieve on 003-4x4?");
        let many = plan(
            "puzzles = ['003-4x4', '003-6x6']
             methods = ['boxes', 'memetic']
             seeds = 5
             [parameters]
             population = [20, 200, 300, 400]
             max_generations = [5, 6]",
        );
        assert_eq!(
            question(&many),
            "How do boxes and memetic compare on 003-4x4 and 003-6x6, over population and \
             max_generations?"
        );
        let summaries = Results::new(&many).summaries();
        let answer = answer(&many.cells.iter().zip(&summaries).collect::<Vec<_>>());
        assert_eq!(answer[0], "boxes solved 0 of 0 runs, memetic 0 of 0.");
        assert_eq!(answer[1], "0 of 160 runs are finished.");
    }
}

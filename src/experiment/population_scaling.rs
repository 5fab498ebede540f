//! The law of population size: what a population is worth against as many small ones, at equal
//! work.
//!
//! Cells that differ in nothing but population, length of local search and puzzle form a *series*.
//! Each point of a series is set against **independent runs**: k
//! runs of population N/k, each with a k-th of the work W. Their success is read off the runs
//! of population N/k that were made with all of W: if a share p of them had a solution when they
//! had spent W/k, then k of them have one with probability 1 - (1 - p)^k, and a solution costs the
//! work of all, each cut at W/k, over the successes. Both are taken puzzle by puzzle, and the mean
//! over the puzzles of the block is shown.
//!
//! For example W = 1,000,000 and population 1,000. Of ten runs of population 100 three had a
//! solution within 100,000 units: ten such runs find one with probability 1 - 0.7^10 = 97 %. If
//! seven in ten runs of population 1,000 do, then size has been of no use.
//!
//! Only cells with a bound on work are compared.

use super::cell::{LENGTHS, differ};
use super::run_metrics::{RunMetrics, StopCause};
use super::{Cell, ExpectedWork, Method, Results, RunCost, Skip};
use crate::report::{Table, dash};
use crate::statistics::{ShareInterval, wilson};
use crate::util::quantity::{count, counted};

/// Points that differ in nothing but population and length of local search.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingSeries {
    /// The block of its cells.
    pub block: String,
    /// The bound on work.
    pub work: u64,
    /// The parameters that its cells share and other series do not, and their values.
    pub common: Vec<(&'static str, String)>,
    /// Its points, in the order of the plan.
    pub points: Vec<ScalingPoint>,
}

/// All series in which the population varies; there is none in most experiments.
pub fn law(results: &Results<'_>) -> Vec<ScalingSeries> {
    let plan = results.plan();
    let parameters: Vec<&'static str> = plan
        .parameters
        .iter()
        .copied()
        .filter(|name| *name != "population" && !LENGTHS.contains(name))
        .filter(|name| differ(plan.cells.iter().filter_map(|cell| cell.value(name))))
        .collect();
    // The key, and the cells of each.
    let mut series: Vec<(ScalingSeries, Vec<usize>)> = Vec::new();
    for (number, cell) in plan.cells.iter().enumerate() {
        if cell.config.max_work == 0 || !matches!(cell.method, Method::Preset(_)) {
            continue;
        }
        let mut common: Vec<(&'static str, String)> =
            parameters.iter().filter_map(|name| Some((*name, cell.value(name)?))).collect();
        if differ(plan.cells.iter().map(|cell| cell.method)) {
            common.insert(0, ("method", cell.method.to_string()));
        }
        let (block, work) = (cell.block.clone(), cell.config.max_work);
        let key = ScalingSeries { block, work, common, points: Vec::new() };
        match series.iter_mut().find(|(known, _)| *known == key) {
            Some((_, cells)) => cells.push(number),
            None => series.push((key, vec![number])),
        }
    }
    series
        .into_iter()
        .map(|(key, cells)| ScalingSeries { points: points(results, &cells), ..key })
        .filter(|series| differ(series.points.iter().map(|point| point.population)))
        .collect()
}

/// The table of all series, with a conclusion below it.
pub fn law_table(results: &Results<'_>) -> Option<Table> {
    let series = law(results);
    let names: Vec<&'static str> = series.first()?.common.iter().map(|(name, _)| *name).collect();
    let blocks = differ(series.iter().map(|one| &one.block));
    let mut header = if blocks { vec!["block"] } else { Vec::new() };
    header.extend(&names);
    header.extend(["population", "length", "solved", "success (95 %)", "expected work (95 %)"]);
    header.extend(["s a solution", "independent runs", "their success", "their work (95 %)"]);
    let mut rows = Vec::new();
    for one in &series {
        for point in &one.points {
            let mut row = if blocks { vec![one.block.clone()] } else { Vec::new() };
            row.extend(one.common.iter().map(|(_, value)| value.clone()));
            row.extend([
                count(point.population.into()),
                point.length_text(),
                point.solved_text(),
                point.success.map_or_else(dash, |success| success.to_string()),
                work(&point.work),
                point.seconds.map_or_else(dash, |seconds| format!("{seconds:.3}")),
            ]);
            row.extend(match &point.independent {
                None => [dash(), dash(), dash()],
                Some(other) => [
                    format!("{} of {}", count(other.copies.into()), count(other.population.into())),
                    format!("{:.0} %", 100.0 * other.success),
                    work(&other.work),
                ],
            });
            rows.push(row);
        }
    }
    let mut notes = vec![
        "Population size at equal work. Expected work: that of all runs over solutions, its mean \
         over the puzzles of the block, with a bootstrap interval within puzzles; none where a \
         puzzle is never solved. S a solution: time likewise, with the threads each run had. \
         Independent runs: k of a k-th of the population, with a k-th of the work each, as the \
         runs of that population predict them, for the k that solves most. A blank does not pay \
         the generations asked for. The least of many figures is in part the luckiest: the \
         intervals do not know of that."
            .to_owned(),
    ];
    notes.extend(verdicts(&series));
    let title = "Population size at equal work".to_owned();
    Some(Table { title, header, rows, notes })
}

/// `12,000 (9,000-20,000)`.
fn work(work: &ExpectedWork) -> String {
    let show = |figure: Option<f64>| figure.map_or_else(dash, |f| count(f.round() as u64));
    match work.mean {
        None => dash(),
        mean => format!("{} ({} to {})", show(mean), show(work.low), show(work.high)),
    }
}

/// One population and one length of local search.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingPoint {
    /// Individuals.
    pub population: u32,
    /// How long a child is improved: the parameter and its value; nothing where a method takes its own of each
    /// puzzle.
    pub length: Option<(&'static str, String)>,
    /// Whether its work does not pay the `least_generations` of the spec.
    pub blank: bool,
    /// Runs finished, of evolution.
    pub runs: usize,
    /// Runs in the plan.
    pub planned: usize,
    /// Runs with a solution.
    pub solved: usize,
    /// Runs without one that ended before their work was spent, by their generations or their time.
    pub short: usize,
    /// Share of the runs with one, and its 95 % Wilson interval.
    pub success: Option<ShareInterval>,
    /// Work of all runs over solutions, its mean over the puzzles.
    pub work: ExpectedWork,
    /// Time of all runs over solutions, likewise, in seconds.
    pub seconds: Option<f64>,
    /// The best that smaller populations, running for themselves, would do with the same work.
    pub independent: Option<IndependentRuns>,
}

/// Runs of a smaller population that share the work.
#[derive(Clone, Debug, PartialEq)]
pub struct IndependentRuns {
    /// How many.
    pub copies: u32,
    /// The population of each.
    pub population: u32,
    /// Probability that one of them finds a solution: 1 - (1 - p)^k, its mean over the puzzles.
    pub success: f64,
    /// Work of all, each cut at its share, over solutions, likewise.
    pub work: ExpectedWork,
}

impl ScalingPoint {
    /// `tries 60`; a dash where nothing is improved, or for as long as the method says.
    pub fn length_text(&self) -> String {
        self.length.as_ref().map_or_else(dash, |(name, value)| {
            let value = value.parse().map_or_else(|_| value.clone(), count);
            format!("{} {value}", name.replace('_', " "))
        })
    }

    /// `7/10`, `7/10 of 30`, or `blank`.
    fn solved_text(&self) -> String {
        match self {
            Self { blank: true, .. } => "blank".to_owned(),
            Self { runs, planned, solved, .. } if runs < planned => {
                format!("{solved}/{runs} of {planned}")
            }
            Self { runs, solved, .. } => format!("{solved}/{runs}"),
        }
    }
}

/// A point's cells, one for each puzzle, and their runs.
struct PointCells<'a> {
    first: &'a Cell,
    length: Option<(&'static str, String)>,
    runs: Vec<Vec<&'a RunMetrics>>,
    /// Whether a puzzle has no finished run yet, which the runs of others do not replace.
    lacking: bool,
    planned: usize,
}

impl PointCells<'_> {
    /// The costs of the runs of each puzzle, each stopped after this much work; nothing as long as a
    /// puzzle has none.
    fn spent(&self, most: u64) -> Vec<Vec<RunCost>> {
        if self.lacking {
            return Vec::new();
        }
        let ran = self.runs.iter().filter(|runs| !runs.is_empty());
        ran.map(|runs| runs.iter().map(|run| cut(run, most)).collect()).collect()
    }
}

/// The points that these cells make.
pub(super) fn points(results: &Results<'_>, cells: &[usize]) -> Vec<ScalingPoint> {
    let plan = results.plan();
    let mut all: Vec<PointCells<'_>> = Vec::new();
    for number in cells {
        let cell = &plan.cells[*number];
        // A run that presolve alone finishes has no work.
        let mut runs: Vec<&RunMetrics> = results.of_cell(*number).collect();
        let lacking = runs.is_empty() && cell.seeds > 0;
        runs.retain(|run| run.work > 0);
        let (population, length) = (cell.config.population, cell.length());
        // A length that the method chooses by itself is the same point, whatever it is.
        let named = length.as_ref().is_some_and(|(name, _)| plan.parameters.contains(name));
        let like = |known: &PointCells<'_>| {
            known.first.config.population == population && (!named || known.length == length)
        };
        let at = all.iter().position(like).unwrap_or_else(|| {
            let (runs, lacking, planned) = (Vec::new(), false, 0);
            all.push(PointCells { first: cell, length: length.clone(), runs, lacking, planned });
            all.len() - 1
        });
        let known = &mut all[at];
        if known.length != length {
            known.length = None;
        }
        known.lacking |= lacking;
        known.planned += cell.seeds as usize;
        known.runs.push(runs);
    }
    all.iter().map(|cells| point(cells, &all)).collect()
}

fn point(cells: &PointCells<'_>, all: &[PointCells<'_>]) -> ScalingPoint {
    let runs: Vec<&RunMetrics> = cells.runs.iter().flatten().copied().collect();
    let solved = runs.iter().filter(|run| run.solved()).count();
    let early = |run: &&&RunMetrics| matches!(run.end, StopCause::Generations | StopCause::Time);
    let short = runs.iter().filter(early).count();
    let puzzles = cells.spent(u64::MAX);
    let seconds = cells.runs.iter().filter(|runs| !runs.is_empty()).map(|runs| {
        let solved = runs.iter().filter(|run| run.solved()).count() as f64;
        runs.iter().map(|run| run.seconds).sum::<f64>() / solved
    });
    let seconds = seconds.sum::<f64>() / puzzles.len() as f64;
    ScalingPoint {
        population: cells.first.config.population,
        length: cells.length.clone(),
        blank: cells.first.skip == Some(Skip::Blank),
        runs: runs.len(),
        planned: cells.planned,
        solved,
        short,
        success: wilson(solved, runs.len()),
        work: ExpectedWork::over(&puzzles),
        seconds: seconds.is_finite().then_some(seconds),
        independent: all
            .iter()
            .filter(|smaller| cells.first.skip.is_none() && smaller.length == cells.length)
            .filter_map(|smaller| independent(cells, smaller))
            .max_by(|a, b| a.success.total_cmp(&b.success).then(b.copies.cmp(&a.copies))),
    }
}

/// The success and cost of runs of a smaller population in place of one of a larger.
fn independent(larger: &PointCells<'_>, smaller: &PointCells<'_>) -> Option<IndependentRuns> {
    let (size, population) = (larger.first.config.population, smaller.first.config.population);
    let copies = size / population;
    // Work that nothing bounds has no share.
    let bounded = larger.first.config.max_work > 0;
    if copies < 2 || !size.is_multiple_of(population) || !bounded {
        return None;
    }
    let most = larger.first.config.max_work / u64::from(copies);
    let puzzles = smaller.spent(most);
    let success = puzzles.iter().map(|spent| {
        let share = spent.iter().filter(|run| run.solved).count() as f64 / spent.len() as f64;
        1.0 - (1.0 - share).powf(copies.into())
    });
    (!puzzles.is_empty()).then(|| IndependentRuns {
        copies,
        population,
        success: success.sum::<f64>() / puzzles.len() as f64,
        work: ExpectedWork::over(&puzzles),
    })
}

/// The cost of a run that is stopped after this much work.
fn cut(run: &RunMetrics, most: u64) -> RunCost {
    RunCost { work: run.work.min(most), solved: run.solved() && run.work <= most }
}

/// A sentence or two for each block and bound on work.
fn verdicts(series: &[ScalingSeries]) -> Vec<String> {
    let mut keys: Vec<(&str, u64)> = Vec::new();
    for one in series {
        if !keys.contains(&(&one.block, one.work)) {
            keys.push((&one.block, one.work));
        }
    }
    let verdict = |(block, bound): (&str, u64)| {
        let all: Vec<(&ScalingSeries, &ScalingPoint)> = series
            .iter()
            .filter(|one| one.block == block && one.work == bound)
            .flat_map(|one| one.points.iter().map(move |point| (one, point)))
            .collect();
        let name = if block.is_empty() { "All puzzles" } else { block };
        let sum =
            |of: fn(&ScalingPoint) -> usize| all.iter().map(|(_, point)| of(point)).sum::<usize>();
        let (short, runs) = (sum(|point| point.short), sum(|point| point.runs));
        let least = match short {
            0 => String::new(),
            _ => format!(
                ", though not at equal work, since {} of {} ended before without a solution, by their \
                 generations or their time (max_generations, time_limit)",
                count(short as u64),
                counted(runs as u64, "run")
            ),
        };
        format!("{name}, {} units of work a run{least}: {}", count(bound), of(&all))
    };
    keys.into_iter().map(verdict).collect()
}

fn of(all: &[(&ScalingSeries, &ScalingPoint)]) -> String {
    // A parameter that all series of the block share is not named.
    let varies = |name: &str| {
        differ(all.iter().map(|(one, _)| one.common.iter().find(|(known, _)| *known == name)))
    };
    let named = |series: &ScalingSeries, point: &ScalingPoint| named(series, point, &varies);
    let cost = |point: &ScalingPoint| point.work.mean.unwrap_or(f64::INFINITY);
    let best = all.iter().min_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
    let Some((one, point)) = best.filter(|best| best.1.work.mean.is_some()) else {
        return "nothing solves every puzzle, so that no costs are compared.".to_owned();
    };
    let mut text =
        format!("a solution costs least, {}, with {}", work(&point.work), named(one, point));
    let single = all.iter().filter(|(_, point)| point.population == 1);
    if let (Some(single), true) =
        (single.min_by(|a, b| cost(a.1).total_cmp(&cost(b.1))), point.population > 1)
    {
        text += &match single.1.work.mean {
            None => "; one individual alone does not solve every puzzle".to_owned(),
            Some(_) => format!(
                "; one individual alone costs {} with {}, which is {}",
                work(&single.1.work),
                named(single.0, single.1),
                against(&single.1.work, &point.work)
            ),
        };
    }
    let others = all.iter().filter_map(|(one, point)| {
        let independent = point.independent.as_ref()?;
        Some((independent.work.mean?, one, point, independent))
    });
    if let Some((_, one, larger, other)) = others.min_by(|a, b| a.0.total_cmp(&b.0)) {
        text += &format!(
            "; independent runs cost least, {}, as {} of population {} in place of one with {}, which is {}",
            work(&other.work),
            count(other.copies.into()),
            count(other.population.into()),
            named(one, larger),
            against(&other.work, &point.work)
        );
    }
    let time = |point: &ScalingPoint| point.seconds.unwrap_or(f64::INFINITY);
    if let Some((one, fastest)) = all.iter().min_by(|a, b| time(a.1).total_cmp(&time(b.1))) {
        text += &format!("; least time, {:.3} s, with {}", time(fastest), named(one, fastest));
    }
    text + "."
}

/// Whether one cost is above another, as far as their intervals show.
fn against(other: &ExpectedWork, best: &ExpectedWork) -> &'static str {
    match (other.low, best.low, best.high) {
        (Some(low), _, Some(high)) if low > high => "more",
        (Some(_), Some(low), _) if other.high.is_some_and(|high| high < low) => "less",
        _ => "not told apart by these runs",
    }
}

fn named(series: &ScalingSeries, point: &ScalingPoint, varies: &dyn Fn(&str) -> bool) -> String {
    let mut parts = vec![format!("population {}", count(point.population.into()))];
    if point.length.is_some() {
        parts.push(point.length_text());
    }
    let common = series.common.iter().filter(|(name, _)| varies(name));
    parts.extend(common.map(|(name, value)| format!("{} {value}", name.replace('_', " "))));
    parts.join(", ")
}

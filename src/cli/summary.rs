//! The text of `solve` about runs: boards and statistics on stdout, and a summary on stderr.

use std::collections::HashSet;

use clap::ValueEnum;

use crate::board::{Geometry, SearchSpace};
use crate::format::{Alphabet, grid_in, line_in, marked, shape_comment};
use crate::ga::islands::sizes;
use crate::ga::{Config, Outcome, Run, RunSettings, StopReason};
use crate::generate::min_clues;
use crate::report::Uniqueness;
use crate::run::BackendInfo;
use crate::statistics::{FEWEST, Quantiles, wilson};
use crate::util::FEW_GENERATIONS;
use crate::util::quantity::{count, counted, short, time};

/// The layout of a printed board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
pub enum Layout {
    /// Rows, with the boxes framed
    Grid,
    /// All cells on one line
    Line,
}

/// The form of printed boards: their layout, and the alphabet of their puzzle.
#[derive(Clone, Debug)]
pub struct BoardText {
    pub layout: Layout,
    pub alphabet: Option<Alphabet>,
}

/// The result on stdout: the board of a run, or the best board of several runs and their statistics. Lines
/// that are no solution are comments, which readers of puzzles skip.
pub fn of_result(geometry: Geometry, outcomes: &[Outcome], text: &BoardText, runs: u32) -> String {
    let best = outcomes.iter().min_by_key(|outcome| outcome.fitness);
    let mut text = best.map(|best| of_board(geometry, best, text)).unwrap_or_default();
    if runs > 1 {
        text += &of_runs(outcomes, runs);
    }
    text
}

fn of_board(geometry: Geometry, outcome: &Outcome, text: &BoardText) -> String {
    let (board, alphabet) = (&outcome.board, text.alphabet.as_ref());
    let shown = match text.layout {
        Layout::Line => {
            let comment = shape_comment(geometry).map(|comment| format!("  {comment}"));
            line_in(geometry, board, alphabet) + &comment.unwrap_or_default() + "\n"
        }
        Layout::Grid if outcome.solved() => grid_in(geometry, board, alphabet),
        Layout::Grid => marked(geometry, board, alphabet),
    };
    if outcome.solved() {
        return shown;
    }
    // A program that reads boards reads only solutions.
    let rows: String = shown.lines().map(|row| format!("# {row}\n")).collect();
    format!("# not solved: {} left\n{rows}", counted(outcome.fitness.into(), "conflict"))
}

/// Statistics of the runs that ended. A run that was cut off says nothing about what it would have found.
fn of_runs(outcomes: &[Outcome], asked: u32) -> String {
    use StopReason::{Interrupted, Lost, Observer};
    let cut_off = |run: &&Outcome| matches!(run.stop_reason, Interrupted | Observer | Lost);
    let ended: Vec<&Outcome> = outcomes.iter().filter(|run| !cut_off(run)).collect();
    let missing = u64::from(asked).saturating_sub(ended.len() as u64);
    let unfinished = || format!(", and {} of {asked} did not finish", counted(missing, "run"));
    let missing = (missing > 0).then(unfinished).unwrap_or_default();
    if ended.is_empty() {
        return format!("# none of {asked} runs finished\n");
    }
    let solved: Vec<&Outcome> = ended.iter().copied().filter(|run| run.solved()).collect();
    let presolved = ended.iter().all(|outcome| outcome.stop_reason == StopReason::Presolved);
    let share = wilson(solved.len(), ended.len()).map(|share| [share.share, share.low, share.high]);
    let [share, low, high] = share.unwrap_or_default().map(|share| 100.0 * share);
    let bounds = || format!(", 95 % interval {low:.0} to {high:.0} %");
    let interval = (ended.len() >= FEWEST && !presolved).then(bounds).unwrap_or_default();
    let alone = if presolved { ", by presolve alone" } else { "" };
    let runs = counted(ended.len() as u64, "run");
    let solutions = solved.len();
    let mut text =
        format!("# solved {solutions} of {runs} ({share:.0} %{interval}){alone}{missing}\n");
    if presolved {
        return text;
    }
    let different: HashSet<&[u8]> = solved.iter().map(|run| run.board.as_slice()).collect();
    if different.len() > 1 {
        text += &format!("# {} different solutions\n", different.len());
    }
    let of = |figure: fn(&Outcome) -> f64| Quantiles::of(solved.iter().map(|run| figure(run)));
    let only = if solutions < ended.len() { ", solved runs only" } else { "" };
    let unsolved = ended.iter().filter(|run| !run.solved()).map(|run| run.fitness.into());
    let lines = [
        of(|run| run.generations.into())
            .map(|it| format!("# generations to solution{only}: {it}\n")),
        of(|run| run.work() as f64).map(|it| format!("# work to solution{only}: {it}\n")),
        of(|run| run.elapsed.as_secs_f64()).map(|it| {
            // Enough for three digits of a short median.
            let digits = (2.0 - it.median.log10()).ceil().clamp(3.0, 9.0) as usize;
            format!("# seconds to solution{only}: {it:.digits$}\n")
        }),
        Quantiles::of(unsolved).map(|it| format!("# conflicts left in unsolved runs: {it}\n")),
    ];
    text + &lines.into_iter().flatten().collect::<String>()
}

/// The parameters that were derived from the puzzle, if there are any and there is something to search.
pub fn of_choices(settings: &RunSettings, config: &Config, space: &SearchSpace) -> Option<String> {
    let derived = settings.derived(config, space);
    if derived.is_empty() || space.free.is_empty() {
        return None;
    }
    let chosen: Vec<String> = derived
        .iter()
        .map(|parameter| format!("{} {}", parameter.name, (parameter.get)(config)))
        .collect();
    Some(format!(
        "{} derived {} (from {} with {})",
        config.preset,
        chosen.join(", "),
        counted(space.free.len() as u64, "free cell"),
        counted(space.candidate_count(), "candidate"),
    ))
}

/// The islands of a population that is split, by `--set islands` or because of its size.
pub fn of_islands(config: &Config, space: &SearchSpace) -> Option<String> {
    let sizes = sizes(space.geometry(), config).ok().filter(|sizes| sizes.len() > 1)?;
    let (islands, size) = (count(sizes.len() as u64), count(sizes[0].into()));
    let asked = if config.islands == 0 { " (at most 64 MiB of boards each)" } else { "" };
    let migration = match config.migration_interval {
        0 => "without migration".to_owned(),
        1 => "with migration every generation".to_owned(),
        every => format!("with migration every {every} generations"),
    };
    Some(format!("{islands} islands of up to {size} individuals{asked}, {migration}"))
}

/// The summary of one of several runs, in a line.
pub fn of_run_among_others(
    run: &Run<'_>,
    outcome: &Outcome,
    uniqueness: Option<Uniqueness>,
) -> String {
    let (puzzle, seed) = (&run.space.puzzle, run.seed);
    format!(
        "{}, seed {seed}: {}{}",
        puzzle.name,
        of_end(run, outcome, uniqueness),
        of_costs(outcome, "; ")
    )
}

/// The summary of a run.
pub fn of_run(
    run: &Run<'_>,
    backend: &BackendInfo,
    outcome: &Outcome,
    uniqueness: Option<Uniqueness>,
) -> String {
    let (name, end) = (&run.space.puzzle.name, of_end(run, outcome, uniqueness));
    let text = format!("{name}: {end}{}", of_costs(outcome, "\n  "));
    if outcome.stop_reason == StopReason::Presolved {
        return text;
    }
    let config = run.config;
    let rate = |done: u64| short(done as f64 / outcome.elapsed.as_secs_f64().max(1e-9));
    // If each board is the result of many moves, boards a second say little about the speed.
    let moves = match outcome.moves {
        0 => String::new(),
        moves => format!(", {} moves/s", rate(moves)),
    };
    let failed = if outcome.fault.is_some() { ", which failed" } else { "" };
    format!(
        "{text}\n  {} boards/s{moves} on {}{failed}\n  {}, population {}, presolve {} ({} of {} blanks left), seed {}",
        rate(outcome.evaluations),
        of_backend(backend),
        config.preset,
        count(config.population.into()),
        config.presolve,
        run.space.free.len(),
        run.space.geometry().cells() - run.space.puzzle.given_count(),
        run.seed,
    )
}

/// `9 generations, 1 restart, work 3,200 (264 evaluations + 2,936 moves), 12.3 ms` after a separator; nothing
/// where presolve solved the puzzle.
fn of_costs(outcome: &Outcome, separator: &str) -> String {
    if outcome.stop_reason == StopReason::Presolved {
        return String::new();
    }
    let restarts = match outcome.restarts {
        0 => String::new(),
        restarts => format!(", {}", counted(restarts.into(), "restart")),
    };
    format!(
        "{separator}{}{restarts}, work {} ({} + {}), {}",
        counted(outcome.generations.into(), "generation"),
        count(outcome.work()),
        counted(outcome.evaluations, "evaluation"),
        counted(outcome.moves, "move"),
        time(outcome.elapsed.as_secs_f64()),
    )
}

/// How a run ended.
fn of_end(run: &Run<'_>, outcome: &Outcome, uniqueness: Option<Uniqueness>) -> String {
    let (puzzle, left) = (&run.space.puzzle, counted(outcome.fitness.into(), "conflict"));
    let stopped = |bound: &str| format!("not solved: stopped at {bound} with {left} left");
    let bred = counted(outcome.generations.into(), "generation");
    // A fixed number of children costs the same in a population of any size.
    let lower = if run.config.offspring == 0 { ", or lower the population" } else { "" };
    let few = match outcome.generations {
        0..FEW_GENERATIONS if run.config.population > 1 => {
            format!("; the limit allowed only {bred}: raise the limit{lower}")
        }
        _ => String::new(),
    };
    match outcome.stop_reason {
        StopReason::Presolved => match puzzle.given_count() == run.space.geometry().cells() {
            true => "solved: the puzzle has no blanks".to_owned(),
            false => format!(
                "solved by presolve alone (level {}); use --presolve none to evolve it",
                run.config.presolve
            ),
        },
        StopReason::Solved => {
            // So few givens leave several solutions.
            let few = puzzle.given_count() < min_clues(puzzle.geometry);
            let told = match uniqueness {
                Some(Uniqueness::Unique) | None if !few => "",
                Some(Uniqueness::Undecided) if !few => "; the puzzle may have several solutions",
                _ => "; the puzzle has several solutions",
            };
            format!("solved and checked{told}")
        }
        StopReason::Observer => format!("ended early with {left} left"),
        StopReason::Interrupted => format!("interrupted with {left} left"),
        StopReason::Time => stopped("time_limit") + &few,
        StopReason::Work => stopped("max_work") + &few,
        StopReason::Generations => stopped("max_generations"),
        StopReason::Lost => {
            let fault = outcome.fault.as_ref().map_or(String::new(), |fault| format!(": {fault}"));
            format!(
                "the device failed with {left} left{fault}\n  repeat the run with --on cpu --seed {}",
                run.seed
            )
        }
    }
}

/// Where runs happen: `the CPU, 2 threads`, or `gpu on NVIDIA H200, 2 threads`.
pub fn of_backend(backend: &BackendInfo) -> String {
    let threads = counted(backend.threads as u64, "thread");
    match &backend.adapter {
        Some(adapter) => format!("{} on {adapter}, {threads}", backend.backend),
        None => format!("the CPU, {threads}"),
    }
}

//! What `solve` says at the end, and what it prints.

use std::collections::HashSet;

use clap::ValueEnum;
use indicatif::HumanCount;

use crate::board::{Geometry, Puzzle, SearchSpace};
use crate::format::{Alphabet, grid_in, line_in, marked};
use crate::ga::islands::sizes;
use crate::ga::{Config, Outcome, Preset, Run, RunSettings, StopReason};
use crate::generate::min_clues;
use crate::run::BackendInfo;
use crate::statistics::Quantiles;
use crate::util::quantity::counted;

/// Individuals for each child of a generation from which on it is worth a remark.
const FEW: u32 = 256;

/// How boards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
pub enum Layout {
    /// Rows, with the boxes framed
    Grid,
    /// All cells on one line
    Line,
}

/// How boards are printed: in which rows, and in which characters where puzzles have their own.
#[derive(Clone, Debug)]
pub struct BoardText {
    pub layout: Layout,
    pub alphabet: Option<Alphabet>,
}

/// The result on stdout: a run's board, or of several runs the best board and their spread. What
/// is not a solution stands in comments, which readers of puzzles skip.
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
        Layout::Line => line_in(geometry, board, alphabet) + "\n",
        Layout::Grid if outcome.solved() => grid_in(geometry, board, alphabet),
        Layout::Grid => marked(geometry, board, alphabet),
    };
    if outcome.solved() {
        return shown;
    }
    // Whatever reads boards takes solutions alone.
    let rows: String = shown.lines().map(|row| format!("# {row}\n")).collect();
    format!("# not solved: the best board has fitness {}\n{rows}", outcome.fitness)
}

/// Success, median and spread of those of several runs that ended; what was cut off says nothing of
/// what it would have found.
fn of_runs(outcomes: &[Outcome], asked: u32) -> String {
    use StopReason::{Interrupted, Lost, Observer};
    let cut_off = |run: &&Outcome| matches!(run.stop_reason, Interrupted | Observer | Lost);
    let ended: Vec<&Outcome> = outcomes.iter().filter(|run| !cut_off(run)).collect();
    let missing = u64::from(asked).saturating_sub(ended.len() as u64);
    let missing = match missing {
        0 => String::new(),
        missing => format!(", and {} of {asked} did not end", counted(missing, "run")),
    };
    if ended.is_empty() {
        return format!("# no run ended of {asked}\n");
    }
    let solved: Vec<&Outcome> = ended.iter().copied().filter(|run| run.solved()).collect();
    let share = 100.0 * solved.len() as f64 / ended.len() as f64;
    let presolved = ended.iter().all(|outcome| outcome.stop_reason == StopReason::Presolved);
    let alone = if presolved { ", by presolve alone" } else { "" };
    let runs = counted(ended.len() as u64, "run");
    let mut text = format!("# solved {} of {runs} ({share:.0} %){alone}{missing}\n", solved.len());
    if presolved {
        return text;
    }
    let of =
        |figure: fn(&Outcome) -> f64| Quantiles::of(solved.iter().map(|outcome| figure(outcome)));
    let different: HashSet<&[u8]> = solved.iter().map(|run| run.board.as_slice()).collect();
    if different.len() > 1 {
        text += &format!("# {} different solutions\n", different.len());
    }
    if let (Some(generations), Some(work), Some(seconds)) = (
        of(|outcome| outcome.generations.into()),
        of(|outcome| outcome.work() as f64),
        of(|outcome| outcome.elapsed.as_secs_f64()),
    ) {
        text += &format!("# generations to solution: {generations}\n");
        text += &format!("# work to solution: {work}\n");
        text += &format!("# seconds to solution: {seconds:.3}\n");
    }
    if solved.len() < ended.len() {
        let unsolved = ended.iter().filter(|outcome| !outcome.solved());
        if let Some(fitness) = Quantiles::of(unsolved.map(|outcome| outcome.fitness.into())) {
            text += &format!("# best fitness where not solved: {fitness}\n");
        }
    }
    text
}

/// What was derived from the puzzle, if anything was and there is anything to search.
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
        "{} chose {} (from {} with {})",
        config.preset,
        chosen.join(", "),
        counted(space.free.len() as u64, "free cell"),
        counted(space.candidate_count(), "candidate"),
    ))
}

/// That a population is split, because so many islands were asked for or because of its size.
pub fn of_islands(config: &Config, space: &SearchSpace) -> Option<String> {
    let sizes = sizes(space.geometry(), config).ok().filter(|sizes| sizes.len() > 1)?;
    let (islands, size) = (HumanCount(sizes.len() as u64), HumanCount(sizes[0].into()));
    let asked =
        if config.islands == 0 { ", so that the boards of each take at most 64 MiB" } else { "" };
    let migration = match config.migration_interval {
        0 => "without migration".to_owned(),
        1 => "with migration every generation".to_owned(),
        every => format!("with migration every {every} generations"),
    };
    Some(format!("{islands} islands of up to {size} individuals, {migration}{asked}"))
}

/// That a large population breeds next to nobody, unless so many children were asked for.
pub fn of_few_children(settings: &RunSettings, config: &Config) -> Option<String> {
    let children = config.replacement.offspring(config);
    let asked = settings.overrides.offspring.is_some_and(|asked| asked > 0);
    if asked || config.population / children < FEW {
        return None;
    }
    let children = match children {
        1 => "1 child".to_owned(),
        more => format!("{more} children"),
    };
    let population = HumanCount(config.population.into());
    Some(format!(
        "a generation of {} breeds {children} from a population of {population}: the preset {} breeds as many as it has individuals",
        config.preset,
        Preset::Cellular
    ))
}

/// The remark on stderr at the end of one of several runs: a line.
pub fn of_run_among_others(run: &Run<'_>, outcome: &Outcome) -> String {
    let (name, ended) = (&run.space.puzzle.name, of_end(run, outcome));
    if outcome.stop_reason == StopReason::Presolved {
        return format!("{name}: {ended}");
    }
    format!("{name}, seed {}: {ended}; {}", run.seed, of_costs(outcome))
}

/// The remark on stderr at the end of a run.
pub fn of_run(run: &Run<'_>, backend: &BackendInfo, outcome: &Outcome) -> String {
    let (name, ended) = (&run.space.puzzle.name, of_end(run, outcome));
    if outcome.stop_reason == StopReason::Presolved {
        return format!("{name}: {ended}");
    }
    let config = run.config;
    let rate = |count: u64| {
        HumanCount((count as f64 / outcome.elapsed.as_secs_f64().max(1e-9)) as u64).to_string()
    };
    // Few boards of many moves each say little of the speed.
    let moves = match outcome.moves {
        0 => String::new(),
        moves => format!(", {} moves/s", rate(moves)),
    };
    format!(
        "{name}: {ended}\n  {}\n  {} boards/s{moves} on {}\n  {}, population {}, presolve {} ({} of {} blanks left), seed {}",
        of_costs(outcome),
        rate(outcome.evaluations),
        of_backend(backend, outcome),
        config.preset,
        HumanCount(config.population.into()),
        config.presolve,
        run.space.free.len(),
        run.space.geometry().cells() - run.space.puzzle.given_count(),
        run.seed,
    )
}

/// `9 generations, 1 restart, work 3,200 (264 evaluations + 2,936 moves), 0.01 s`.
fn of_costs(outcome: &Outcome) -> String {
    let restarts = match outcome.restarts {
        0 => String::new(),
        restarts => format!(", {}", counted(restarts.into(), "restart")),
    };
    format!(
        "{}{restarts}, work {} ({} + {}), {:.2} s",
        counted(outcome.generations.into(), "generation"),
        HumanCount(outcome.work()),
        counted(outcome.evaluations, "evaluation"),
        counted(outcome.moves, "move"),
        outcome.elapsed.as_secs_f64(),
    )
}

/// How a run ended.
fn of_end(run: &Run<'_>, outcome: &Outcome) -> String {
    match outcome.stop_reason {
        StopReason::Presolved => {
            let presolve = run.config.presolve;
            format!("solved by presolve {presolve} alone; nothing was left to evolve")
        }
        StopReason::Solved if has_several(&run.space.puzzle) => {
            "solved and checked, with one of several solutions".to_owned()
        }
        StopReason::Solved => "solved and checked".to_owned(),
        StopReason::Observer => format!("ended early at fitness {}", reached(outcome)),
        StopReason::Interrupted => format!("interrupted at fitness {}", reached(outcome)),
        StopReason::Time => unproved("time is up", outcome),
        StopReason::Work => unproved("the budget of work is spent", outcome),
        StopReason::Generations if outcome.generations == u32::MAX => {
            unproved("there are no more numbers for generations", outcome)
        }
        StopReason::Generations => unproved("the budget of generations is spent", outcome),
        StopReason::Lost => of_loss(run, outcome),
    }
}

/// How a run ended that leaves open whether there is a solution.
fn unproved(ended: &str, outcome: &Outcome) -> String {
    format!("{ended} at fitness {}, which proves nothing", reached(outcome))
}

/// The best fitness, and what has it where nothing was scored yet.
fn reached(outcome: &Outcome) -> String {
    match outcome.evaluations {
        0 => format!("{}, the puzzle's own, before any individual was scored", outcome.fitness),
        _ => outcome.fitness.to_string(),
    }
}

/// Whether a puzzle is known to have several solutions without a search for them.
fn has_several(puzzle: &Puzzle) -> bool {
    puzzle.given_count() < min_clues(puzzle.geometry)
}

/// Why a run ended with its device, and how to do it again without.
fn of_loss(run: &Run<'_>, outcome: &Outcome) -> String {
    let fault = outcome.fault.as_ref().map(|fault| format!(": {fault}")).unwrap_or_default();
    format!(
        "the device failed at fitness {}{fault}\n  to replay it: {}",
        outcome.fitness,
        replay(std::env::args_os().map(|word| word.to_string_lossy().into_owned()), run.seed)
    )
}

/// The command that does a run again on the host: the one that was given, with that engine and the
/// run's seed.
fn replay(given: impl Iterator<Item = String>, seed: u64) -> String {
    let mut words = Vec::new();
    let mut skip = false;
    for word in given {
        let named = ["--on", "--seed", "--runs", "--replay"];
        let flag = word.split_once('=').map_or(word.as_str(), |(flag, _)| flag);
        if named.contains(&flag) {
            skip = !word.contains('=');
        } else if !std::mem::take(&mut skip) {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:".contains(c);
            words.push(match word.chars().all(plain) && !word.is_empty() {
                true => word,
                false => format!("'{}'", word.replace('\'', r"'\''")),
            });
        }
    }
    format!("{} --on cpu --seed {seed}", words.join(" "))
}

fn of_backend(backend: &BackendInfo, outcome: &Outcome) -> String {
    let threads = counted(backend.threads as u64, "thread");
    match (&backend.adapter, &outcome.fault) {
        (Some(adapter), _) if outcome.stop_reason == StopReason::Lost => adapter.clone(),
        (Some(adapter), None) if backend.backend == "gpu" => format!("{adapter}, bred there"),
        (Some(adapter), None) if backend.backend == "auto" => {
            format!("the CPU, {threads}, or {adapter}, whichever was faster")
        }
        (Some(adapter), None) => format!("{adapter}, bred by {threads}"),
        (Some(adapter), Some(_)) => format!("the CPU, {threads}, after {adapter} failed"),
        (None, _) => format!("the CPU, {threads}"),
    }
}

#[cfg(test)]
mod tests {
    use super::replay;

    #[test]
    fn a_replay_is_the_same_command_on_the_host() {
        let given = "evodoku solve a.txt --on gpu:1 --set tries=5 --seed 3 --runs 2";
        let words = given.split(' ').map(str::to_owned);
        assert_eq!(
            replay(words.chain(["it's.txt".to_owned()]), 4),
            r"evodoku solve a.txt --set tries=5 'it'\''s.txt' --on cpu --seed 4"
        );
    }
}

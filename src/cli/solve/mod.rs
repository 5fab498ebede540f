//! `evodoku solve`: evolve a solution of each puzzle.
//!
//! One puzzle has all threads. Of several, each thread solves one at a time, and results are
//! written as they come (`ledger.rs`) and printed in the order of the input (`results.rs`), as soon
//! as those before them are there. A run is a function of its puzzle and seed, so that nothing but
//! the time depends on the threads. A GPU has many of them at once (`together.rs`). Where a GPU scores, or
//! generations are watched, slowed down or written (`face.rs`, `logs.rs`), there is one puzzle at a time.

mod away;
mod bar;
mod face;
mod isles;
pub(super) mod keep;
mod ledger;
mod logs;
mod results;
mod resume;
mod tally;
mod together;
mod watchers;
mod worker;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use anyhow::{Result, bail};
use clap::Args;

use self::bar::{ListBar, count};
use self::face::Face;
use self::isles::Isles;
use self::keep::{KeepArgs, Keeper, Resumed};
use self::ledger::Ledger;
use self::results::Answers;
use self::worker::{Session, Voice};
use super::backend::BackendArgs;
use super::configure::{Configure, check_puzzles};
use super::exports::{ExportArgs, PlotArgs};
use super::input::InputArgs;
use super::output::Notes;
use super::screen::{Pace, Screen, is_fit};
use super::summary::Layout;
use super::{Exit, heed_interrupts, per_second, positive, whole};
use crate::board::SearchSpace;
use crate::checkpoint::KeptFile;
use crate::evolve::Config;
use crate::format::Reading;
use crate::interrupt::INTERRUPT;
use crate::memory;
use crate::ranks::{Crew, Ranks, Sharing};
use crate::report::{OutputFile, keep_apart};
use crate::solver::{Pool, Solver};
use crate::spread::Delivery;

/// Evolve a solution of each puzzle
///
/// The solution goes to stdout, all else to stderr. Exit code 0: solved and checked; 1: the budget
/// was spent without a solution; 2: bad input or a failure; 130: interrupted. Of several puzzles
/// the highest code counts.
#[derive(Debug, Args)]
pub struct Solve {
    /// Files, - for stdin, names of shipped puzzles, or grids; each may hold several puzzles
    #[arg(required_unless_present = "resume", value_name = "PUZZLE")]
    puzzles: Vec<OsString>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    configure: Configure,
    #[command(flatten)]
    backend: BackendArgs,
    /// The seed of the first run (default: a random one, which is printed)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Run each puzzle with this many seeds (default: 1)
    #[arg(long, value_name = "K", value_parser = positive::<NonZeroU32>)]
    runs: Option<NonZeroU32>,
    /// How boards are written (default: grid)
    #[arg(long, value_enum)]
    format: Option<Layout>,
    /// Watch each run on a screen of its own: boards, curve, figures (? tells the keys); lines where
    /// there is no terminal
    #[arg(long)]
    watch: bool,
    /// Let at most N generations follow each other in a second; the run's time goes on meanwhile
    #[arg(long, value_name = "N", value_parser = per_second)]
    slow: Option<f64>,
    /// Record the best board of each generation, for evodoku play
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write one row a generation
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    plot: PlotArgs,
    #[command(flatten)]
    exports: ExportArgs,
}

/// Puzzles that are looked at beforehand where runs are carried out together.
const AHEAD: usize = 1024;
/// The same where that depends on how many there are.
const AHEAD_OF_AUTO: usize = 256;

impl Solve {
    pub fn run(self, notes: Notes, ranks: Option<&Ranks>) -> Result<Exit> {
        check_puzzles(&self.puzzles)?;
        let (this, resumed) = self.resumed()?;
        this.go(notes, ranks, resumed)
    }

    fn go(self, notes: Notes, ranks: Option<&Ranks>, resumed: Option<Resumed>) -> Result<Exit> {
        let settings = self.settings(resumed.as_ref())?;
        let runs = self.runs(resumed.as_ref());
        let trace = self.trace.as_deref().map(OutputFile::new).transpose()?;
        let record = self.record.as_deref().map(OutputFile::new).transpose()?;
        let exports = self.exports.open()?;
        let kept = self.kept_file(notes)?;
        let puzzles = self.puzzles.iter().filter_map(|argument| input_path(argument));
        let inputs = puzzles.chain(self.configure.file());
        let outputs = || exports.outputs().chain(&trace).chain(&record);
        keep_apart(outputs().chain(kept.as_ref().map(KeptFile::output)), inputs)?;
        let silent = outputs().any(OutputFile::is_stdout);
        heed_interrupts()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;

        // As many are looked at as could be under way; more than two may be long in coming.
        let piped = self.puzzles.iter().any(|argument| is_piped(argument));
        let mut readings = self.input.readings(&self.puzzles);
        let logged = trace.is_some() || record.is_some();
        let one_by_one = logged || self.watch || self.slow.is_some();
        let adapters = backend.parts().len();
        let shared = (backend.is_shared() || adapters > 1) && !one_by_one && kept.is_none();
        let ahead = match (piped, shared) {
            (true, _) => 2,
            (false, true) => AHEAD,
            (false, false) if backend.may_be_joint() => threads.max(AHEAD_OF_AUTO),
            (false, false) => threads.max(2),
        };
        let mut first: Vec<Result<Reading>> = readings.by_ref().take(ahead).collect();
        let list = first.len() > 1;
        if let Some(resumed) = &resumed {
            match resumed.puzzle()? {
                Some(puzzle) => first = vec![Ok(resume::reading(puzzle))],
                None => resumed.check_list(self.input.readings(&self.puzzles))?,
            }
        }
        if kept.is_some() && list && ranks.is_some() {
            bail!(
                "checkpoints are kept of a run that ranks share, not of a list over ranks: leave --checkpoint \
                 out, or take experiment, which keeps what is done"
            );
        }
        let bar = ListBar::new(&self.puzzles, &self.input, notes, list && !self.watch);

        let pace = (self.watch || self.slow.is_some()).then(|| Arc::new(Pace::new(self.slow)));
        let face = self.face(notes, list, pace.as_ref());

        let kept_seed = resumed.as_ref().map(|resumed| resumed.task.seed);
        let seed = self.seed.or(kept_seed).unwrap_or_else(rand::random);
        let only = first.first().and_then(|reading| reading.as_ref().ok()).filter(|_| !list);
        let only = only.map(|reading| &reading.puzzle);
        let task = match &kept {
            Some(_) => Some(self.task(&settings, seed, resumed.as_ref(), only)?),
            None => None,
        };
        let solver = Solver::with(settings).on(backend);
        let shares_runs = list && !one_by_one;
        if let (Some(ranks), false) = (ranks, list) {
            let found = prepared(&solver, &first);
            let check = |(space, config): &(_, _)| isles::check(ranks, space, config);
            found.iter().try_for_each(check)?;
        }
        // Several adapters divide runs among them; the islands of one they share as ranks do.
        let divided = shared && (list || runs > 1);
        let near = if adapters > 1 && !divided { Ranks::adapters(adapters) } else { Vec::new() };
        if let Some(ranks) = near.first() {
            let found = prepared(&solver, &first);
            let check = |(space, config): &(_, _)| isles::check(ranks, space, config);
            found.iter().try_for_each(check)?;
        }
        let several = list || runs > 1;
        let few = &first[..first.len().min(threads.max(2))];
        let looked_at = if several && !shared { prepared(&solver, few) } else { Vec::new() };
        let on_cpu = |(_, config): &(_, _)| solver.backend().is_on_cpu(config);
        let on_cpu = list && !shared && looked_at.iter().all(on_cpu);
        // Where so many came at once there are probably more.
        let waiting = (first.len() < ahead).then_some(first.len());
        let most = waiting.map_or(usize::MAX, |puzzles| puzzles.saturating_mul(runs as usize));
        let is_joint = |(_, config): &(_, _)| solver.backend().is_joint(config, most);
        let joint = several && !one_by_one && kept.is_none() && ranks.is_none();
        // What presolve solves alone, the cores solve sooner.
        let evolved = looked_at.iter().filter(|(space, _)| !space.free.is_empty()).count();
        let joint = joint && 2 * evolved > looked_at.len() && looked_at.iter().all(is_joint);
        let isles = ranks.filter(|_| !shares_runs).or(near.first()).map(Isles::new);
        let mut session = Session {
            solver,
            on_cpu,
            joint,
            seed,
            runs,
            ledger: Ledger::new(exports, list, kept.is_some(), self.plot.scaling()),
            logs: Mutex::new(resume::logs(trace, record, resumed.as_ref())?),
            keeper: None,
            voice: Voice {
                notes,
                bar: bar.clone(),
                face,
                pace,
                configure: self.configure,
                choices_said: AtomicBool::new(false),
                shapes_said: Mutex::default(),
            },
            isles,
            interrupted: INTERRUPT.flag(),
        };
        let alone = one_by_one || !(session.on_cpu || joint);
        let at_once = if joint { most } else { waiting.unwrap_or(threads) }.min(threads);
        let jobs = if alone { 1 } else { fitting(&session, &looked_at).min(at_once) };
        session.keeper = kept
            .zip(task)
            .map(|(file, task)| Keeper::new(file, task, resumed, list || runs > 1, jobs > 1));
        let sharing = if shares_runs { Sharing::Runs } else { Sharing::Islands };
        let crew = ranks.map(|ranks| crew(ranks, &session, threads, sharing)).transpose()?;
        let crew = crew.filter(|_| shares_runs);
        let share = threads.div_ceil(near.len().max(1));
        let written = session.ledger.is_wanted() || logged;
        let layout = if silent { None } else { Some(self.format.unwrap_or(Layout::Grid)) };
        let mut results = Answers::new(layout, runs, list, notes, bar, written);
        let mut printed = Ok(());
        let mut take = |answer| {
            let wanted = results.take(&session, answer).unwrap_or_else(|error| {
                printed = Err(error);
                ControlFlow::Break(())
            });
            if wanted.is_break() {
                // What goes on is of no use any more.
                INTERRUPT.ask();
            }
            wanted
        };
        let lead = || -> Result<usize> {
            Ok(if joint || (divided && ranks.is_none()) {
                let (all, cores) = (first.into_iter().chain(readings), joint.then_some(jobs));
                session.solve_together(all, most, cores, threads, take)?
            } else {
                let mut pool = Pool::new(session.solver.backend(), jobs, share)?;
                let items = (0..).zip(first.into_iter().chain(readings));
                let work = |worker: &mut _, item| session.solve(worker, item);
                let run = |elsewhere: Vec<_>| {
                    let jobs = jobs + elsewhere.len();
                    pool.run_beside(elsewhere, items, Delivery::InOrder, work, &mut take);
                    jobs
                };
                match crew {
                    Some(crew) => crew.lead(session.interrupted, |away| {
                        run(away.into_iter().map(|away| session.elsewhere(away)).collect())
                    }),
                    None => run(Vec::new()),
                }
            })
        };
        let jobs = isles::beside(&session.solver, &near, share, lead)?;
        session.voice.face.finish();
        let exit = results.finish(&session, jobs);
        printed?;
        Ok(exit)
    }
}

impl Solve {
    /// How runs are shown. Where puzzles are typed, keys are theirs.
    fn face(&self, notes: Notes, list: bool, pace: Option<&Arc<Pace>>) -> Face {
        let typed =
            self.puzzles.iter().any(|argument| argument == "-") && io::stdin().is_terminal();
        match pace {
            _ if notes.quiet => Face::Nothing,
            Some(pace) if self.watch && !typed && is_fit() => {
                match Screen::open(pace.clone(), list) {
                    Ok(screen) => {
                        let counted = screen.clone();
                        count(&self.puzzles, &self.input, move |total| counted.count(total));
                        Face::Screen(screen)
                    }
                    Err(_) => Face::Lines,
                }
            }
            Some(_) if self.watch => Face::Lines,
            _ if list => Face::Nothing,
            _ => Face::Bar,
        }
    }
}

/// The ranks that solve with this one, all of which are about to do the same.
///
/// # Errors
/// What keeps one of them from it, or what differs.
fn crew<'a>(
    ranks: &'a Ranks,
    session: &Session<'_>,
    jobs: usize,
    sharing: Sharing,
) -> Result<Crew<'a>> {
    let facts = away::facts(session.solver.settings(), session.runs);
    let (seats, _) = ranks.agree(facts, jobs, sharing)?;
    Ok(Crew::new(ranks, seats))
}

/// The file that an argument names, if there is one.
fn input_path(argument: &OsStr) -> Option<&Path> {
    let path = Path::new(if argument == "-" { OsStr::new("/dev/stdin") } else { argument });
    path.exists().then_some(path)
}

/// Puzzles that can be run, with what follows from them.
fn prepared(solver: &Solver, first: &[Result<Reading>]) -> Vec<(SearchSpace, Config)> {
    first.iter().flatten().filter_map(|reading| solver.prepare(&reading.puzzle).ok()).collect()
}

/// Whether what an argument stands for comes from elsewhere: it may be long in coming, and can be
/// read but once.
fn is_piped(argument: &OsStr) -> bool {
    argument == "-" || fs::metadata(argument).is_ok_and(|data| !data.is_file())
}

/// How many runs at a time memory holds, by the puzzles that were looked at.
fn fitting(session: &Session<'_>, looked_at: &[(SearchSpace, Config)]) -> usize {
    let needed = |(space, config): &(SearchSpace, Config)| {
        session.solver.run(space, config, 0, session.interrupted).memory_needed()
    };
    let most = looked_at.iter().map(needed).max().unwrap_or(1).max(1);
    usize::try_from(memory::available() / most).unwrap_or(usize::MAX).max(1)
}

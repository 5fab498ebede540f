//! `evodoku solve`: evolve a solution of each puzzle.
//!
//! One puzzle has all threads. Of several, each thread solves one at a time, and results are
//! written as they come (`ledger.rs`) and printed in the order of the input (`results.rs`), as soon
//! as those before them are there. A run is a function of its puzzle and seed, so that nothing but
//! the time depends on the threads. A GPU has many of them at once (`batch.rs`). Where a GPU scores, or
//! generations are watched, slowed down or written (`face.rs`, `logs.rs`), there is one puzzle at a time.

mod batch;
pub(super) mod checkpoint;
mod context;
mod display;
mod exporter;
mod generation_log;
mod list_summary;
mod mpi_islands;
mod mpi_list;
mod observers;
mod parallelism;
mod printer;
mod progress;
mod resume;

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

use self::checkpoint::{CheckpointArgs, CheckpointWriter, LoadedCheckpoint};
use self::context::{Messages, PuzzleOutcome, SolveContext};
use self::display::Display;
use self::exporter::RunExporter;
use self::mpi_islands::RootIslands;
use self::parallelism::{Parallelism, ParallelismInput, prepared};
use self::printer::AnswerPrinter;
use self::progress::{ListBar, count};
use super::Exit;
use super::backend::BackendArgs;
use super::config_args::{ConfigArgs, check_puzzles};
use super::exports::{ExportArgs, PlotArgs};
use super::input::InputArgs;
use super::output::Logger;
use super::summary::{BoardText, Layout};
use super::tui::{Screen, Throttle, is_fit};
use crate::cli::exit::install_interrupt_handler;
use crate::cli::value_parsers::{per_second, positive, whole};
use crate::format::ParsedPuzzle;
use crate::mpi::{Communicator, JobQueue, NodeKind, SharingMode};
use crate::report::{OutputFile, keep_apart};
use crate::run::{Pool, Solver};
use crate::store::RotatingFile;
use crate::util::interrupt::INTERRUPT;
use crate::util::ordered_parallel::ResultOrder;

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
    configure: ConfigArgs,
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
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    plot: PlotArgs,
    #[command(flatten)]
    exports: ExportArgs,
}

impl Solve {
    pub fn run(self, notes: Logger, ranks: Option<&Communicator>) -> Result<Exit> {
        check_puzzles(&self.puzzles)?;
        let (this, resumed) = self.resumed()?;
        this.go(notes, ranks, resumed)
    }

    fn go(
        self,
        notes: Logger,
        ranks: Option<&Communicator>,
        resumed: Option<LoadedCheckpoint>,
    ) -> Result<Exit> {
        let settings = self.settings(resumed.as_ref())?;
        let runs = self.runs(resumed.as_ref());
        let trace = self.trace.as_deref().map(OutputFile::new).transpose()?;
        let record = self.record.as_deref().map(OutputFile::new).transpose()?;
        let exports = self.exports.open()?;
        let kept = self.checkpoint_file(notes)?;
        let puzzles = self.puzzles.iter().filter_map(|argument| input_path(argument));
        let inputs = puzzles.chain(self.configure.file());
        let outputs = || exports.outputs().chain(&trace).chain(&record);
        keep_apart(outputs().chain(kept.iter().flat_map(RotatingFile::outputs)), inputs)?;
        let silent = outputs().any(OutputFile::is_stdout);
        install_interrupt_handler()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;

        let logged = trace.is_some() || record.is_some();
        let input = ParallelismInput {
            one_by_one: logged || self.watch || self.slow.is_some(),
            keeps: kept.is_some(),
            ranks: ranks.is_some(),
            piped: self.puzzles.iter().any(|argument| is_piped(argument)),
            runs,
            threads,
        };
        let mut readings = self.input.readings(&self.puzzles);
        let ahead = input.ahead(&backend);
        let mut first: Vec<Result<ParsedPuzzle>> = readings.by_ref().take(ahead).collect();
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

        let pace = (self.watch || self.slow.is_some()).then(|| Arc::new(Throttle::new(self.slow)));
        let face = self.face(notes, list, pace.as_ref());

        let kept_seed = resumed.as_ref().map(|resumed| resumed.task.seed);
        let seed = self.seed.or(kept_seed).unwrap_or_else(rand::random);
        let only = first.first().and_then(|reading| reading.as_ref().ok()).filter(|_| !list);
        let only = only.map(|reading| &reading.puzzle);
        let task = match &kept {
            Some(_) => Some(self.task(&settings, seed, resumed.as_ref(), only)?),
            None => None,
        };
        // All that was asked for can be done.
        if self.checkpoint.overwrite {
            kept.iter().for_each(RotatingFile::remove);
        }
        let solver = Solver::from_settings(settings).on(backend);
        let shares_runs = list && !input.one_by_one;
        let parallelism = input.choose(&solver, &first, list);
        let Parallelism { on_cpu, jobs, .. } = parallelism;
        // Several adapters divide runs among them; the islands of one they share as ranks do.
        let adapters = solver.backend().members().len();
        let near = if adapters > 1 && !parallelism.divided {
            Communicator::threads(adapters, NodeKind::Adapter)
        } else {
            Vec::new()
        };
        for ranks in ranks.filter(|_| !list).into_iter().chain(near.first()) {
            for (space, config) in prepared(&solver, &first) {
                mpi_islands::check(ranks, &space, &config)?;
            }
        }
        let islands = ranks.filter(|_| !shares_runs).or(near.first()).map(RootIslands::new);
        let mut session = SolveContext {
            solver,
            on_cpu,
            seed,
            runs,
            ledger: RunExporter::new(exports, list, kept.is_some(), self.plot.scaling()),
            logs: Mutex::new(resume::logs(trace, record, resumed.as_ref())?),
            keeper: None,
            messages: Messages {
                notes,
                bar: bar.clone(),
                face,
                pace,
                configure: self.configure,
                choices_said: AtomicBool::new(false),
                shapes_said: Mutex::default(),
            },
            islands,
            interrupted: INTERRUPT.flag(),
        };
        let earlier = resumed.as_ref().map(|resumed| resumed.completed.len());
        session.keeper = kept.zip(task).map(|(file, task)| {
            CheckpointWriter::new(file, task, resumed, list || runs > 1, jobs > 1)
        });
        let sharing = if shares_runs { SharingMode::Runs } else { SharingMode::Islands };
        let queue = ranks.map(|ranks| job_queue(ranks, &session, threads, sharing)).transpose()?;
        let queue = queue.filter(|_| shares_runs);
        let written = session.ledger.is_wanted() || logged;
        let layout = self.format.unwrap_or(Layout::Grid);
        let text = (!silent).then(|| BoardText { layout, alphabet: self.input.options().alphabet });
        let mut results = AnswerPrinter::new(text, runs, list, notes, bar, written, earlier);
        let mut printed = Ok(());
        let take = |answer| {
            let wanted = results.take(&session, answer).unwrap_or_else(|error| {
                printed = Err(error);
                ControlFlow::Break(())
            });
            if wanted.is_break() {
                // What goes on is of no use any more.
                INTERRUPT.request();
            }
            wanted
        };
        let readings = first.into_iter().chain(readings);
        let threads = threads.div_ceil(near.len().max(1));
        let jobs = mpi_islands::beside(&session.solver, &near, threads, || {
            solve_all(&session, readings, &parallelism, threads, queue, take)
        })?;
        session.messages.face.finish();
        let exit = results.finish(&session, jobs);
        printed?;
        Ok(exit)
    }
}

impl Solve {
    /// How runs are shown. Where puzzles are typed, keys are theirs.
    fn face(&self, notes: Logger, list: bool, pace: Option<&Arc<Throttle>>) -> Display {
        let typed =
            self.puzzles.iter().any(|argument| argument == "-") && io::stdin().is_terminal();
        match pace {
            _ if notes.quiet => Display::Nothing,
            Some(pace) if self.watch && !typed && is_fit() => {
                match Screen::open(pace.clone(), list) {
                    Ok(screen) => {
                        let counted = screen.clone();
                        count(&self.puzzles, &self.input, move |total| counted.count(total));
                        Display::Screen(screen)
                    }
                    Err(_) => Display::Lines,
                }
            }
            Some(_) if self.watch => Display::Lines,
            _ if list => Display::Nothing,
            _ => Display::Bar,
        }
    }
}

/// Solves all puzzles as they are divided, on so many threads, and hands the answers to `take` in order;
/// returns how many runs were under way at a time at most.
///
/// # Errors
/// When the system gives no threads, and what keeps another rank from it.
fn solve_all(
    session: &SolveContext<'_>,
    readings: impl Iterator<Item = Result<ParsedPuzzle>> + Send,
    parallelism: &Parallelism,
    threads: usize,
    queue: Option<JobQueue<'_>>,
    mut take: impl FnMut(PuzzleOutcome) -> ControlFlow<()>,
) -> Result<usize> {
    let Parallelism { batched, most, jobs, .. } = *parallelism;
    if batched {
        return session.solve_batched(readings, most, jobs, threads, take);
    }
    let mut pool = Pool::new(session.solver.backend(), jobs, threads)?;
    let items = (0..).zip(readings);
    let work = |worker: &mut _, item| session.solve(worker, item);
    let run = |remote: Vec<_>| {
        let jobs = jobs + remote.len();
        pool.run_with(remote, items, ResultOrder::InOrder, work, &mut take);
        jobs
    };
    Ok(match queue {
        Some(queue) => queue.run(session.interrupted, |workers| {
            run(workers.into_iter().map(|worker| session.remote(worker)).collect())
        }),
        None => run(Vec::new()),
    })
}

/// The workers of the ranks that solve with this one, all of which are about to do the same.
///
/// # Errors
/// What keeps one of them from it, or what differs.
fn job_queue<'a>(
    ranks: &'a Communicator,
    session: &SolveContext<'_>,
    jobs: usize,
    sharing: SharingMode,
) -> Result<JobQueue<'a>> {
    let settings = mpi_list::shared_settings(session.solver.settings(), session.runs);
    let (jobs, _) = ranks.handshake(settings, jobs, sharing)?;
    Ok(JobQueue::new(ranks, jobs))
}

/// The file that an argument names, if there is one.
fn input_path(argument: &OsStr) -> Option<&Path> {
    let path = Path::new(if argument == "-" { OsStr::new("/dev/stdin") } else { argument });
    path.exists().then_some(path)
}

/// Whether what an argument stands for comes from elsewhere: it may be long in coming, and can be
/// read but once.
fn is_piped(argument: &OsStr) -> bool {
    argument == "-" || fs::metadata(argument).is_ok_and(|data| !data.is_file())
}

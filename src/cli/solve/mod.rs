//! `evodoku solve`: evolve a solution of each puzzle.
//!
//! One puzzle has all threads. Of several, each thread solves one at a time. Results are exported as runs end
//! (`exporter.rs`), and printed in the order of the input (`printer.rs`), as soon as those before them are
//! there. A run is a function of its puzzle and seed, so that nothing but
//! the time depends on the threads. A GPU has many of them at once. Where a GPU scores, or generations are
//! watched, slowed down or written (`display.rs`, `observers.rs`), there is one puzzle at a time.

pub(super) mod checkpoint;
mod display;
mod exporter;
mod observers;
mod parallelism;
mod printer;
mod ranks;
mod resume;
mod runs;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use anyhow::{Result, bail};
use clap::Args;

use self::checkpoint::{CheckpointArgs, CheckpointWriter, CompletedRuns};
use self::display::{Display, Messages, count, list_bar};
use self::exporter::RunExporter;
use self::parallelism::{Parallelism, ParallelismInput, prepared};
use self::printer::ResultPrinter;
use self::ranks::{RootIslands, serve_islands, serve_runs, settings_of};
use self::runs::SolveRuns;
use super::Exit;
use super::backend::BackendArgs;
use super::config_args::ConfigArgs;
use super::exports::ExportArgs;
use super::input::{InputArgs, files, is_piped, or_stdin, read_each};
use super::output::Logger;
use super::summary::{BoardText, Layout};
use super::tui::{Screen, Throttle, is_fit};
use crate::board::{Geometry, SearchSpace};
use crate::cli::exit::install_interrupt_handler;
use crate::cli::value_parsers::{per_second, whole};
use crate::format::ParsedPuzzle;
use crate::mpi::{Communicator, JobQueue, Mailbox, NodeKind, SharingMode};
use crate::report::{OutputFile, keep_apart};
use crate::run::{Executor, Solver, random_seed};
use crate::store::RotatingFile;
use crate::util::interrupt::INTERRUPT;
use crate::util::threads::pool_of_at_most;

/// Evolve a solution to each puzzle
///
/// Solutions go to stdout, everything else to stderr. Exit codes: 0, solved and checked; 1, not solved within
/// the budget; 2, bad input or a failure; 130, interrupted. With several puzzles, the exit code is the
/// highest exit code of any puzzle.
#[derive(Debug, Args)]
pub struct Solve {
    /// Files of one or more puzzles, names of shipped puzzles, grids, or - for stdin (the default in a pipe)
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<OsString>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    configure: ConfigArgs,
    #[command(flatten)]
    backend: BackendArgs,
    /// Seed of the first run (default: a random one, which is printed)
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Number of runs of each puzzle; the seed increases by 1 from run to run (default: 1)
    #[arg(long, value_name = "K", value_parser = whole::<NonZeroU32>(1..=u32::MAX as u64))]
    runs: Option<NonZeroU32>,
    /// Check whether each solved puzzle of a list has other solutions; if only one puzzle is given, this is the
    /// default
    #[arg(long)]
    check_unique: bool,
    /// How to print boards: grid or line (default: grid)
    #[arg(long, value_enum)]
    format: Option<Layout>,
    /// Show each run on a full screen, with boards, curve and figures; press ? for the keys
    #[arg(long)]
    watch: bool,
    /// Show at most N generations per second; the time spent waiting counts towards the time of the run
    #[arg(long, value_name = "N", value_parser = per_second)]
    slow: Option<f64>,
    /// Record the best board of each generation, for `evodoku play`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write a row for each generation as CSV
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    checkpoint: CheckpointArgs,
    #[command(flatten)]
    exports: ExportArgs,
}

impl Solve {
    pub fn run(mut self, notes: Logger, ranks: Option<&Communicator>) -> Result<Exit> {
        let resumed = self.load_checkpoint()?;
        if resumed.is_none() {
            self.puzzles = or_stdin(self.puzzles, "puzzle")?;
        }
        let settings = self.settings(resumed.as_ref())?;
        let runs = self.runs(resumed.as_ref());
        let trace = self.trace.as_deref().map(OutputFile::new).transpose()?;
        let record = self.record.as_deref().map(OutputFile::new).transpose()?;
        let exports = self.exports.open()?;
        let kept = self.checkpoint_file(notes)?;
        let inputs: Vec<&Path> = files(&self.puzzles).chain(self.configure.file()).collect();
        let outputs = || exports.outputs().chain(&trace).chain(&record);
        let written = || outputs().chain(kept.iter().flat_map(RotatingFile::outputs));
        keep_apart(written(), inputs.iter().copied())?;
        let from = self.checkpoint.resume.iter();
        let beside: Vec<PathBuf> =
            from.clone().flat_map(|from| CompletedRuns::paths(from)).collect();
        keep_apart(outputs(), from.chain(&beside).map(PathBuf::as_path))?;
        kept.iter().try_for_each(resume::check_files)?;
        let silent = outputs().any(OutputFile::is_stdout);
        install_interrupt_handler()?;
        let threads = self.backend.work.threads();
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
        let read = |notes| read_each(self.input.options(), &self.puzzles, notes);
        let mut readings = read(notes);
        let ahead = input.ahead(&backend);
        let mut first: Vec<Result<ParsedPuzzle>> = readings.by_ref().take(ahead).collect();
        let list = first.len() > 1;
        if let Some(kept) = kept.as_ref().filter(|_| list || runs > 1) {
            let resumes = self.goes_on_from(kept).contains(&true);
            let beside = resume::runs_output(kept, resumes || self.checkpoint.overwrite)?;
            keep_apart(written().chain([&beside]), inputs)?;
        }
        if let Some(resumed) = &resumed {
            match resumed.puzzle() {
                Some(puzzle) => first = vec![Ok(resume::reading(puzzle.clone()))],
                None => resumed.check_list(read(Logger::NONE))?,
            }
        }
        if kept.is_some() && list && ranks.is_some() {
            bail!(
                "--checkpoint cannot save a list that runs on several ranks: leave the flag out, or use experiment, \
                 which saves finished runs"
            );
        }
        let bar = list_bar(&self.puzzles, &self.input, notes, list && !self.watch);
        let throttle = self.watch || self.slow.is_some();
        let throttle = throttle.then(|| Arc::new(Throttle::new(self.slow)));
        let display = self.display(notes, list, throttle.as_ref());

        let kept_seed = resumed.as_ref().map(|resumed| resumed.task.seed);
        let seed = self.seed.or(kept_seed).unwrap_or_else(random_seed);
        let only = first.first().and_then(|reading| reading.as_ref().ok()).filter(|_| !list);
        let only = only.map(|reading| &reading.puzzle);
        let task = || self.task(&settings, seed, resumed.as_ref(), only);
        let task = kept.is_some().then(task).transpose()?;
        // All flags are valid by now.
        if self.checkpoint.overwrite {
            let is_other = |kept: &&RotatingFile| self.goes_on_from(kept) == [false; 2];
            kept.iter().filter(is_other).for_each(checkpoint::remove);
        }
        let solver = Solver::from_settings(settings).on(backend);
        let shares_runs = list && !input.one_by_one;
        let parallelism = input.choose(&solver, &first, list);
        let Parallelism { jobs, batched, .. } = parallelism;
        // Several adapters divide runs among them; the islands of one they share as ranks do.
        let adapters = solver.backend.members().len();
        let adapters = if adapters > 1 && !parallelism.divided {
            Communicator::threads(adapters, NodeKind::Adapter)?
        } else {
            Vec::new()
        };
        for ranks in ranks.filter(|_| !list).into_iter().chain(adapters.first()) {
            for (space, config) in prepared(&solver, &first) {
                ranks::check(ranks, &space, &config)?;
            }
        }
        let sharing = ranks.filter(|_| !shares_runs).or(adapters.first());
        let queue = match ranks {
            None => None,
            Some(ranks) => {
                let settings = settings_of(&solver.settings, runs);
                let mode = if shares_runs { SharingMode::Runs } else { SharingMode::Islands };
                let (jobs, _) = ranks.handshake(settings, threads, mode)?;
                shares_runs.then(|| JobQueue::new(ranks, jobs))
            }
        };
        let exporter = RunExporter::new(exports, list, kept.is_some());
        let written = exporter.wanted || logged;
        let layout = self.format.unwrap_or(Layout::Grid);
        let text = (!silent).then(|| BoardText { layout, alphabet: self.input.options().alphabet });
        let earlier = resumed.as_ref().map(|resumed| resumed.completed.puzzles().len());
        let mut printer = ResultPrinter::new(text, list, written, earlier);
        let all = SolveRuns {
            batched: batched.then(|| solver.backend.info(threads)),
            solver,
            parallelism,
            seed,
            runs,
            searches_others: self.check_unique || !list,
            exporter,
            logs: Mutex::new(resume::logs(trace, record, resumed.as_ref())?),
            checkpoints: kept.zip(task).map(|(file, task)| {
                CheckpointWriter::new(file, task, resumed, list || runs > 1, jobs > 1)
            }),
            messages: Messages {
                notes,
                bar,
                display,
                throttle,
                alphabet: self.input.alphabet.clone(),
                configure: self.configure,
                choices_said: AtomicBool::new(false),
                shapes_said: Mutex::default(),
            },
            islands: sharing.map(|ranks| RootIslands {
                mailbox: Mailbox::new(ranks),
                last: Mutex::default(),
                notes,
            }),
            interrupted: INTERRUPT.flag(),
        };
        let mut printed = Ok(());
        let take = |output| {
            let wanted = printer.take(&all, output).unwrap_or_else(|error| {
                printed = Err(error);
                ControlFlow::Break(())
            });
            if wanted.is_break() {
                // The results of the runs under way are of no use any more.
                INTERRUPT.request();
            }
            wanted
        };
        let readings = first.into_iter().chain(readings);
        let jobs = all.execute(readings, threads, &adapters, queue, take)?;
        all.messages.display.finish();
        let exit = printer.finish(&all, jobs);
        printed?;
        Ok(exit)
    }

    /// Carries out on another rank than 0 the runs or islands that rank 0 sends, and says nothing.
    ///
    /// # Errors
    /// An error before the first run, which rank 0 reports.
    pub fn follow(mut self, ranks: &Communicator) -> Result<Exit> {
        let resumed = self.load_checkpoint()?;
        let settings = self.settings(resumed.as_ref())?;
        let threads = self.backend.work.threads();
        let pool = pool_of_at_most(threads)?;
        let backend = self.backend.choose(Logger::NONE)?;
        install_interrupt_handler()?;
        // Of a list each thread solves one puzzle at a time, and each GPU one after the other.
        let blank = SearchSpace::blank(Geometry::new(3, 3)?);
        let on_cpu = settings.config(&blank).is_ok_and(|config| backend.is_on_cpu(&config));
        let jobs = if on_cpu { threads } else { backend.members().len() };
        let shared = settings_of(&settings, self.runs(resumed.as_ref()));
        let solver = Solver::from_settings(settings).on(backend);
        let mut executor = Executor::new(&solver.backend, jobs, threads)?;
        match ranks.handshake(shared, jobs, SharingMode::Runs)?.1 {
            SharingMode::Runs => serve_runs(&solver, ranks, &mut executor)?,
            SharingMode::Islands => pool.install(|| serve_islands(&solver, ranks)),
        }
        Ok(Exit::Done)
    }

    /// How runs are shown. Where puzzles are typed, keys are theirs.
    fn display(&self, notes: Logger, list: bool, throttle: Option<&Arc<Throttle>>) -> Display {
        let typed =
            self.puzzles.iter().any(|argument| argument == "-") && io::stdin().is_terminal();
        match throttle {
            _ if notes.quiet => Display::Nothing,
            Some(throttle) if self.watch && !typed && is_fit() => {
                let screen = Screen::open(throttle.clone(), list);
                let Ok(screen) = screen else { return Display::Lines };
                let counted = screen.clone();
                count(&self.puzzles, &self.input, move |total| counted.count(total));
                Display::Screen(screen)
            }
            Some(_) if self.watch => Display::Lines,
            _ if list => Display::Nothing,
            _ => Display::Bar,
        }
    }
}

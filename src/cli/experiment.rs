//! `evodoku experiment`: methods compared on puzzles, over parameter values and seeds.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::backend::BackendArgs;
use super::exports::{AllExports, ExportArgs, PlotArgs, check_plot, tell};
use super::merge::Merge;
use super::output::{Notes, print, wrapped};
use super::table::{TextTable, width};
use super::{Exit, counted, heed_interrupts};
use crate::RESULTS_VERSION;
use crate::evolve::Preset;
use crate::experiment::{
    BlockDraft, Cell, Earlier, Ending, Files, Method, Misfits, Only, Placed, Plan, Portion, Report,
    Results, Runner, Shard, Spec, SpecPlace, View,
};
use crate::interrupt::INTERRUPT;
use crate::memory;
use crate::ranks::{Crew, Fact, Orders, Ranks, Sharing};
use crate::report::{Document, Table};
use crate::solver::Backend;

/// Compare methods on puzzles, over parameter values and seeds
///
/// What to run is in SPEC.toml, or in flags of the same names. Every combination of puzzle,
/// method and parameter values is a row of the table on stdout. Exit code 0: all runs are
/// finished, whatever they found; 2: bad input or a failure; 130: interrupted.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Experiment {
    #[command(subcommand)]
    command: Option<ExperimentCommand>,
    /// What to run: see experiments/ for examples
    #[arg(value_name = "SPEC.toml", required_unless_present = "puzzle")]
    spec: Option<PathBuf>,
    /// Puzzles: files, names of shipped puzzles, or grids
    #[arg(long, value_name = "PUZZLE", num_args = 1.., conflicts_with = "spec")]
    puzzle: Vec<String>,
    /// Methods: presets, backtracking or integer-program (default: memetic)
    #[arg(long, visible_alias = "method", value_name = "NAME", num_args = 1.., conflicts_with = "spec")]
    preset: Vec<String>,
    /// Parameters and their values; may be given several times
    #[arg(long, value_name = "NAME=VALUE,...", num_args = 1.., conflicts_with = "spec")]
    set: Vec<String>,
    /// Runs of each cell (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "spec")]
    seeds: Option<String>,
    /// The seed of each cell's first run (default: 1)
    #[arg(long, value_name = "N", conflicts_with = "spec")]
    first_seed: Option<String>,
    /// End each run after so long, in seconds or as in 500ms; such a run is not reproducible
    #[arg(long, value_name = "TIME", conflicts_with = "spec")]
    time_limit: Option<String>,
    /// Take givens away, rung by rung: rows (one of each row but the first) or any
    #[arg(long, value_name = "HOW", conflicts_with = "spec")]
    dig: Option<String>,
    /// Givens that each rung takes away (default: the side less 1)
    #[arg(long, value_name = "N", requires = "dig")]
    step: Option<String>,
    /// Givens that the last rung has left
    #[arg(long, value_name = "N", requires = "dig")]
    until: Option<String>,
    /// Runs at a time, which share the threads (default: one for each thread)
    #[arg(long, value_name = "N", value_parser = counted(1..=4096))]
    jobs: Option<u32>,
    /// Do only the runs that the file of --export-json lacks; the spec may have grown since
    #[arg(long, requires = "export-json")]
    resume: bool,
    /// Throw away the results that the file of --export-json holds; with --resume, only those that
    /// are not asked for any more
    #[arg(long, requires = "export-json")]
    overwrite: bool,
    /// Do one of N parts, the K-th from 1, which together have each run once: see merge
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Do only the first seeds of each cell, and leave the others for --resume
    #[arg(long, value_name = "N", value_parser = counted(1..=u32::MAX))]
    first_seeds: Option<u32>,
    /// Leave out cells whose method does not fit their puzzle or parameters, and run the others
    #[arg(long)]
    skip_unfit: bool,
    /// Do and plot only cells with this: block=NAME, puzzle=NAME, method=NAME or a value of a parameter;
    /// of several for the same name a cell has one, of others each
    #[arg(long, value_name = "NAME=VALUE")]
    only: Vec<Only>,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    plot: PlotArgs,
    #[command(flatten)]
    exports: ExportArgs<AllExports>,
}

#[derive(Debug, Subcommand)]
enum ExperimentCommand {
    Merge(Merge),
}

impl Experiment {
    pub fn run(mut self, notes: Notes, ranks: Option<&Ranks>) -> Result<Exit> {
        if let Some(ExperimentCommand::Merge(merge)) = self.command.take() {
            return merge.run(notes);
        }
        let spec = self.spec()?;
        let plan = Plan::with(&spec, self.misfits())?;
        let part = self.part(&plan)?;
        let view = View { only: self.only.clone(), scaling: self.plot.scaling() };
        let mut results = Results::new(&plan).of(self.shard).viewed(view);
        let inputs = self.spec.iter().chain(&spec.files).map(PathBuf::as_path);
        let exports = self.exports.open()?;
        check_plot(&exports, &plan, &self.only)?;
        let silent = exports.take_stdout();
        let mut files = Files::new(exports, inputs, self.earlier(), &mut results)?;
        heed_interrupts()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;
        say_reason(&plan, &backend, notes);
        let runner = self.runner(&plan, &backend, threads, notes, part);
        let crew = match ranks {
            None => None,
            Some(ranks) => {
                let (seats, _) = ranks.agree(facts(&plan), runner.seats(), Sharing::Runs)?;
                Some(Crew::new(ranks, seats))
            }
        };
        files.begin(&mut results)?;

        let missing = runner.missing(&results).len();
        let resumed = results.finished().count();
        notes.say(&format!(
            "{}: {} cells, {} runs{}{}, {} at a time{}",
            plan.name,
            plan.cells.len(),
            plan.runs(),
            self.shard.map(|shard| format!(", of which shard {shard}")).unwrap_or_default(),
            if resumed > 0 { format!(" ({resumed} are there)") } else { String::new() },
            (runner.jobs + crew.as_ref().map_or(0, Crew::size)).clamp(1, missing.max(1)),
            ranks.map(|ranks| format!(" on {} ranks", ranks.size())).unwrap_or_default(),
        ));
        let mut progress = ExperimentBar::new(missing, &results, notes);
        let mut finished = |results: &mut Results<'_>, run: usize| {
            let failed = files.finished(results, run)?;
            progress.bar.suspend(|| tell(failed));
            progress.finished(results, run);
            Ok(())
        };
        let ended = match crew {
            None => runner.run(&mut results, &mut finished),
            Some(crew) => {
                crew.lead(runner.interrupted, |away| runner.lead(away, &mut results, &mut finished))
            }
        };
        progress.bar.finish_and_clear();
        let printed =
            if ended.is_ok() && !silent { print(&text(&mut results)).map(drop) } else { Ok(()) };
        // What is finished is kept, however it ended.
        tell(files.end(&mut results)?);
        let ended = ended.map_err(|error| anyhow!(error))?;
        printed?;
        Ok(match ended {
            Ending::Interrupted => Exit::Interrupted,
            Ending::Complete if files.failed() => Exit::Failure,
            Ending::Complete => Exit::Done,
        })
    }

    /// Does on another rank what rank 0 wants, and says nothing.
    ///
    /// # Errors
    /// What keeps it from beginning, which rank 0 tells.
    pub fn follow(self, ranks: &Ranks) -> Result<Exit> {
        if self.command.is_some() {
            // Rank 0 merges alone.
            return Ok(Exit::Done);
        }
        let notes = Notes::NONE;
        let plan = Plan::with(&self.spec()?, self.misfits())?;
        let part = self.part(&plan)?;
        heed_interrupts()?;
        let threads = self.backend.work.threads()?.current_num_threads();
        let backend = self.backend.choose(notes)?;
        let runner = self.runner(&plan, &backend, threads, notes, part);
        let runner = Runner { jobs: runner.seats(), ..runner };
        ranks.agree(facts(&plan), runner.jobs, Sharing::Runs)?;
        runner.follow(&Orders::new(ranks, INTERRUPT.flag()))?;
        Ok(Exit::Done)
    }

    fn spec(&self) -> Result<Spec> {
        Ok(match &self.spec {
            Some(path) => Spec::read(path)?,
            None => Spec::from_draft(self.draft()?)?,
        })
    }

    fn misfits(&self) -> Misfits {
        if self.skip_unfit { Misfits::Skipped } else { Misfits::Refused }
    }

    fn earlier(&self) -> Earlier {
        match (self.resume, self.overwrite) {
            (true, false) => Earlier::Resumed,
            (true, true) => Earlier::Trimmed,
            (_, true) => Earlier::Overwritten,
            _ => Earlier::Kept,
        }
    }

    /// What the flags say in a spec's words.
    fn draft(&self) -> Result<BlockDraft> {
        let placed =
            |flag, text: &str| Placed { value: text.to_owned(), place: SpecPlace::Flag(flag) };
        let list = |flag, texts: &[String]| -> Vec<Placed<String>> {
            texts.iter().map(|text| placed(flag, text)).collect()
        };
        let one = |flag, text: &Option<String>| text.as_deref().map(|text| placed(flag, text));
        let mut draft = BlockDraft::at(SpecPlace::Flag("--puzzle"));
        draft.puzzles = Some(list("--puzzle", &self.puzzle));
        draft.methods = Some(if self.preset.is_empty() {
            vec![placed("--preset", Preset::Memetic.name())]
        } else {
            list("--preset", &self.preset)
        });
        draft.seeds = one("--seeds", &self.seeds);
        draft.first_seed = one("--first-seed", &self.first_seed);
        draft.dig = one("--dig", &self.dig);
        draft.step = one("--step", &self.step);
        draft.until = one("--until", &self.until);
        for setting in &self.set {
            let (name, values) = setting.split_once('=').ok_or_else(|| {
                anyhow!("--set takes name=value or name=value,value,..., not '{setting}'")
            })?;
            let values = values.split(',').map(|value| placed("--set", value)).collect();
            draft.parameters.push((placed("--set", name), values));
        }
        if let Some(limit) = &self.time_limit {
            let flag = "--time-limit";
            draft.parameters.push((placed(flag, "time_limit"), vec![placed(flag, limit)]));
        }
        Ok(draft)
    }

    /// As many runs at a time as were asked for, or as there are threads and memory for.
    fn runner<'a>(
        &self,
        plan: &'a Plan,
        backend: &'a Backend,
        threads: usize,
        notes: Notes,
        part: Portion,
    ) -> Runner<'a> {
        let fitting = memory::available() / plan.memory().max(1);
        let least = threads.max(backend.parts().len());
        let wanted = self.jobs.map_or(least, |jobs| jobs as usize);
        let jobs = wanted.min(usize::try_from(fitting).unwrap_or(usize::MAX)).max(1);
        if jobs < wanted {
            notes.say(&format!(
                "memory holds the populations of {jobs} runs at a time, not {wanted}"
            ));
        }
        Runner { plan, backend, jobs, threads, interrupted: INTERRUPT.flag(), part }
    }

    /// What is done this time.
    fn part(&self, plan: &Plan) -> Result<Portion> {
        check_only(plan, &self.only)?;
        Ok(Portion { seeds: self.first_seeds, only: self.only.clone(), shard: self.shard })
    }
}

/// Finds that everything that is to be done alone is there.
///
/// # Errors
/// On the first that is not.
pub fn check_only(plan: &Plan, only: &[Only]) -> Result<()> {
    for one in only {
        // An exact method has whatever value a parameter is given.
        let evolves =
            |cell: &&Cell| !matches!((one, cell.method), (Only::Parameter(_), Method::Exact(_)));
        if !plan.cells.iter().filter(evolves).any(|cell| one.holds(cell)) {
            bail!("--only {one}: no cell of {} has this", plan.name);
        }
    }
    Ok(())
}

/// Says where runs happen, and why, if a GPU comes into question for any of them.
fn say_reason(plan: &Plan, backend: &Backend, notes: Notes) {
    let of_cell = |cell: &Cell| match cell.method {
        Method::Preset(_) => backend.reason_for(&cell.config),
        Method::Exact(_) => None,
    };
    let told = if notes.verbose { backend.reason() } else { plan.cells.iter().find_map(of_cell) };
    told.into_iter().for_each(|reason| notes.say(reason));
}

/// What must be the same on all ranks.
fn facts(plan: &Plan) -> Vec<Fact> {
    let fact = |name: &str, value: String| Fact(name.to_owned(), value);
    vec![
        fact("version", env!("CARGO_PKG_VERSION").to_owned()),
        fact("results version", RESULTS_VERSION.to_string()),
        fact("a spec of fingerprint", plan.fingerprint.clone()),
    ]
}

/// All tables.
pub fn text(results: &mut Results<'_>) -> String {
    let texts: Vec<String> = Report::of(results).tables().into_iter().map(text_of).collect();
    texts.join("\n")
}

/// What is left out of tables where there is no room, the first of it first.
const SPARE: [&str; 10] = [
    "children/s",
    "s a run",
    "fitness unsolved",
    "their work (95 %)",
    "independent runs",
    "their success",
    "s a solution",
    "generations",
    "expected work",
    "work",
];

fn text_of(found: Table) -> String {
    let mut shown = TextTable::new(&found.header).words(&["block", "puzzle"]).spare(&SPARE);
    found.rows.into_iter().for_each(|row| shown.row(row));
    let notes: String = match width() {
        // Lines of a file are looked for by what stands in them.
        None => found.notes.iter().map(|note| format!("{note}\n")).collect(),
        Some(_) => found.notes.iter().map(|note| wrapped(note, "")).collect(),
    };
    format!("{shown}\n\n{notes}")
}

/// Runs done, time left and successes so far, on a terminal.
struct ExperimentBar {
    bar: ProgressBar,
    solved: usize,
    done: usize,
    /// Whether a fault of the device was told.
    told: bool,
    notes: Notes,
}

impl ExperimentBar {
    fn new(missing: usize, results: &Results<'_>, notes: Notes) -> Self {
        let target =
            if notes.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let done = results.finished().count();
        let bar = ProgressBar::with_draw_target(Some((done + missing) as u64), target);
        let template = "[{bar:24}] {pos} of {len} runs, {elapsed} so far, {eta} left, {msg}";
        // The template is a constant: should it ever be wrong, the plain bar still tells.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        let solved = results.finished().filter(|run| run.figures.solved()).count();
        // What was there before says nothing about the time that is left.
        bar.set_position(done as u64);
        bar.reset_eta();
        bar.enable_steady_tick(std::time::Duration::from_millis(250));
        let progress = Self { bar, solved, done, told: false, notes };
        progress.show();
        progress
    }

    fn finished(&mut self, results: &Results<'_>, run: usize) {
        let Some(result) = results.run(run) else { return };
        self.done += 1;
        self.solved += usize::from(result.figures.solved());
        if let (false, Some(fault)) = (self.told, &result.figures.fault) {
            self.told = true;
            let notes = self.notes;
            let warning = format!("{fault}; scoring goes on on the CPU");
            self.bar.suspend(|| notes.warn(&warning));
        }
        self.bar.set_position(self.done as u64);
        self.show();
    }

    fn show(&self) {
        self.bar.set_message(format!("solved {} of {}", self.solved, self.done));
    }
}

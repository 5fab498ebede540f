//! `solve --resume`: the flags that the checkpoint stores, with those that are given again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use anyhow::{Result, bail};

use super::Solve;
use super::checkpoint::{
    CheckpointArgs, LogOffsets, PuzzleInput, SolveCheckpoint, SolveTask, absolute_path,
    are_runs_or_blank, runs_path,
};
use super::observers::GenerationLog;
use crate::board::Puzzle;
use crate::cli::input::{InputArgs, is_piped, read_each};
use crate::cli::output::Logger;
use crate::cli::summary::Layout;
use crate::format::ParsedPuzzle;
use crate::ga::RunSettings;
use crate::report::{OutputFile, RecordingWriter, Trace};
use crate::store::{AppendLog, LogOffset, RotatingFile, is_checkpoint_or_blank};
use crate::util::quantity::Interval;

/// How often a checkpoint is written by default.
const EVERY: Duration = Duration::from_secs(30);

impl Solve {
    /// Reads the checkpoint that the command resumes from, if it does, and takes from it the flags that are
    /// not given.
    ///
    /// # Errors
    /// One sentence on an error in the checkpoint, or a flag that contradicts it.
    pub fn load_checkpoint(&mut self) -> Result<Option<SolveCheckpoint>> {
        let Some(path) = &self.checkpoint.resume else { return Ok(None) };
        let resumed = SolveCheckpoint::read(path)?;
        let given: Vec<OsString> = self.puzzles.iter().map(argument).collect();
        resumed.check(self.seed, self.runs.map(Into::into), &given)?;
        for reading in read_each(self.input.options(), &self.puzzles, Logger::NONE).take(2) {
            resumed.check_puzzle(&reading?.puzzle)?;
        }
        let task = &resumed.task;
        let (arguments, shape, alphabet) = match &task.input {
            PuzzleInput::One { puzzle, alphabet } => (Vec::new(), Some(puzzle.geometry), alphabet),
            PuzzleInput::List { arguments, shape, alphabet } => {
                (arguments.clone(), *shape, alphabet)
            }
        };
        let alphabet = alphabet.as_deref().map(str::parse).transpose()?;
        let given = std::mem::replace(&mut self.input, InputArgs { shape, alphabet });
        let kept = self.input.options();
        if given.shape.is_some_and(|_| given.shape != kept.shape)
            || given.alphabet.as_ref().is_some_and(|_| given.alphabet != kept.alphabet)
        {
            bail!("--box and --alphabet are those of the checkpoint and cannot change");
        }
        self.puzzles = arguments;
        let path_of = |kept: &Option<OsString>| kept.as_ref().map(PathBuf::from);
        self.trace = self.trace.take().or(path_of(&task.trace));
        self.record = self.record.take().or(path_of(&task.record));
        self.format = self.format.or(Some(task.layout));
        self.check_unique |= task.check_unique;
        let kept = task.exports.iter().map(|(format, path)| (*format, PathBuf::from(path)));
        self.exports.beside(kept);
        Ok(Some(resumed))
    }

    /// The preset and the parameters that are set.
    ///
    /// # Errors
    /// As [`ConfigArgs::settings`](super::ConfigArgs::settings), and on a flag that contradicts a checkpoint.
    pub fn settings(&self, resumed: Option<&SolveCheckpoint>) -> Result<RunSettings> {
        let Some(resumed) = resumed else { return self.configure.settings() };
        let (preset, set) = self.configure.given()?;
        resumed.settings(preset, &set)
    }

    /// Runs of each puzzle.
    pub fn runs(&self, resumed: Option<&SolveCheckpoint>) -> u32 {
        let kept = resumed.map(|resumed| resumed.task.runs);
        self.runs.map(Into::into).or(kept).unwrap_or(1)
    }

    /// The file that checkpoints are written to, if any are: the one that the command resumes from, unless
    /// another is named.
    ///
    /// # Errors
    /// When it cannot be one.
    pub fn checkpoint_file(&self, notes: Logger) -> Result<Option<RotatingFile>> {
        let CheckpointArgs { checkpoint, resume, overwrite, .. } = &self.checkpoint;
        let Some(path) = checkpoint.as_ref().or(resume.as_ref()) else { return Ok(None) };
        let file = match RotatingFile::new(path) {
            // A name of --checkpoint that is wrong is an error.
            Err(failed) if checkpoint.is_none() || takes_nothing(&failed.error) => {
                notes.warn(&format!("{failed}; the run continues without checkpoints"));
                return Ok(None);
            }
            file => file?,
        };
        if !file.lock() {
            let shown = file.output.path.display();
            bail!("another evodoku process uses {shown}: only one process may continue a run");
        }
        let [resumes, from_backup] = self.goes_on_from(&file);
        if from_backup {
            file.keep_backup();
        } else if !overwrite && !resumes {
            refuse_earlier(path)?;
        }
        Ok(Some(file))
    }

    /// Whether this is the file that the command resumes from, and whether it resumes from its backup.
    pub fn goes_on_from(&self, file: &RotatingFile) -> [bool; 2] {
        let from = self.checkpoint.resume.as_deref().map(|from| OutputFile::named(from).target);
        let (from, kept) = (from.as_deref().map(absolute_path), &file.output.target);
        [kept, &RotatingFile::backup_path(kept)].map(|path| from == Some(absolute_path(path)))
    }

    /// The task as checkpoints store it.
    ///
    /// # Errors
    /// When it could not be resumed.
    pub fn task(
        &self,
        settings: &RunSettings,
        seed: u64,
        resumed: Option<&SolveCheckpoint>,
        only: Option<&Puzzle>,
    ) -> Result<SolveTask> {
        let options = self.input.options();
        let alphabet = options.alphabet.map(|alphabet| alphabet.to_string());
        let input = match only {
            Some(puzzle) => PuzzleInput::One { puzzle: puzzle.clone(), alphabet },
            None if self.puzzles.iter().any(|argument| is_piped(argument)) => bail!(
                "--checkpoint needs a list that --resume can read again, but stdin and pipes can be read only once: \
                 put the list into a file"
            ),
            None => PuzzleInput::List {
                arguments: self.puzzles.iter().map(argument).collect(),
                shape: options.shape,
                alphabet,
            },
        };
        let kept = resumed.map(|resumed| resumed.task.every);
        let every = self.checkpoint.checkpoint_every.or(kept).unwrap_or(Interval::Time(EVERY));
        let path_of = |path: &Option<PathBuf>| path.as_deref().map(absolute_path);
        let exports = self.exports.wanted().iter();
        Ok(SolveTask {
            layout: self.format.unwrap_or(Layout::Grid),
            check_unique: self.check_unique,
            trace: path_of(&self.trace),
            record: path_of(&self.record),
            exports: exports.map(|(format, path)| (*format, absolute_path(path))).collect(),
            ..SolveTask::new(settings, seed, self.runs(resumed), input, every)
        })
    }
}

/// Whether a place takes no files for now, or none of this user.
fn takes_nothing(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

/// Checks that the files of a checkpoint and of the one before hold nothing else, which would be overwritten.
pub fn check_files(kept: &RotatingFile) -> Result<()> {
    let path = &kept.output.target;
    let before = RotatingFile::backup_path(path);
    // A damaged checkpoint is replaced when the run continues from the one before.
    let target = (!before.exists()).then_some(path);
    if let Some(path) = target.into_iter().chain([&before]).find(|it| !is_checkpoint_or_blank(it)) {
        bail!("{} is not a checkpoint and would be overwritten: move it", path.display());
    }
    Ok(())
}

/// The file beside a checkpoint for the runs that have ended. What is there is lost, unless the command resumes
/// (`may_replace`).
///
/// # Errors
/// When it is something else, may not be lost, or cannot be written.
pub fn runs_output(kept: &RotatingFile, may_replace: bool) -> Result<OutputFile> {
    let path = runs_path(&kept.output.target);
    let shown = path.display();
    if !are_runs_or_blank(&path) {
        bail!("{shown} does not hold runs of a checkpoint and would be overwritten: move it");
    }
    if !may_replace && fs::metadata(&path).is_ok_and(|data| data.len() > 0) {
        bail!(
            "{shown} holds the runs of a checkpoint that no longer exists: use --overwrite to replace {shown}"
        );
    }
    Ok(OutputFile::new(&path)?)
}

/// Checks that no other run is stored there: hours of work are not to be lost over a name.
fn refuse_earlier(path: &Path) -> Result<()> {
    for path in [path, &RotatingFile::backup_path(path)] {
        // An empty file, which a crash left, is no loss.
        let is_stored = fs::metadata(path).is_ok_and(|data| data.len() > 0);
        if is_stored && is_checkpoint_or_blank(path) {
            let shown = path.display();
            bail!(
                "{shown} exists: use evodoku solve --resume {shown} to continue it, or --overwrite to replace it"
            );
        }
    }
    Ok(())
}

/// An argument that means the same from any folder, if it names a file.
fn argument(argument: &OsString) -> OsString {
    if Path::new(argument).exists() { absolute_path(Path::new(argument)) } else { argument.clone() }
}

/// The trace and the recording, which continue where those of a checkpoint end.
///
/// # Errors
/// When such a file is not as the checkpoint left it.
pub fn logs(
    trace: Option<OutputFile>,
    record: Option<OutputFile>,
    resumed: Option<&SolveCheckpoint>,
) -> Result<GenerationLog> {
    let none = LogOffsets::default();
    let offsets = resumed.map_or(&none, |resumed| &resumed.offsets);
    // Under its old name, or moved.
    let is_kept = |output: &OutputFile, kept: Option<&OsString>, offset: LogOffset| {
        kept.is_some_and(|kept| *kept == absolute_path(&output.path))
            || AppendLog::holds(output, offset)
    };
    let task = resumed.map(|resumed| &resumed.task);
    let kept_trace = task.and_then(|task| task.trace.as_ref());
    let kept_record = task.and_then(|task| task.record.as_ref());
    let trace = trace.map(|output| {
        let from = offsets.trace.filter(|offset| is_kept(&output, kept_trace, *offset));
        Trace::new(output, from)
    });
    let mut goes_on = false;
    let recording = record.map(|output| {
        let from = offsets.record.clone();
        let from = from.filter(|(offset, _)| is_kept(&output, kept_record, *offset));
        goes_on = from.is_some();
        RecordingWriter::new(output, from)
    });
    Ok(GenerationLog { trace: trace.transpose()?, recording: recording.transpose()?, goes_on })
}

/// A puzzle as if it had been read.
pub fn reading(puzzle: Puzzle) -> ParsedPuzzle {
    ParsedPuzzle { puzzle, others: Vec::new(), tags: Vec::new() }
}

//! The checkpoint that a command resumes from, and the checks of flags against it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{
    CompletedRun, LogOffsets, PuzzleInput, RunId, SolveHeader, SolveTask, budget, without_budget,
};
use crate::board::Puzzle;
use crate::format::ParsedPuzzle;
use crate::ga::{Outcome, Overrides, Preset, Run, RunSettings};
use crate::store::{
    CheckpointKind, ContainerError, RotatingFile, StoredRun, fingerprint, read_checkpoint,
};
use crate::util::quantity::counted;

/// A checkpoint that was read.
pub struct LoadedCheckpoint {
    pub(crate) path: PathBuf,
    pub(crate) task: SolveTask,
    pub(crate) offsets: LogOffsets,
    pub(crate) completed: Vec<CompletedRun>,
    pub(crate) under_way: Vec<(RunId, StoredRun)>,
}

impl LoadedCheckpoint {
    /// Reads a file.
    ///
    /// # Errors
    /// One sentence on its error, and what to do.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let before = RotatingFile::backup_path(path);
        let instead = match before.is_file() {
            true => format!("; --resume {} takes the one before it", before.display()),
            false => String::new(),
        };
        let bytes =
            RotatingFile::read(path).with_context(|| format!("cannot read {shown}{instead}"))?;
        Self::of(path, &bytes, &instead)
    }

    /// Decodes the content of a file; `instead` names the file to take if it is damaged.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(super) fn of(path: &Path, bytes: &[u8], instead: &str) -> Result<Self> {
        let shown = path.display();
        let (header, under_way) =
            match read_checkpoint::<SolveHeader, _>(bytes, CheckpointKind::Solve) {
                Ok(read) => read,
                Err(error @ (ContainerError::Torn { .. } | ContainerError::Changed))
                    if instead.is_empty() =>
                {
                    bail!("{shown} {error}; start over, without --resume")
                }
                Err(error) => bail!("{shown} {error}{instead}"),
            };
        let (task, offsets, completed) = header;
        Ok(Self { path: path.to_owned(), task, offsets, completed, under_way })
    }

    /// The settings, with the budget that is `set` again.
    ///
    /// # Errors
    /// One sentence on the first that contradicts them.
    pub fn settings(&self, preset: Option<Preset>, set: &Overrides) -> Result<RunSettings> {
        let shown = self.path.display();
        let mut settings = self.task.settings().with_context(|| format!("{shown}"))?;
        if let Some(preset) = preset.filter(|preset| *preset != settings.preset) {
            bail!("{shown} is of preset {}, not {preset}: leave --preset out", settings.preset);
        }
        let others = without_budget(set);
        for parameter in others.parameters() {
            let [kept, given] = [&settings.overrides, set].map(|set| (parameter.set)(set));
            let (name, given) = (parameter.name, given.unwrap_or_default());
            match kept {
                Some(kept) if kept == given => {}
                Some(kept) => bail!("{shown} has {name}={kept}, not {given}: leave it out"),
                None => bail!("{shown} is of a run for which {name} was not set: leave it out"),
            }
        }
        settings.overrides.merge(&budget(set));
        Ok(settings)
    }

    /// Checks that the seed, the number of runs and the arguments that are given again are those of the
    /// checkpoint.
    ///
    /// # Errors
    /// One sentence on the first that is not.
    pub fn check(
        &self,
        seed: Option<u64>,
        runs: Option<u32>,
        arguments: &[OsString],
    ) -> Result<()> {
        let shown = self.path.display();
        if let Some(seed) = seed.filter(|seed| *seed != self.task.seed) {
            bail!("{shown} is of seed {}, not {seed}: leave --seed out", self.task.seed);
        }
        if let Some(runs) = runs.filter(|runs| *runs != self.task.runs) {
            let kept = counted(self.task.runs.into(), "run");
            bail!("{shown} is of {kept} a puzzle, not {runs}: leave --runs out");
        }
        if let PuzzleInput::List { arguments: kept, .. } = &self.task.input
            && !arguments.is_empty()
            && kept != arguments
        {
            bail!("{shown} is of another list of puzzles: leave them out, they stand in it");
        }
        Ok(())
    }

    /// Checks that a puzzle that is given again is that of the checkpoint.
    ///
    /// # Errors
    /// One sentence when it is not.
    pub fn check_puzzle(&self, given: &Puzzle) -> Result<()> {
        if let PuzzleInput::One { name, shape, givens, .. } = &self.task.input
            && (*givens != given.givens || *shape != given.geometry.to_string())
        {
            let shown = self.path.display();
            bail!("{shown} is of {name}, not of {}: leave the puzzle out", given.name);
        }
        Ok(())
    }

    /// The puzzle, if the checkpoint holds one.
    ///
    /// # Errors
    /// When it is none.
    pub fn puzzle(&self) -> Result<Option<Puzzle>> {
        let PuzzleInput::One { name, shape, givens, .. } = &self.task.input else {
            return Ok(None);
        };
        let (name, givens) = (name.clone(), givens.clone());
        let puzzle = Puzzle { name, geometry: shape.parse()?, givens };
        puzzle.check()?;
        Ok(Some(puzzle))
    }

    /// Checks that the list is the same as far as the checkpoint goes.
    ///
    /// # Errors
    /// One sentence on the first puzzle that is another.
    pub fn check_list(&self, readings: impl Iterator<Item = Result<ParsedPuzzle>>) -> Result<()> {
        let completed = self.completed.iter().map(|run| (run.place, run.puzzle));
        let under_way =
            self.under_way.iter().map(|((place, _), run)| (*place, run.snapshot.identity.puzzle));
        let mut known: Vec<(u64, u32)> = completed.chain(under_way).collect();
        known.sort_unstable();
        known.dedup();
        let mut readings = (0u64..).zip(readings);
        for (place, puzzle) in known {
            let found = readings.find(|(at, _)| *at == place);
            let found = found.and_then(|(_, reading)| reading.ok());
            if found.is_none_or(|reading| fingerprint(&reading.puzzle) != puzzle) {
                bail!(
                    "puzzle {} of the list is not the one that {} has there: the list was changed",
                    place + 1,
                    self.path.display()
                );
            }
        }
        Ok(())
    }
}

/// The outcome of a run that has ended.
///
/// # Errors
/// One sentence when it is of another puzzle, or cannot be so.
pub fn outcome_of(run: &Run<'_>, completed: CompletedRun) -> Result<Outcome> {
    if completed.puzzle != fingerprint(&run.space.puzzle) {
        bail!("the checkpoint has another puzzle in this place");
    }
    completed
        .outcome
        .check(&run.space.puzzle)
        .context("the checkpoint has a run that cannot be so")?;
    Ok(completed.outcome)
}

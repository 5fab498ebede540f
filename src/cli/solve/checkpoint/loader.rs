//! The checkpoint that a command resumes from, and the checks of flags against it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::{CompletedRun, PuzzleInput, SolveCheckpoint};
use crate::board::Puzzle;
use crate::format::{InputError, ParsedPuzzle};
use crate::ga::{Outcome, Overrides, Preset, Run, RunSettings, StopReason};
use crate::store::{ContainerError, OutputFile, RotatingFile, fingerprint};
use crate::util::interrupt::INTERRUPT;
use crate::util::quantity::counted;

impl SolveCheckpoint {
    /// Reads a file.
    ///
    /// # Errors
    /// One sentence on its error, and what to do.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let before = RotatingFile::backup_path(&OutputFile::named(path).target);
        let previous =
            || format!("; use --resume {} for the previous checkpoint", before.display());
        let instead = before.is_file().then(previous).unwrap_or_default();
        let bytes =
            RotatingFile::read(path).with_context(|| format!("cannot read {shown}{instead}"))?;
        let mut checkpoint = Self::decode(path, &bytes).map_err(|error| match error {
            ContainerError::Damaged if instead.is_empty() => {
                anyhow!("{shown} {error}; start over, without --resume")
            }
            error => anyhow!("{shown} {error}{instead}"),
        })?;
        checkpoint.completed.open(path).map_err(|error| {
            // The one before it may need no more of that file than is there.
            let bytes = RotatingFile::read(&before).ok();
            let before = bytes.and_then(|bytes| Self::decode(&before, &bytes).ok());
            match before.map(|mut one| one.completed.open(&one.path)) {
                Some(Ok(())) => anyhow!("{error:#}{instead}"),
                _ => error,
            }
        })?;
        Ok(checkpoint)
    }

    /// The settings, with the budget that is `set` again.
    ///
    /// # Errors
    /// One sentence on the first that contradicts them.
    pub fn settings(&self, preset: Option<Preset>, set: &Overrides) -> Result<RunSettings> {
        let shown = self.path.display();
        let mut settings = self.task.settings().with_context(|| format!("{shown}"))?;
        if let Some(preset) = preset.filter(|preset| *preset != settings.preset) {
            let kept = settings.preset;
            bail!("{shown} was made with preset {kept}, not {preset}: leave --preset out");
        }
        let Overrides { max_generations, max_work, time_limit, .. } = *set;
        let budget = Overrides { max_generations, max_work, time_limit, ..Overrides::default() };
        for parameter in set.parameters().filter(|parameter| (parameter.set)(&budget).is_none()) {
            let [kept, given] = [&settings.overrides, set].map(|set| (parameter.set)(set));
            let (name, given) = (parameter.name, given.unwrap_or_default());
            match kept {
                Some(kept) if kept == given => {}
                Some(kept) => {
                    bail!("{shown} was made with {name}={kept}, not {given}: leave {name} out")
                }
                None => {
                    bail!("{name} is not set in {shown}, so it cannot be set now: leave {name} out")
                }
            }
        }
        settings.overrides.merge(&budget);
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
            bail!("{shown} was made with seed {}, not {seed}: leave --seed out", self.task.seed);
        }
        if let Some(runs) = runs.filter(|runs| *runs != self.task.runs) {
            let kept = counted(self.task.runs.into(), "run");
            bail!("{shown} was made with {kept} per puzzle, not {runs}: leave --runs out");
        }
        if let PuzzleInput::List { arguments: kept, .. } = &self.task.input
            && !arguments.is_empty()
            && kept != arguments
        {
            bail!(
                "{shown} was made for another list of puzzles: name no puzzles, because the checkpoint contains them"
            );
        }
        Ok(())
    }

    /// Checks that a puzzle that is given again is that of the checkpoint.
    ///
    /// # Errors
    /// One sentence when it is not.
    pub fn check_puzzle(&self, given: &Puzzle) -> Result<()> {
        if let Some(kept) = self.puzzle()
            && (&kept.givens, kept.geometry) != (&given.givens, given.geometry)
        {
            let (shown, name) = (self.path.display(), &kept.name);
            bail!("{shown} is for {name}, not {}: leave the puzzle out", given.name);
        }
        Ok(())
    }

    /// Checks that the list is the same as far as the checkpoint goes.
    ///
    /// # Errors
    /// One sentence on the first puzzle that is another.
    pub fn check_list(&self, readings: impl Iterator<Item = Result<ParsedPuzzle>>) -> Result<()> {
        let under_way =
            self.under_way.iter().map(|((place, _), run)| (*place, run.snapshot.identity.puzzle));
        let known: BTreeSet<(u64, u32)> = self.completed.puzzles().chain(under_way).collect();
        let (mut readings, mut unopened) = ((0u64..).zip(readings), None);
        for (place, puzzle) in known {
            let reading = readings.find_map(|(at, reading)| match reading {
                _ if at == place => Some(reading),
                // An input that cannot be opened is one error in place of all its puzzles, or of the rest.
                Err(error) if !matches!(error.downcast_ref(), Some(InputError::Format(_))) => {
                    unopened = Some(error);
                    None
                }
                _ => None,
            });
            let found = reading.transpose()?;
            // After an interrupt nothing more is read.
            if found.is_none() && INTERRUPT.is_requested() {
                return Ok(());
            }
            if found.is_none_or(|reading| fingerprint(&reading.puzzle) != puzzle) {
                let (number, shown) = (place + 1, self.path.display());
                let changed = || "the list was changed".to_owned();
                let why = unopened.map_or_else(changed, |error| format!("{error:#}"));
                bail!("puzzle {number} of the list differs from the one in {shown}: {why}");
            }
            unopened = None;
        }
        Ok(())
    }
}

/// The outcome of a run that has ended.
///
/// # Errors
/// One sentence when it is of another puzzle or another budget, or cannot be so.
pub fn outcome_of(run: &Run<'_>, completed: CompletedRun) -> Result<Outcome> {
    if completed.puzzle != fingerprint(&run.space.puzzle) {
        bail!("the checkpoint was made for a different puzzle");
    }
    let checked = completed.outcome.check(&run.space.puzzle);
    checked.context("the checkpoint contains an impossible result")?;
    // With a larger budget it would have gone on.
    let (outcome, config) = (completed.outcome, run.config);
    let is_same = match outcome.stop_reason {
        StopReason::Generations => (1..=outcome.generations).contains(&config.max_generations),
        StopReason::Work => (1..=outcome.work()).contains(&config.max_work),
        _ => true,
    };
    ensure!(is_same, "this run ended with a smaller max_generations or max_work: leave both out");
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::super::{CompletedRuns, SolveTask, runs_path};
    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::cli::input::read_each;
    use crate::cli::output::Logger;
    use crate::format::Options;
    use crate::ga::local_search::Effort;
    use crate::ga::{
        Checkpoint, Config, GenerationKind, IslandSnapshot, PopulationSnapshot, Preset,
        RunCounters, StopReason,
    };
    use crate::util::quantity::Interval;

    fn unsolved() -> Outcome {
        Outcome {
            stop_reason: StopReason::Work,
            board: vec![1; 16],
            fitness: 36,
            generations: 3,
            restarts: 0,
            evaluations: 8,
            moves: 0,
            steps: 0,
            elapsed: Duration::ZERO,
            making: Duration::ZERO,
            fault: None,
        }
    }

    #[test]
    fn a_file_of_runs_that_was_removed_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("list.keep");
        let mut completed = CompletedRuns::default();
        for number in 1..=3 {
            let run =
                CompletedRun { id: (0, number), puzzle: 7, outcome: unsolved(), history: None };
            completed.push(&run).unwrap();
            let removed = fs::remove_file(runs_path(&checkpoint));
            assert_eq!(removed.is_ok(), number > 1);
            completed.store(&checkpoint).unwrap();
        }
        let mut read = CompletedRuns::until(completed.offset);
        read.open(&checkpoint).unwrap();
        assert_eq!(read.puzzles().collect::<Vec<_>>(), [(0, 7); 3]);
    }

    #[test]
    fn a_list_that_cannot_be_opened_is_not_called_changed() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list.sdm");
        let (solved, blank, damaged) = ("1234341221434321", &*".".repeat(16), "12343412");
        fs::write(&list, [blank, damaged, solved].join("\n")).unwrap();
        let read = |names: &[&Path]| {
            let names: Vec<OsString> = names.iter().map(OsString::from).collect();
            read_each(Options::default(), &names, Logger::NONE)
        };
        let puzzle = fingerprint(&read(&[&list]).nth(2).unwrap().unwrap().puzzle);
        // Only the run of the third line has ended.
        let resumed = |place| {
            let keep = folder.path().join(format!("keep-{place}"));
            let mut completed = CompletedRuns::default();
            let run = CompletedRun { id: (place, 0), puzzle, outcome: unsolved(), history: None };
            completed.push(&run).unwrap();
            completed.store(&keep).unwrap();
            let (arguments, alphabet) = (vec![OsString::from(&list)], None);
            let input = PuzzleInput::List { arguments, shape: None, alphabet };
            let settings = RunSettings::of(Preset::Boxes);
            let task = SolveTask::new(&settings, 1, 1, input, Interval::Generations(1));
            let mut resumed = SolveCheckpoint::new(keep, task);
            resumed.completed = CompletedRuns::until(completed.offset);
            resumed.completed.open(&resumed.path).unwrap();
            resumed
        };

        let resumed_list = resumed(2);
        resumed_list.check_list(read(&[&list])).unwrap();
        // A file that is missing both times does not shift the others.
        let missing = Path::new("missing.sdm");
        resumed(3).check_list(read(&[missing, &list])).unwrap();
        let refused = || resumed_list.check_list(read(&[&list])).unwrap_err().to_string();
        for changed in [[blank, damaged, blank], [blank, damaged, ""]] {
            fs::write(&list, changed.join("\n")).unwrap();
            assert!(refused().ends_with("keep-2: the list was changed"));
        }
        fs::remove_file(&list).unwrap();
        assert!(refused().contains("list.sdm' is not a file"));
    }

    #[test]
    fn a_larger_population_and_a_solution_that_is_none_are_refused() {
        let space = SearchSpace::blank(Geometry::new(2, 2).unwrap());
        let settings = RunSettings::of(Preset::Boxes);
        let config = Config { population: 2, ..settings.config(&space).unwrap() };
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 1, &interrupted);
        let (elapsed, making) = (Duration::ZERO, Duration::ZERO);
        let progress = RunCounters {
            generation: 3,
            restarts: 0,
            evaluations: 8,
            effort: Effort::default(),
            best: vec![1; 16],
            best_fitness: 36,
            compared: 36,
            stale: 0,
            source: GenerationKind::Parents,
            elapsed,
            making,
        };
        let islands = vec![IslandSnapshot { boards: vec![1; 32], fitness: vec![36; 2] }];
        let checkpoint = Checkpoint { progress, state: PopulationSnapshot { islands } };
        let written = SolveCheckpoint::of_run(&run, &settings, &checkpoint).unwrap();
        let bytes = |checkpoint: &SolveCheckpoint| {
            let mut bytes = Vec::new();
            checkpoint.encode(&mut bytes, None).unwrap();
            bytes
        };
        let mut read = SolveCheckpoint::decode(Path::new("x"), &bytes(&written)).unwrap();
        assert_eq!(bytes(&read), bytes(&written));
        let completed = CompletedRun {
            id: (0, 1),
            puzzle: fingerprint(&space.puzzle),
            outcome: unsolved(),
            history: None,
        };
        let encoded = completed.encode().unwrap();
        let (mut completed, length) = CompletedRun::decode(&mut &encoded[..]).unwrap();
        assert_eq!(length as usize, encoded.len());
        assert!(CompletedRun::decode(&mut &encoded[..encoded.len() - 1]).is_err());
        let stored = read.under_way.get_mut(&(0, 0)).unwrap();
        assert_eq!(stored.restore(&run).unwrap(), checkpoint);
        let refused = outcome_of(&run, completed.clone()).unwrap_err().to_string();
        assert!(refused.contains("ended with a smaller max_generations"), "{refused}");
        completed.outcome.stop_reason = StopReason::Time;
        assert!(outcome_of(&run, completed.clone()).is_ok());

        stored.snapshot.identity.sizes = vec![2_000_000];
        stored.population.resize(12_000_000, 0);
        let outcome = &mut completed.outcome;
        (outcome.stop_reason, outcome.fitness) = (StopReason::Solved, 0);
        let refused = stored.restore(&run).unwrap_err().to_string();
        assert!(refused.contains("derives other parameters"), "{refused}");
        let refused = format!("{:#}", outcome_of(&run, completed.clone()).unwrap_err());
        assert!(refused.contains("its solution is wrong: "), "{refused}");
    }
}

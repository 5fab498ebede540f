//! Checkpoints for the fuzzer: as bytes, without a command around them.

use std::io;
use std::path::Path;

use anyhow::Result;

use super::loader::{LoadedCheckpoint, outcome_of};
use super::{CompletedRun, LogOffsets, PuzzleInput, RunId, SolveTask, WrittenHeader};
use crate::ga::{Checkpoint, IslandSink, Outcome, Run, RunHandle, RunSettings};
use crate::store::{
    CheckpointKind, RunIdentity, RunSnapshot, StoredPopulation, StoredRun, fingerprint,
    write_checkpoint,
};
use crate::util::quantity::Interval;

impl LoadedCheckpoint {
    /// Reads the content of a file.
    ///
    /// # Errors
    /// As [`LoadedCheckpoint::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::of(Path::new("attack.keep"), bytes, "")
    }

    /// The bytes of a file that holds the same.
    ///
    /// # Errors
    /// When memory does not suffice.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Self { task, offsets, completed, under_way, .. } = self;
        file(&(task, offsets, completed.iter().collect()), under_way)
    }

    /// The checkpoints of the runs that are under way, if they are of this run.
    pub fn checkpoints_of(&self, run: &Run<'_>) -> impl Iterator<Item = Result<Checkpoint>> {
        self.under_way.iter().map(|(_, stored)| Ok(stored.restore(run)?))
    }

    /// The outcomes of the runs that have ended, if they are of this run's puzzle.
    pub fn outcomes_of(&self, run: &Run<'_>) -> impl Iterator<Item = Result<Outcome>> {
        self.completed.iter().map(|completed| outcome_of(run, completed.clone()))
    }
}

/// The checkpoint that `solve` would write of a run: the runs of the same puzzle that have ended, and the run's
/// own state.
///
/// # Errors
/// When it is none of this run.
pub fn checkpoint_bytes(
    run: &Run<'_>,
    settings: &RunSettings,
    done: &[Outcome],
    checkpoint: &Checkpoint,
) -> io::Result<Vec<u8>> {
    let Checkpoint { progress, state } = checkpoint;
    let puzzle = &run.space.puzzle;
    let runs = done.len() as u32 + 1;
    let task = SolveTask::new(
        settings,
        run.seed,
        runs,
        PuzzleInput::one(puzzle, None),
        Interval::Generations(1),
    );
    let completed = |(number, outcome): (u32, &Outcome)| CompletedRun {
        place: 0,
        number,
        puzzle: fingerprint(puzzle),
        outcome: outcome.clone(),
        history: None,
    };
    let completed: Vec<CompletedRun> = (0..).zip(done).map(completed).collect();
    let identity = RunIdentity::new(run.space, run.config).map_err(io::Error::other)?;
    let snapshot = RunSnapshot { identity, progress: progress.clone(), history: None };
    let islands = &mut |take: IslandSink<'_>| state.for_each_island(take);
    let stored = StoredRun::new(snapshot, &mut RunHandle::new(progress.clone(), islands))?;
    let offsets = LogOffsets::default();
    let header = (&task, &offsets, completed.iter().collect());
    file(&header, &[((0, runs - 1), stored)])
}

fn file(header: &WrittenHeader<'_>, runs: &[(RunId, StoredRun)]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let runs = runs
        .iter()
        .map(|(id, run)| (*id, &run.snapshot, StoredPopulation::Packed(&run.population)));
    write_checkpoint(&mut bytes, CheckpointKind::Solve, header, runs.collect())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::local_search::Effort;
    use crate::ga::{
        Config, GenerationKind, IslandSnapshot, PopulationSnapshot, Preset, RunCounters, StopReason,
    };

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
        let done = Outcome {
            stop_reason: StopReason::Work,
            board: vec![1; 16],
            fitness: 36,
            generations: 3,
            restarts: 0,
            evaluations: 8,
            moves: 0,
            steps: 0,
            elapsed,
            making,
            fault: None,
        };
        let bytes = checkpoint_bytes(&run, &settings, &[done], &checkpoint).unwrap();
        let mut read = LoadedCheckpoint::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes().unwrap(), bytes);
        assert_eq!(read.checkpoints_of(&run).next().unwrap().unwrap(), checkpoint);
        assert!(read.outcomes_of(&run).next().unwrap().is_ok());

        let (_, stored) = &mut read.under_way[0];
        stored.snapshot.identity.sizes = vec![2_000_000];
        stored.population.resize(12_000_000, 0);
        let outcome = &mut read.completed[0].outcome;
        (outcome.stop_reason, outcome.fitness) = (StopReason::Solved, 0);
        let refused = read.checkpoints_of(&run).next().unwrap().unwrap_err().to_string();
        assert!(refused.contains("other parameters"), "{refused}");
        let refused = format!("{:#}", read.outcomes_of(&run).next().unwrap().unwrap_err());
        assert!(refused.contains("its solution is none: "), "{refused}");
    }
}

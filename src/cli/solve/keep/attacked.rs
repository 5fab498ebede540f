//! Checkpoints for those who attack them: as bytes, without a command around them.

use std::io;
use std::path::Path;

use anyhow::Result;

use super::form::{Done, Input, Marks, Task, WrittenHead};
use super::resumed::{Resumed, outcome_of};
use crate::board::Puzzle;
use crate::checkpoint::{Kind, Packing, UnderWay, fingerprint, write};
use crate::ga::{Checkpoint, Outcome, PopulationSnapshot, Run, RunSettings};
use crate::quantity::Interval;

/// A checkpoint that was read.
pub struct ReadCheckpoint(Resumed);

impl ReadCheckpoint {
    /// Reads what a file would hold.
    ///
    /// # Errors
    /// As [`Resumed::read`].
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Ok(Self(Resumed::of(Path::new("attack.keep"), bytes, "")?))
    }

    /// The bytes of a file that holds the same.
    ///
    /// # Errors
    /// None that memory does not give.
    pub fn write(&self) -> io::Result<Vec<u8>> {
        let Resumed { task, marks, done, under_way, .. } = &self.0;
        let runs = under_way.iter().map(|(key, (run, _))| (*key, run)).collect();
        let head = WrittenHead { task, marks, done: done.iter().collect(), under_way: runs };
        let packed = under_way.iter().map(|(_, (_, packed))| &packed[..]);
        file(&head, &packed.collect::<Vec<_>>())
    }

    /// The puzzle, if it stands there.
    ///
    /// # Errors
    /// When it is none.
    pub fn puzzle(&self) -> Result<Option<Puzzle>> {
        self.0.puzzle()
    }

    /// The preset and what is set.
    ///
    /// # Errors
    /// When this version knows no such parameter or value.
    pub fn settings(&self) -> Result<RunSettings> {
        self.0.settings(None, &Default::default())
    }

    /// The checkpoints of the runs that are under way, if they are of this run.
    pub fn under_way(&self, run: &Run<'_>) -> impl Iterator<Item = Result<Checkpoint>> {
        self.0.under_way.iter().map(|(_, (kept, packed))| Ok(kept.checkpoint(run, packed)?))
    }

    /// What came of the runs that are done, if they are of this run's puzzle.
    pub fn done(&self, run: &Run<'_>) -> impl Iterator<Item = Result<Outcome>> {
        self.0.done.iter().map(|done| outcome_of(run, done.clone()))
    }
}

/// The checkpoint that `solve` would write of a run: those of the same puzzle that are done, and what it has
/// come to itself.
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
    let every = Interval::Generations(1);
    let task = Task::new(settings, run.seed, runs, Input::one(puzzle, None), every);
    let done: Vec<Done> = (0..)
        .zip(done)
        .map(|(number, outcome)| Done {
            place: 0,
            number,
            puzzle: fingerprint(puzzle),
            outcome: outcome.clone(),
            course: None,
        })
        .collect();
    let kept = UnderWay::new(run.space, run.config, progress, None).map_err(io::Error::other)?;
    let packing = kept.packing().ok_or_else(|| io::Error::other("no packing fits it"))?;
    let packed = packed(&packing, state)?;
    let marks = Marks::default();
    let under_way = vec![((0, runs - 1), &kept)];
    let done = done.iter().collect();
    let head = WrittenHead { task: &task, marks: &marks, done, under_way };
    file(&head, &[&packed])
}

fn packed(packing: &Packing, state: &PopulationSnapshot) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let mut islands = state.islands.iter();
    islands.try_for_each(|island| packing.write(&island.boards, &island.fitness, &mut packed))?;
    Ok(packed)
}

fn file(head: &WrittenHead<'_>, populations: &[&[u8]]) -> io::Result<Vec<u8>> {
    let (mut bytes, all) = (Vec::new(), populations.concat());
    write(&mut bytes, Kind::Solve, head, all.len() as u64, |to| to.write_all(&all))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::ga::improvement::Effort;
    use crate::ga::{Config, GenerationKind, IslandSnapshot, Preset, RunCounters, StopReason};

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
        let mut read = ReadCheckpoint::read(&bytes).unwrap();
        assert_eq!(read.write().unwrap(), bytes);
        assert_eq!(read.under_way(&run).next().unwrap().unwrap(), checkpoint);
        assert!(read.done(&run).next().unwrap().is_ok());

        let (_, (kept, packed)) = &mut read.0.under_way[0];
        kept.sizes = vec![2_000_000];
        packed.resize(12_000_000, 0);
        let outcome = &mut read.0.done[0].outcome;
        (outcome.stop_reason, outcome.fitness) = (StopReason::Solved, 0);
        let refused = read.under_way(&run).next().unwrap().unwrap_err().to_string();
        assert!(refused.contains("other parameters"), "{refused}");
        let refused = format!("{:#}", read.done(&run).next().unwrap().unwrap_err());
        assert!(refused.contains("its solution is none: "), "{refused}");
    }
}

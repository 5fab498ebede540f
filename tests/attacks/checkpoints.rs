//! Any bytes as a checkpoint: it is refused in a sentence, or is written again as the same and gone on with,
//! and what it says to be solved is. Checkpoints of real runs are changed and get their checksum again, so
//! that the fuzzer sees what lies behind it.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use arbitrary::{Result, Unstructured};
use evodoku::board::{Puzzle, SearchSpace, presolve, verify};
use evodoku::fitness::{CpuEvaluator, Pipeline};
use evodoku::format;
use evodoku::ga::{
    Checkpoint, Config, Observer, Outcome, Overrides, Preset, Run, RunHandle, RunSettings,
    StopReason,
};
use evodoku::internals::{CompletedRun, SolveCheckpoint, fingerprint, outcome_of};

/// What stands before all else in the form that is known.
const TITLE: &[u8] = b"evodoku checkpoint 6\n";
/// Runs whose checkpoints are changed: on one island and on three, with searches, with restarts.
const RUNS: [(&str, Preset, &str); 4] = [
    ("003-4x4", Preset::Boxes, "population=6 presolve=none max_generations=40 restart_after=2"),
    ("003-6x6", Preset::Boxes, "population=12 presolve=none islands=3 migration_interval=2"),
    ("003-6x6", Preset::Tabu, "presolve=none tabu_steps=3 max_generations=40"),
    ("easter-monster", Preset::Memetic, "population=8 offspring=4 tabu_steps=9 presolve=singles"),
];
/// What is not gone on with: it would take long, as it was asked to.
const LARGEST: (u32, usize) = (100, 9);

pub fn attack(data: &[u8]) {
    opened(data);
    match data.strip_prefix(TITLE) {
        Some(rest) => opened(&mended(rest)),
        None => drop(changed(&mut Unstructured::new(data))),
    }
}

/// What follows the title, with the checksum that it should have.
fn mended(rest: &[u8]) -> Vec<u8> {
    let whole = [TITLE, &rest[..rest.len().saturating_sub(4)]].concat();
    let checksum = crc32fast::hash(&whole).to_le_bytes();
    [&whole[..], &checksum].concat()
}

/// A run in its third generation, and the bytes of its checkpoint.
struct Real {
    space: SearchSpace,
    config: Config,
    /// Without the title and the checksum.
    checkpoint: Vec<u8>,
    /// As a run that has ended, without the length.
    ended: Vec<u8>,
}

/// Changes some bytes of a real checkpoint, or of a run that has ended.
fn changed(bytes: &mut Unstructured<'_>) -> Result<()> {
    static REAL: OnceLock<Vec<Real>> = OnceLock::new();
    let real = bytes.choose(REAL.get_or_init(|| RUNS.iter().map(real).collect()))?;
    let is_ended = bytes.arbitrary()?;
    let mut content = if is_ended { &real.ended } else { &real.checkpoint }.clone();
    for _ in 0..bytes.int_in_range(1..=6)? {
        let at = bytes.int_in_range(0..=content.len() - 1)?;
        match bytes.int_in_range(0..=3)? {
            0 => content[at] = bytes.arbitrary()?,
            1 => content[at] ^= 1 << bytes.int_in_range(0..=7)?,
            // A number as postcard writes the largest ones.
            2 => drop(content.splice(at..=at, [[0xff; 9].as_slice(), &[1]].concat())),
            _ => {
                let until = (at + bytes.int_in_range(0..=9)?).min(content.len() - 1);
                let new: Vec<u8> = bytes.arbitrary()?;
                drop(content.splice(at..until, new));
            }
        }
    }
    if is_ended {
        ended(real, &content);
    } else {
        opened(&mended(&[&content[..], &[0; 4]].concat()));
    }
    Ok(())
}

/// Reads a run that has ended.
fn ended(real: &Real, run: &[u8]) {
    let length = (run.len() as u32).to_le_bytes();
    let Ok((completed, _)) = CompletedRun::decode(&mut &[&length, run].concat()[..]) else {
        return;
    };
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&real.space, &real.config, 7, &interrupted);
    if let Ok(outcome) = outcome_of(&run, completed) {
        believed(&real.space.puzzle, &outcome);
    }
}

fn real((puzzle, preset, set): &(&str, Preset, &str)) -> Real {
    let mut overrides = Overrides::default();
    set.split(' ').for_each(|word| overrides.merge(&word.parse().expect("it is a parameter")));
    let settings = RunSettings { preset: *preset, overrides };
    let puzzle = format::load(puzzle, None).expect("it is shipped").puzzle;
    let space = presolve(&puzzle, settings.presolve()).expect("it has a solution");
    let config = settings.config(&space).expect("it is a configuration");
    let config = Config { max_generations: 3, ..config };
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 7, &interrupted);
    let mut third = Third(None);
    let outcome = evolved(&run, &mut third).expect("it runs");
    let checkpoint = third.0.expect("it was not solved before");
    let written = SolveCheckpoint::of_run(&run, &settings, &checkpoint);
    let written = encoded(&written.expect("it is one of the run"));
    let checkpoint = written[TITLE.len()..written.len() - 4].to_vec();
    let completed =
        CompletedRun { id: (0, 0), puzzle: fingerprint(&puzzle), outcome, history: None };
    let ended = completed.encode().expect("it is short")[4..].to_vec();
    Real { config, checkpoint, ended, space }
}

/// Keeps the checkpoint with which a run ends.
struct Third(Option<Checkpoint>);

impl Observer for Third {
    fn wants_checkpoint(&mut self, generation: u32, _: Option<StopReason>) -> bool {
        generation <= 3
    }

    fn on_checkpoint(&mut self, standing: &mut RunHandle<'_>) {
        self.0 = standing.checkpoint().ok();
    }
}

/// The content of a file.
pub fn encoded(checkpoint: &SolveCheckpoint) -> Vec<u8> {
    let mut bytes = Vec::new();
    checkpoint.encode(&mut bytes, None).expect("there is room");
    bytes
}

/// The checkpoint of a content.
pub fn decoded(bytes: &[u8]) -> std::result::Result<SolveCheckpoint, String> {
    SolveCheckpoint::decode(Path::new("attack.keep"), bytes).map_err(|error| error.to_string())
}

/// Reads, writes again, and goes on.
fn opened(bytes: &[u8]) {
    let read = match decoded(bytes) {
        Ok(read) => read,
        Err(error) => return assert!(!error.is_empty()),
    };
    // A number may be written in more bytes than it takes, and a version is this one's; after that it is the
    // same to the bit.
    let written = encoded(&read);
    let again = decoded(&written).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(encoded(&again), written);
    let (Some(puzzle), Ok(settings)) = (read.puzzle(), read.settings(None, &Overrides::default()))
    else {
        return;
    };
    if puzzle.geometry.side() <= LARGEST.1
        && let Ok(space) = presolve(puzzle, settings.presolve())
        && let Ok(config) = settings.config(&space)
        && config.population <= LARGEST.0
    {
        gone_on(&read, &space, &config);
    }
}

fn gone_on(read: &SolveCheckpoint, space: &SearchSpace, config: &Config) {
    let interrupted = AtomicBool::new(false);
    let run = Run::new(space, config, 7, &interrupted);
    for stored in read.under_way.values() {
        let checkpoint = match stored.restore(&run) {
            Ok(checkpoint) => checkpoint,
            Err(error) => return assert!(!error.to_string().is_empty()),
        };
        let boards = checkpoint.state.islands.iter().map(|island| island.boards.len());
        let stride = space.geometry().stride();
        assert_eq!(boards.sum::<usize>(), stride * config.population as usize, "memory for more");
        let generation = checkpoint.progress.generation;
        let config = Config {
            max_generations: generation.saturating_add(2),
            max_work: checkpoint.progress.evaluations.saturating_add(2_000),
            time_limit: 0.0,
            tabu_steps: config.tabu_steps.min(50),
            proposals: config.proposals.min(200),
            ..config.clone()
        };
        match evolved(&Run { config: &config, resume_from: Some(&checkpoint), ..run }, &mut ()) {
            Ok(outcome) => believed(&space.puzzle, &outcome),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn evolved(
    run: &Run<'_>,
    observer: &mut dyn Observer,
) -> std::result::Result<Outcome, evodoku::ga::RunError> {
    let evaluator = CpuEvaluator::new(run.space.geometry(), None);
    run.execute(&mut Pipeline::new(Box::new(evaluator)), observer)
}

/// What is said to be solved is.
fn believed(puzzle: &Puzzle, outcome: &Outcome) {
    assert_eq!(outcome.solved(), verify(puzzle, &outcome.board).is_ok(), "{outcome:?}");
    assert!(outcome.work() >= outcome.moves);
    assert_eq!(outcome.board.len(), puzzle.geometry.cells());
}

//! A tuning from beginning to end: iterated racing, then validation of what has won.

use super::irace::{Iteration, Iterations};
use super::journal::{TrialJournal, TrialRecord};
use super::race::RaceTrial;
use super::space::{Candidate, ParameterSpace};
use super::spec::TuneSpec;
use super::trial_runner::{Resources, TrialRequest, TrialRunner, TuneError};
use super::validation::{ConfigRuns, Gain, ValidationPair, gain};
use crate::experiment::Plan;
use crate::ga::{Overrides, RunSettings};

/// What a tuning came to.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The iterations.
    pub iterations: Vec<Iteration>,
    /// What has won.
    pub winner: Candidate,
    /// Its number; 1 is the default configuration.
    pub number: usize,
    /// The preset, and all that is set in the winner.
    pub settings: RunSettings,
    /// What is tuned of it, and its value.
    pub values: Vec<(&'static str, String)>,
    /// Both configurations on the validation puzzles; nothing where the default has won.
    pub validated: Vec<ValidationPair>,
    /// The ratio of mean costs there.
    pub gain: Option<Gain>,
    /// All runs that it took, in order.
    pub(super) records: Vec<(TrialRecord, f64)>,
}

/// What is told while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum TuneEvent<'a> {
    /// So many runs are finished.
    Runs(usize),
    /// An iteration ended.
    Iteration(&'a Iteration),
    /// The winner is validated, in so many runs.
    Validation(usize),
}

/// Is told of progress.
pub type ProgressWatcher<'w> = dyn FnMut(TuneEvent<'_>) + 'w;

/// Tunes what a spec says on the puzzles of the plan made of it; runs that are in the store are not
/// done again. Nothing where the budget pays no race.
///
/// # Errors
/// [`TuneError`] when a run or the journal fails, or it was told to end.
pub(super) fn tune(
    spec: &TuneSpec,
    plan: &Plan,
    means: &Resources<'_>,
    store: &mut TrialJournal,
    watcher: &mut ProgressWatcher<'_>,
) -> Result<Option<Tuned>, TuneError> {
    let trial_runner = TrialRunner::new(spec, plan, means);
    let iterations = Iterations {
        space: &spec.space,
        rules: spec.rules,
        budget: spec.budget,
        most_work: spec.cost.max_work,
        seed: spec.seed,
        default: of_default(&spec.space, plan),
        possible: &|candidate| trial_runner.possible(candidate),
    };
    let watcher = std::cell::RefCell::new(watcher);
    let raced = {
        let mut course = |trials: &[RaceTrial]| {
            let ran = trial_runner.race(trials, store)?;
            (watcher.borrow_mut())(TuneEvent::Runs(store.len()));
            Ok::<_, TuneError>(ran)
        };
        let mut told = |one: &Iteration| (watcher.borrow_mut())(TuneEvent::Iteration(one));
        iterations.run(&mut course, &mut told)?
    };
    let Some(best) = raced.last().and_then(|last| last.elites.first()).cloned() else {
        return Ok(None);
    };
    let set =
        if best.number == 1 { Overrides::default() } else { trial_runner.set(&best.candidate) };
    let mut settings = spec.settings.clone();
    settings.overrides.merge(&set);
    let mut validated = Vec::new();
    if best.number > 1 {
        let training = spec.puzzles.blocks[0].puzzles.len();
        let puzzles = training..plan.cells.len();
        let runs = 2 * puzzles.len() * spec.validation_seeds as usize;
        (watcher.borrow_mut())(TuneEvent::Validation(runs));
        for cell in puzzles {
            let mut tried = |set: &Overrides| -> Result<ConfigRuns, TuneError> {
                let wanted = |seed: u32| TrialRequest {
                    cell,
                    set: set.clone(),
                    seed: spec.first_seed.wrapping_add(seed.into()),
                };
                let wanted: Vec<TrialRequest> = (0..spec.validation_seeds).map(wanted).collect();
                let records = trial_runner.run(&wanted, store)?;
                (watcher.borrow_mut())(TuneEvent::Runs(store.len()));
                let solved = records.iter().filter(|run| run.solved()).count();
                Ok(ConfigRuns {
                    costs: records.iter().map(|run| trial_runner.cost(cell, run)).collect(),
                    solved,
                })
            };
            let (default, winner) = (tried(&Overrides::default())?, tried(&set)?);
            let puzzle = plan.cells[cell].puzzle.name.clone();
            validated.push(ValidationPair { puzzle, default, winner });
        }
    }
    let cell = |run: &TrialRecord| {
        let before = if run.validation { spec.puzzles.blocks[0].puzzles.len() } else { 0 };
        before + run.place - 1
    };
    let records =
        store.asked().map(|run| (run.clone(), trial_runner.cost(cell(run), run))).collect();
    let values = match best.number {
        1 => Vec::new(),
        _ => spec.space.texts(&best.candidate),
    };
    Ok(Some(Tuned {
        gain: gain(&validated),
        iterations: raced,
        winner: best.candidate,
        number: best.number,
        settings,
        values,
        validated,
        records,
    }))
}

/// The default configuration as far as it lies in the space, and is the same on all puzzles: children
/// are drawn around that, and anywhere where it has no place.
fn of_default(space: &ParameterSpace, plan: &Plan) -> Candidate {
    let mut values = Vec::new();
    for (place, dimension) in space.dimensions.iter().enumerate() {
        let mut texts = plan.cells.iter().map(|cell| cell.value(dimension.name));
        let first = texts.next().flatten();
        let text = first.filter(|first| texts.all(|text| text.as_ref() == Some(first)));
        let value = text.and_then(|text| dimension.domain.read(&text));
        values.push(value.filter(|_| space.exists(place, &values)));
    }
    Candidate { values }
}

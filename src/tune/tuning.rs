//! A tuning from beginning to end: iterated racing, then validation: the winner against the default
//! configuration on puzzles that it was not tuned on.
//!
//! Validation gives the ratio of their mean costs, below 1 where the winner costs less, with the percentile
//! bootstrap of B. Efron, *Bootstrap methods: another look at the jackknife*, Annals of Statistics 7
//! (1979), 1-26: puzzles are drawn with replacement, and of each the runs of both. So the interval holds for
//! other puzzles of the kind, as far as these are a sample of them.

use std::path::Path;

use super::irace::{Iteration, Iterations};
use super::journal::{TrialJournal, TrialRecord};
use super::race::{RaceTrial, mean};
use super::space::{Candidate, ParameterSpace};
use super::spec::TuneSpec;
use super::trial_runner::{Resources, TrialRequest, TrialRunner, TuneError};
use crate::board::{Puzzle, presolve};
use crate::experiment::{Plan, SpecError, SpecPlace};
use crate::ga::{Overrides, RunSettings};
use crate::random::Draws;
use crate::statistics::{FEWEST, ShareInterval, bootstrap};
use crate::store::ExistingOutput;

/// How often puzzles and runs are drawn.
const RESAMPLES: usize = 2_000;

/// The result of a tuning.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The iterations.
    pub iterations: Vec<Iteration>,
    /// The number of the candidate that won; 1 is the default configuration.
    pub number: usize,
    /// The preset, and all that is set in the winner.
    pub settings: RunSettings,
    /// The tuned parameters and their values in the winner.
    pub values: Vec<(&'static str, String)>,
    /// Both configurations on the validation puzzles; nothing where the default has won.
    pub validated: Vec<ValidationPair>,
    /// The mean cost of the winner there, as a share of the default's.
    pub gain: Option<ShareInterval>,
    /// All runs that it took, in order.
    pub(super) records: Vec<(TrialRecord, f64)>,
}

/// An event of a tuning in progress.
#[derive(Clone, Copy, Debug)]
pub enum TuneEvent<'a> {
    /// This many runs are finished.
    Runs(usize),
    /// An iteration ended.
    Iteration(&'a Iteration),
    /// The winner is validated, in this many runs.
    Validation(usize),
}

/// Receives the events of a tuning.
pub type ProgressWatcher<'w> = dyn Fn(TuneEvent<'_>) + 'w;

/// A tuning that is ready to go.
#[derive(Debug)]
pub struct Tuning {
    /// Its spec.
    pub spec: TuneSpec,
    /// The default configuration on each puzzle, those of training first.
    pub plan: Plan,
}

impl Tuning {
    /// Of a spec, whose puzzles are looked at.
    ///
    /// # Errors
    /// [`SpecError`] when the default configuration does not fit a puzzle, or one cannot be tuned on.
    pub fn new(spec: TuneSpec) -> Result<Self, SpecError> {
        let plan = Plan::new(&spec.puzzles)?;
        let whole = SpecPlace(spec.name.clone());
        if let Some(cell) = plan.cells.iter().find(|cell| cell.skip.is_some()) {
            let what = "has no solution or cannot be run: leave it out";
            return Err(whole.refused(format_args!("{} {what}", cell.puzzle.name)));
        }
        let level = spec.settings.presolve();
        let is_left =
            |puzzle: &Puzzle| presolve(puzzle, level).is_ok_and(|space| !space.free.is_empty());
        let training = spec.puzzles.blocks.first().map_or(&[][..], |block| &block.puzzles);
        let varies = spec.space.dimensions.iter().any(|one| one.name == "presolve");
        if !varies && !training.iter().any(|puzzle| is_left(&puzzle.value)) {
            return Err(whole.refused(
                "presolve alone solves every training puzzle: name harder ones, or set presolve under [parameters]",
            ));
        }
        Ok(Self { spec, plan })
    }

    /// Tunes. `journal` keeps every finished run; those that an earlier tuning left there are not done again,
    /// or are thrown away. `None` where the budget pays no race.
    ///
    /// # Errors
    /// [`TuneError`] when a run or the journal fails, or it was interrupted.
    pub fn run(
        &self,
        means: &Resources<'_>,
        journal: Option<&Path>,
        existing: ExistingOutput,
        watcher: &ProgressWatcher<'_>,
    ) -> Result<Option<Tuned>, TuneError> {
        let (spec, plan) = (&self.spec, &self.plan);
        let fingerprint = TrialRunner::fingerprint(spec, plan);
        let mut store = TrialJournal::open(journal, &fingerprint, existing)?;
        let runner = TrialRunner::new(spec, plan, means);
        let iterations = Iterations {
            space: &spec.space,
            rules: spec.rules,
            budget: spec.budget,
            most_work: spec.cost.max_work,
            seed: spec.seed,
            default: default_candidate(&spec.space, plan),
            possible: &|candidate| runner.possible(candidate),
        };
        let mut run_trials = |trials: &[RaceTrial]| {
            let ran = runner.race(trials, &mut store)?;
            watcher(TuneEvent::Runs(store.known.len()));
            Ok::<_, TuneError>(ran)
        };
        let raced = iterations.run(&mut run_trials, &|one| watcher(TuneEvent::Iteration(one)))?;
        let Some(best) = raced.last().and_then(|last| last.elites.first()) else { return Ok(None) };
        let (number, mut settings) = (best.number, spec.settings.clone());
        let (mut values, mut validated) = (Vec::new(), Vec::new());
        if number > 1 {
            let set = runner.set(&best.candidate);
            settings.overrides.merge(&set);
            values = spec.space.texts(&best.candidate);
            validated = self.validate(&runner, &set, &mut store, watcher)?;
        }
        let cost = |run: &TrialRecord| {
            let before = if run.validation { spec.training() } else { 0 };
            (run.clone(), runner.cost(before + run.place - 1, run))
        };
        let records =
            store.needed.iter().filter_map(|key| store.known.get(key)).map(cost).collect();
        let gain = gain(&validated);
        Ok(Some(Tuned { iterations: raced, number, settings, values, validated, gain, records }))
    }

    /// Runs what the winner sets against the default configuration on each validation puzzle.
    fn validate(
        &self,
        runner: &TrialRunner<'_>,
        winner: &Overrides,
        store: &mut TrialJournal,
        watcher: &ProgressWatcher<'_>,
    ) -> Result<Vec<ValidationPair>, TuneError> {
        let puzzles = self.spec.training()..self.plan.cells.len();
        let seeds = self.spec.validation_seeds;
        watcher(TuneEvent::Validation(2 * puzzles.len() * seeds as usize));
        let mut runs = |cell: usize, set: &Overrides| -> Result<ConfigRuns, TuneError> {
            let request = |seed: u32| TrialRequest {
                cell,
                set: set.clone(),
                seed: self.spec.first_seed.wrapping_add(seed.into()),
            };
            let records = runner.run(&(0..seeds).map(request).collect::<Vec<_>>(), store)?;
            watcher(TuneEvent::Runs(store.known.len()));
            let solved = records.iter().filter(|run| run.solved(&self.spec.cost)).count();
            let costs = records.iter().map(|run| runner.cost(cell, run)).collect();
            Ok(ConfigRuns { costs, solved })
        };
        let pair = |cell: usize| {
            let (default, winner) = (runs(cell, &Overrides::default())?, runs(cell, winner)?);
            let puzzle = self.plan.cells[cell].puzzle.name.clone();
            Ok(ValidationPair { puzzle, default, winner })
        };
        puzzles.map(pair).collect()
    }
}

/// The default configuration as far as it lies in the space, and is the same on all puzzles: children
/// are drawn around that, and anywhere where it has no place.
fn default_candidate(space: &ParameterSpace, plan: &Plan) -> Candidate {
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

/// The runs of a configuration on a puzzle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigRuns {
    /// The cost of each.
    pub costs: Vec<f64>,
    /// Runs with a solution.
    pub solved: usize,
}

/// Both configurations on a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationPair {
    /// The puzzle's name.
    pub puzzle: String,
    /// The default's runs.
    pub default: ConfigRuns,
    /// The winner's.
    pub winner: ConfigRuns,
}

/// The mean cost of the winner as a share of the default's, with its 95 % interval, over all puzzles, each of which
/// has the same weight; `None` with too few runs for an interval, or where nothing costs anything.
pub fn gain(puzzles: &[ValidationPair]) -> Option<ShareInterval> {
    let ratio = |(default, winner): (f64, f64)| {
        if default > 0.0 { winner / default } else { f64::INFINITY }
    };
    let whole = puzzles.iter().fold((0.0, 0.0), |(default, winner), puzzle| {
        (default + mean(&puzzle.default.costs), winner + mean(&puzzle.winner.costs))
    });
    let ratio_of_all = ratio(whole);
    let runs: usize = puzzles.iter().map(|puzzle| puzzle.winner.costs.len()).sum();
    if runs < FEWEST || !ratio_of_all.is_finite() {
        return None;
    }
    // Draws in which nothing costs anything are the largest of all.
    let [low, high] = bootstrap(RESAMPLES, |draws| {
        ratio((0..puzzles.len()).fold((0.0, 0.0), |(default, winner), _| {
            let puzzle = &puzzles[draws.below(puzzles.len() as u32) as usize];
            let first = resampled(&puzzle.default.costs, draws);
            (default + first, winner + resampled(&puzzle.winner.costs, draws))
        }))
    });
    Some(ShareInterval { share: ratio_of_all, low, high })
}

fn resampled(costs: &[f64], draws: &mut Draws) -> f64 {
    let sum: f64 = costs.iter().map(|_| costs[draws.below(costs.len() as u32) as usize]).sum();
    sum / costs.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    fn puzzle(default: &[f64], winner: &[f64]) -> ValidationPair {
        let tried = |costs: &[f64]| ConfigRuns { costs: costs.to_vec(), solved: 0 };
        ValidationPair { puzzle: String::new(), default: tried(default), winner: tried(winner) }
    }

    #[test]
    fn a_gain_that_some_resamples_do_not_show_is_not_significant() {
        // Of 20 puzzles only one costs anything: a third of the resamples leave it out.
        let mut puzzles = vec![puzzle(&[0.0; 5], &[0.0; 5]); 19];
        puzzles.push(puzzle(&[8.0; 5], &[6.0; 5]));
        let found = gain(&puzzles).unwrap();
        assert_eq!((found.share, found.low, found.high), (0.75, 0.75, f64::INFINITY));
    }

    #[test]
    fn equal_costs_gain_nothing_and_half_the_cost_half() {
        let same = [puzzle(&[4.0; 5], &[4.0; 5]), puzzle(&[9.0; 5], &[9.0; 5])];
        assert_eq!(gain(&same), Some(ShareInterval { share: 1.0, low: 1.0, high: 1.0 }));
        let half = [puzzle(&[4.0, 6.0, 5.0], &[2.0, 3.0, 2.5]), puzzle(&[9.0; 3], &[4.5; 3])];
        let found = gain(&half).unwrap();
        assert!((found.share - 0.5).abs() < 1e-12);
        assert!(found.low < 0.5 && found.high > 0.5 && found.high < 0.8, "{found:?}");
        assert_eq!(gain(&[]), None);
        assert_eq!(gain(&[puzzle(&[0.0; 5], &[0.0; 5])]), None);
        assert_eq!(gain(&[puzzle(&[1.0; 4], &[0.5; 4])]), None);
    }

    #[test]
    fn the_interval_holds_the_true_ratio_about_as_often_as_it_says() {
        let mut held = 0;
        for sample in 0..100 {
            let mut draws = GenerationRng::new(7, sample).draws(StreamStage::Plan, 1);
            let mut cost =
                |scale: f64| scale * (0.5 + f64::from(draws.word()) / f64::from(u32::MAX));
            let puzzles: Vec<ValidationPair> = (0..10)
                .map(|_| {
                    let default: Vec<f64> = (0..8).map(|_| cost(10.0)).collect();
                    let winner: Vec<f64> = (0..8).map(|_| cost(7.0)).collect();
                    puzzle(&default, &winner)
                })
                .collect();
            let found = gain(&puzzles).unwrap();
            held += usize::from((found.low..=found.high).contains(&0.7));
        }
        assert!((85..=100).contains(&held), "{held}");
    }
}

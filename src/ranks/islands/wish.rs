//! What rank 0 wants of all islands, and what is told of it.

use serde::{Deserialize, Serialize};

use crate::fitness::{EvaluatorError, Place};
use crate::ga::{
    EngineError, GenerationKind, GenerationStats, IslandSnapshot, PopulationSnapshot, RunError,
};
use crate::ranks::RanksError;

/// Something that all ranks of a run are to do with their islands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wish {
    /// The number of the run.
    pub run: u32,
    /// Its own number, which rises from wish to wish and from run to run.
    pub number: u64,
    /// What is to be done.
    pub want: Want,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Want {
    /// Generations: see [`Wanted`](crate::ga::GenerationRequest).
    Advance {
        /// The number of the first one.
        generation: u32,
        /// Where its children come from.
        source: GenerationKind,
        /// How many there are to be.
        generations: u32,
        /// How often the number of different boards is estimated.
        distinct_every: u32,
        /// Best boards are wanted whose fitness is lower.
        below: u16,
    },
    /// The state of all islands.
    Export,
    /// To go on with this state of all islands.
    Import(PopulationSnapshot),
}

/// What came of a wish on a rank and those below it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The number of the wish.
    pub wish: u64,
    /// What came of it.
    pub what: What,
    /// The first fault of what a rank works with, and that after which a rank does its work
    /// otherwise.
    pub faults: [Option<EvaluatorError>; 2],
}

/// What came of a wish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum What {
    /// Generations, in order.
    Advanced(Vec<GenerationStats>),
    /// The islands' states, in order.
    Exported(Vec<IslandSnapshot>),
    /// A state was taken over.
    Imported,
    /// It was called off.
    CalledOff,
    /// It failed.
    Failed(Failure),
}

/// Why a rank does not go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Which one.
    pub place: Place,
    /// Its device failed, and the run is not done again there.
    pub lost: Option<EvaluatorError>,
    /// What it says.
    pub what: String,
}

impl Told {
    /// Adds what came of it on the ranks after these.
    pub fn append(&mut self, after: Self) {
        for (fault, later) in self.faults.iter_mut().zip(after.faults) {
            *fault = fault.take().or(later);
        }
        let what = std::mem::replace(&mut self.what, What::CalledOff);
        self.what = what.and(after.what);
    }
}

impl What {
    /// Both together.
    fn and(self, after: Self) -> Self {
        match (self, after) {
            (Self::Advanced(mut all), Self::Advanced(after)) if all.len() == after.len() => {
                all.iter_mut().zip(after).for_each(|(summary, after)| summary.append(after));
                Self::Advanced(all)
            }
            (Self::Exported(mut all), Self::Exported(after)) => {
                all.extend(after);
                Self::Exported(all)
            }
            (Self::Imported, Self::Imported) => Self::Imported,
            (Self::Failed(failure), _) | (_, Self::Failed(failure)) => Self::Failed(failure),
            _ => Self::CalledOff,
        }
    }
}

impl Failure {
    /// That of one of those who share the run.
    pub fn of(place: Place, error: &RunError) -> Self {
        let lost = match error {
            RunError::Lost(fault) => Some(fault.clone()),
            _ => None,
        };
        Self { place, lost, what: error.to_string() }
    }
}

impl From<Failure> for RunError {
    fn from(Failure { place, lost, what }: Failure) -> Self {
        match lost {
            Some(fault) => Self::Lost(EvaluatorError::Elsewhere { place, fault: Box::new(fault) }),
            None => Self::Engine(EngineError::new(RanksError::Elsewhere { place, what })),
        }
    }
}

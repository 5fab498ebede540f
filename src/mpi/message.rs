//! The messages of ranks. They travel as postcard writes them: numbers in as few bytes as they need,
//! boards a byte a cell.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fitness::EvaluatorError;
use crate::ga::{
    EngineError, GenerationKind, GenerationStats, IslandSnapshot, PopulationSnapshot, RunError,
};
use crate::run::RemoteReply;
use crate::util::RESULTS_VERSION;

/// Why ranks cannot work together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MpiError {
    /// This build knows no MPI.
    #[error(
        "mpirun started {0} processes, but this evodoku was built without the feature mpi and would \
         do everything {0} times: build it with --features mpi, or use experiment --shard"
    )]
    NotBuilt(usize),
    /// MPI does not start.
    #[error("MPI cannot start: {0}")]
    Start(String),
    /// A rank or an adapter reports an error.
    #[error("{node}: {error}")]
    Remote {
        /// Its name, as in `rank 1`.
        node: String,
        /// Its error.
        error: String,
    },
    /// A rank is about to do something else than rank 0: a sentence.
    #[error("{0}")]
    Mismatch(String),
    /// Rank 0 has reported an error.
    #[error("rank 0 cancelled the job")]
    Cancelled,
}

/// Names and values that must be the same on all ranks.
pub type SharedSettings = Vec<(String, String)>;

/// The settings that every job compares, followed by `own`.
pub fn shared_settings(own: &[(&str, String)]) -> SharedSettings {
    let version = ("version", env!("CARGO_PKG_VERSION").to_owned());
    let settings = [version, ("results version", RESULTS_VERSION.to_string())];
    settings.iter().chain(own).map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// A message from one rank to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// To rank 0: the settings of a rank.
    Hello {
        /// Its settings, or the error that keeps it from starting.
        settings: Result<SharedSettings, String>,
        /// Runs at a time.
        jobs: usize,
    },
    /// From rank 0: all are about to do the same, and may begin.
    Begin(SharingMode),
    /// From rank 0: a job. Those of a rank are numbered from 0, in the order in which they are sent.
    Job(String),
    /// To rank 0: the result of a job.
    JobDone {
        /// The number of the job on its rank.
        job: u64,
        /// The result.
        reply: RemoteReply,
    },
    /// From rank 0: the user wants everything to end.
    Interrupt,
    /// From rank 0: there is nothing more to do.
    End,
    /// From rank 0: a run begins whose islands are shared.
    RunBegins {
        /// Its number, from 1.
        run: u32,
        /// The run, as the caller of [`RootEngine::begin`](super::RootEngine::begin) describes it.
        job: String,
    },
    /// From rank 0: a command for the islands of a rank.
    Command(IslandCommand),
    /// To rank 0: its result.
    Reply(IslandReply),
    /// From rank 0: commands up to this one should be abandoned.
    Cancel(CommandId),
    /// To the rank that has the next island: individuals that migrate there.
    Migrants {
        /// The number of the run.
        run: u32,
        /// The generation at whose end they leave.
        generation: u32,
        /// The individuals.
        individuals: IslandSnapshot,
    },
    /// From rank 0: a run whose islands are shared is over.
    RunEnds {
        /// Its number.
        run: u32,
    },
}

/// The work that ranks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SharingMode {
    /// Whole runs.
    Runs,
    /// The islands of each run.
    Islands,
}

/// The number of a command: the number of its run, and its number in the run, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CommandId {
    /// The number of the run.
    pub run: u32,
    /// The number in the run.
    pub number: u32,
}

/// A command that every rank carries out with its islands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IslandCommand {
    /// Its number.
    pub id: CommandId,
    /// The work.
    pub task: IslandTask,
}

/// The work of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum IslandTask {
    /// To carry out generations: see [`GenerationRequest`](crate::ga::GenerationRequest).
    Advance {
        /// The number of the first one.
        generation: u32,
        /// Where its children come from.
        source: GenerationKind,
        /// The number of generations.
        generations: u32,
        /// How often the number of different boards is estimated.
        distinct_every: u32,
        /// Best boards are wanted whose fitness is lower.
        below: u16,
    },
    /// To give the state of the islands.
    Export,
    /// To continue from this state of all islands.
    Import(PopulationSnapshot),
}

/// The reply of a rank to a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IslandReply {
    /// The number of the command.
    pub id: CommandId,
    /// The result.
    pub result: TaskResult,
    /// The first fault of the rank's engine, and the fault after which a fallback took its place.
    pub faults: [Option<EvaluatorError>; 2],
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TaskResult {
    /// Generations, in order.
    Advanced(Vec<GenerationStats>),
    /// The islands' states, in order.
    Exported(Vec<IslandSnapshot>),
    /// A state was taken over.
    Imported,
    /// The command was cancelled, or the rank interrupted.
    Cancelled,
    /// The rank failed.
    Failed(RankFailure),
}

/// Why a rank cannot continue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankFailure {
    /// The name of the rank.
    pub node: String,
    /// The fault of its device, if it failed, and the run is not done again there.
    pub lost: Option<EvaluatorError>,
    /// The message of the error.
    pub error: String,
}

impl TaskResult {
    /// Whether the others may stop.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Failed(_))
    }

    /// These results, and that of the next rank.
    pub fn and(self, next: Self) -> Self {
        match (self, next) {
            (Self::Advanced(mut all), Self::Advanced(next)) if all.len() == next.len() => {
                all.iter_mut().zip(next).for_each(|(summary, next)| summary.append(next));
                Self::Advanced(all)
            }
            (Self::Exported(mut all), Self::Exported(next)) => {
                all.extend(next);
                Self::Exported(all)
            }
            (Self::Imported, Self::Imported) => Self::Imported,
            (failed @ Self::Failed(_), _) | (_, failed @ Self::Failed(_)) => failed,
            _ => Self::Cancelled,
        }
    }
}

impl RankFailure {
    /// The failure of a rank by an error.
    pub fn new(node: String, error: &RunError) -> Self {
        let lost = match error {
            RunError::Lost(fault) => Some(fault.clone()),
            _ => None,
        };
        Self { node, lost, error: error.to_string() }
    }
}

impl From<RankFailure> for RunError {
    fn from(RankFailure { node, lost, error }: RankFailure) -> Self {
        match lost {
            Some(fault) => Self::Lost(EvaluatorError::Remote { node, fault: Box::new(fault) }),
            None => Self::Engine(EngineError::new(MpiError::Remote { node, error })),
        }
    }
}

//! What ranks write each other. It travels as postcard writes it: numbers in as few bytes as they
//! need, boards a byte a cell.

use serde::{Deserialize, Serialize};

use super::islands::{Told, Wish};
use crate::ga::IslandSnapshot;

/// Something that must be the same on all ranks: its name, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact(pub String, pub String);

/// A letter from one rank to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Letter {
    /// To rank 0: what a rank is about to do, or what keeps it from that, and its runs at a time.
    Hello {
        /// What it is about to do.
        facts: Result<Vec<Fact>, String>,
        /// Runs at a time.
        seats: usize,
    },
    /// From rank 0: all are about to do the same, and do it, sharing this.
    Begin(Sharing),
    /// From rank 0: something to do, for one of the seats of a rank.
    Job {
        /// Which seat.
        seat: usize,
        /// What to do.
        job: String,
    },
    /// To rank 0: what came of it.
    Done {
        /// Which seat did it.
        seat: usize,
        /// What came of it.
        reply: Reply,
    },
    /// From rank 0: the user wants everything to end.
    Interrupt,
    /// From rank 0: there is nothing more to do.
    End,
    /// From rank 0: a run whose islands ranks share.
    Run {
        /// Its number, from 1.
        run: u32,
        /// What is to be run.
        job: String,
    },
    /// From rank 0, down the tree: what is wanted next of all islands.
    Wish(Wish),
    /// To rank 0, up the tree: what came of that.
    Told(Told),
    /// To whoever has the next island: individuals that leave for it.
    Migrants {
        /// The number of the run.
        run: u32,
        /// At the end of which generation.
        generation: u32,
        /// Who they are.
        individuals: IslandSnapshot,
    },
    /// To rank 0, and from it to all: wishes up to this one should be abandoned.
    CallOff {
        /// The number of the wish.
        wish: u64,
    },
    /// From rank 0: a run whose islands were shared is over.
    Over {
        /// Its number.
        run: u32,
    },
}

/// What ranks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sharing {
    /// Whole runs.
    Runs,
    /// The islands of each run.
    Islands,
}

/// What a letter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Orders.
    Orders,
    /// To sum up generations.
    Reduction,
    /// To let individuals travel.
    Migration,
}

impl Letter {
    /// What it is for.
    pub fn purpose(&self) -> Purpose {
        match self {
            Self::Wish(_) | Self::Told(_) => Purpose::Reduction,
            Self::Migrants { .. } => Purpose::Migration,
            _ => Purpose::Orders,
        }
    }
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Its result.
    Done(String),
    /// Nothing: everything is to end.
    Interrupted,
    /// It failed.
    Failed(String),
}

//! What ranks write each other, as JSON.

use serde::{Deserialize, Serialize};

/// Something that must be the same on all ranks: its name, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact(pub String, pub String);

/// A letter from one rank to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Letter {
    /// To rank 0: what a rank is about to do, or what keeps it from that, and its runs at a time.
    Hello {
        /// What it is about to do.
        facts: Result<Vec<Fact>, String>,
        /// Runs at a time.
        seats: usize,
    },
    /// From rank 0: all are about to do the same, and do it.
    Begin,
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

//! Where the islands of a run are bred, besides here: on processes of a job, or on adapters of this
//! one. What is said of a fault names the place: `adapter 1: the device was lost`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of several that share the islands of a run, by its number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// A process of a job.
    Rank(usize),
    /// A graphics adapter of this process.
    Adapter(usize),
}

impl Place {
    /// What there are several of, in a word.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Rank(_) => "rank",
            Self::Adapter(_) => "adapter",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Rank(number) | Self::Adapter(number)) = self;
        write!(f, "{} {number}", self.noun())
    }
}

//! The figures of a run: how it ended, and what cells are summed up from.

use super::Series;
use crate::ga::StopReason;
use crate::report::RunCost;
use crate::util::named_enum::named;

/// Works whose ratio is at most this are alike: generations are not cut short.
pub const ALIKE: f64 = 1.1;

named! {
    /// The cause that ended a run, of evolution or of an exact method.
    pub enum StopCause {
        /// Presolve left nothing to evolve.
        Presolved = "presolved",
        /// A solution was found, and checked.
        Solved = "solved",
        /// A proof that there is no solution was found.
        NoSolution = "no solution",
        /// The user ended it.
        Interrupted = "interrupted",
        /// The time limit was reached.
        Time = "time",
        /// The bound on evaluations plus moves was reached.
        Work = "work",
        /// The bound on generations was reached.
        Generations = "generations",
        /// The method gave up, or gave a board that is no solution.
        Failed = "failed",
    }
}

#[allow(clippy::derivable_impls, reason = "named! marks no variant as the default")]
impl Default for StopCause {
    fn default() -> Self {
        Self::Failed
    }
}

impl From<StopReason> for StopCause {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Presolved => Self::Presolved,
            StopReason::Solved => Self::Solved,
            StopReason::Interrupted | StopReason::Observer => Self::Interrupted,
            StopReason::Time => Self::Time,
            StopReason::Work => Self::Work,
            StopReason::Generations => Self::Generations,
            StopReason::Lost => Self::Failed,
        }
    }
}

/// The figures of a run that its cell's summary needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunMetrics {
    /// The cause that ended it.
    pub end: StopCause,
    /// The best board's fitness.
    pub fitness: u16,
    /// The number of the last complete generation.
    pub generations: u32,
    /// Boards scored.
    pub evaluations: u64,
    /// Evaluations plus moves.
    pub work: u64,
    /// Whether it found a solution with over a tenth more work than `max_work`, which is no success.
    pub late: bool,
    /// Wall time.
    pub seconds: f64,
    /// Why the run continued on the CPU, or could not continue, if so.
    pub fault: Option<String>,
    /// Best and worst fitness by generation.
    pub series: Series,
}

impl RunMetrics {
    /// Whether another run of the same seed and parameters has the same result. One that time ended
    /// could have any.
    pub(super) fn agree(&self, other: &Self) -> bool {
        let timed = |figures: &Self| figures.end == StopCause::Time;
        let same = |figures: &Self| Self { seconds: 0.0, fault: None, ..figures.clone() };
        timed(self) || timed(other) || same(self) == same(other)
    }

    /// Whether presolve left something to evolve.
    pub(super) fn is_evolved(&self) -> bool {
        self.end != StopCause::Presolved
    }

    /// Its work, and whether that gave a solution, late or not.
    pub(super) fn cost(&self) -> RunCost {
        RunCost { work: self.work, solved: self.end == StopCause::Solved }
    }

    /// Whether the method solved the puzzle with the work that it might spend; what presolve alone does is not its
    /// success.
    pub fn solved(&self) -> bool {
        self.end == StopCause::Solved && !self.late
    }
}

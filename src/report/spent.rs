//! What a run cost.

/// What a run cost, and whether it found a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Evaluations plus moves.
    pub work: u64,
    /// Whether it found a solution.
    pub solved: bool,
}

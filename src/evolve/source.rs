//! Where the children of a generation come from.

/// Where children come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// New boards: the first generation.
    Initialiser,
    /// New boards in place of a population that is given up.
    Restart,
    /// Two parents each.
    Parents,
}

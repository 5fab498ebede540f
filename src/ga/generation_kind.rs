//! Where the children of a generation come from.

use serde::{Deserialize, Serialize};

/// Where children come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GenerationKind {
    /// New boards: the first generation.
    Initialiser,
    /// New boards in place of a population that is given up.
    Restart,
    /// Two parents each.
    Parents,
}

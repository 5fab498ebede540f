//! What a search adds to a puzzle's tables.

/// Sections of a search, one behind the other.
pub(in crate::device) struct SearchTables {
    /// Words of each search, steps of a round, where sections begin, and what else has a place among
    /// the counts.
    pub counts: Vec<u32>,
    pub words: Vec<u32>,
}

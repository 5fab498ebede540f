//! Tabu search on the device: its memory, and what it reads of a puzzle.

mod layout;
mod packed_counts;
mod tables;

pub(super) use layout::TabuLayout;
#[cfg(test)]
pub(in crate::gpu_engine) use layout::round_steps;
pub(super) use tables::tables;

//! Tabu search on the device: its memory, and what it reads of a puzzle.

mod fields;
mod memory;
mod rounds;
mod tables;

pub(super) use memory::TabuMemory;
#[cfg(test)]
pub(in crate::device) use rounds::round_steps;
pub(super) use tables::tables;

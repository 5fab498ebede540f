//! Tabu search on the device: its memory, and what it reads of a puzzle.

mod fields;
mod memory;
mod tables;

pub(in crate::device) use memory::TabuMemory;
pub(super) use tables::{SearchTables, tables};

//! Tuning: iterated racing finds which parameters of a method cost least on some puzzles, and validation what
//! they gain on others.
//!
//! A [`TuneSpec`] describes a tuning. Configurations are sampled and raced (`irace.rs`, `race.rs`), and sampled
//! again around the survivors, until the budget is spent. The winner then meets the default configuration on
//! other puzzles (`tuning.rs`). The race is independent of puzzles: it is given a function from configurations
//! and blocks to costs. A tuning gives the same for a seed on any machine and with any number of threads; its
//! runs are kept in a journal (`journal.rs`).

mod irace;
mod journal;
mod race;
mod report;
mod space;
mod space_parser;
mod spec;
#[cfg(test)]
mod tests;
mod trial_runner;
mod tuning;

pub use report::TuneSummary;
pub use spec::TuneSpec;
pub use trial_runner::{Resources, TuneError};
pub use tuning::{TuneEvent, Tuned, Tuning};

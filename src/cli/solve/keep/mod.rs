//! Checkpoints of `solve`: what it takes to go on after whatever ended the command.
//!
//! One file holds all of it (`form.rs`): what was asked for, the runs that are done, the population of
//! each that is under way, and how far its trace and its recording were written. `keeper.rs` writes it
//! while runs go on, `resumed.rs` reads it and finds what contradicts it.

pub mod attacked;
mod form;
mod keeper;
mod resumed;
mod runs;
mod seat;

use std::path::PathBuf;

use clap::Args;

pub use form::{Input, Marks, Task, anywhere};
pub use keeper::Keeper;
pub use resumed::{Resumed, outcome_of};
pub use seat::Seat;

use crate::cli::every;
use crate::quantity::Interval;

/// Flags of checkpoints.
#[derive(Debug, Args)]
pub struct KeepArgs {
    /// Keep a checkpoint in this file, from which --resume goes on with the same run; the one before it
    /// is kept as FILE.1. It is removed when all runs have ended, but for a run whose budget was spent
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is written: a time, as in 30s, or generations, as in 100g (default: 30s)
    #[arg(long, value_name = "EVERY", value_parser = every)]
    pub checkpoint_every: Option<Interval>,
    /// Throw away the checkpoint that FILE of --checkpoint holds
    #[arg(long, requires = "checkpoint")]
    pub overwrite: bool,
    /// Go on from a checkpoint, with all that was asked for then: puzzles, parameters, outputs. What
    /// bounds the run, where it happens and what is written may be given anew
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

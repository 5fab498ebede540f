//! Boards, random numbers, scoring on the CPU, operators and the generation loop of
//! [evodoku](https://docs.rs/evodoku), which re-exports all that is stable.
//!
//! It is a crate of its own so that it is compiled beside the drivers of GPUs and terminals, and so that a build of
//! the command optimises it alone: its loops take nearly all the time of a run. Names that are hidden from the
//! documentation serve evodoku's other folders and may change at any time.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "a test may fail where the system gives no thread")
)]

pub mod board;
pub mod exact;
pub mod fitness;
pub mod format;
pub mod ga;
pub mod generate;
pub mod random;
#[doc(hidden)]
pub mod statistics;
#[doc(hidden)]
pub mod util;

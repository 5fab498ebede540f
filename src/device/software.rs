//! What software drivers do that GPUs do not.

/// Turns of all loops of a thread that software drivers allow.
///
/// llvmpipe ends every loop of a thread after 65,535 turns of all loops together, without a word
/// and with whatever values there are (`LP_MAX_TGSI_LOOP_ITERATIONS` in Mesa's source); threads
/// that run side by side in a vector count together.
pub(super) const MOST_TURNS: u64 = 65_535;

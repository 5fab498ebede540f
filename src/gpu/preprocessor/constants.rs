//! Constants that Rust knows, written for kernels: they stand nowhere else.

use crate::random::philox::{MULTIPLIER, ROUNDS, WEYL};
use crate::random::{StreamStage, WHOLE_POPULATION};

/// Words by their names in WGSL, under a line that says what they are.
pub(crate) fn constants(about: &str, words: &[(&str, usize)]) -> String {
    let mut text = format!("// {about}\n");
    for (name, word) in words {
        text += &format!("const {name} = {word}u;\n");
    }
    text
}

/// The text that `random/philox.wgsl` chooses as `philox`.
pub fn philox_constants() -> String {
    let pair =
        |name: &str, [x, y]: [u32; 2]| format!("const {name} = vec2<u32>({x:#X}u, {y:#X}u);\n");
    let rounds = constants(
        "The generator, and what is added to its key each round.",
        &[("PHILOX_ROUNDS", ROUNDS as usize)],
    );
    [rounds, pair("PHILOX_MULTIPLIER", MULTIPLIER), pair("PHILOX_WEYL", WEYL)].concat()
}

/// The text that `random/draws.wgsl` chooses as `stages`: what draws are for.
pub(crate) fn stage_constants() -> String {
    let stages = [
        ("INITIALISE", StreamStage::Initialise),
        ("PLAN", StreamStage::Plan),
        ("SELECT", StreamStage::Select),
        ("CROSS", StreamStage::Cross),
        ("MUTATE", StreamStage::Mutate),
        ("IMPROVE", StreamStage::Improve),
        ("REPLACE", StreamStage::Replace),
        ("MIGRATE", StreamStage::Migrate),
        ("COUPLE", StreamStage::Couple),
    ];
    let stages = stages.map(|(name, stage)| (name, stage as usize));
    let whole = [("WHOLE_POPULATION", WHOLE_POPULATION as usize)];
    constants("What draws are for, and the slot of those for all.", &[&stages[..], &whole].concat())
}

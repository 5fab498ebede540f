//! Constants that Rust knows, written for kernels: they stand nowhere else.

use crate::ga::improvement::{CELL_NUMBERS, RANK_BITS, RANK_MULTIPLIERS, RANK_SHIFT};
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

/// The text that `improvement/tabu/ties.wgsl` chooses as `ties`: how equally good moves are ranked.
pub(crate) fn tie_constants() -> String {
    let mask = (1 << RANK_BITS) - 1;
    let pair =
        |name: &str, [x, y]: [u32; 2]| format!("const {name} = vec2<u32>({x:#X}u, {y:#X}u);\n");
    let inverses = RANK_MULTIPLIERS.map(|odd| inverse(odd) & mask);
    let multipliers = pair("RANK_MULTIPLIER", RANK_MULTIPLIERS) + &pair("RANK_INVERSE", inverses);
    let words = constants(
        "Numbers of a cell's moves, and the bits of a rank.",
        &[
            ("CELL_NUMBERS", CELL_NUMBERS as usize),
            ("RANK_BITS", RANK_BITS as usize),
            ("RANK_MASK", mask as usize),
            ("RANK_SHIFT", RANK_SHIFT as usize),
        ],
    );
    words + &multipliers
}

/// The number whose product with an odd one is 1, by Newton's iteration: each turn doubles the bits
/// that are right, of which an odd number as its own inverse has three.
fn inverse(odd: u32) -> u32 {
    let turn = |inverse: u32, _| inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)));
    (0..4).fold(odd, turn)
}

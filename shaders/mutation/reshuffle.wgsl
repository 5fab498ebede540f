// Two values in random order. On the CPU: src/core/ga/mutation/reshuffle.rs

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"

fn mutate(slot: u32) {
    draws(MUTATE, slot);
    if (!chance(MUTATION_RATE)) {
        return;
    }
    let unit = below(UNITS);
    let start = table(UNIT_STARTS + unit);
    let blanks = table(UNIT_STARTS + unit + 1u) - start;
    if (blanks < 2u) {
        return;
    }
    let pair = pair_below(blanks);
    if (coin()) {
        exchange(table(UNIT_BLANKS + start + pair.x), table(UNIT_BLANKS + start + pair.y));
    }
}

// Two values in random order. Twin: src/evolve/mutation/reshuffle.rs

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
    let start = tables[UNIT_STARTS + unit];
    let blanks = tables[UNIT_STARTS + unit + 1u] - start;
    if (blanks < 2u) {
        return;
    }
    let pair = pair_below(blanks);
    if (coin()) {
        exchange(tables[UNIT_BLANKS + start + pair.x], tables[UNIT_BLANKS + start + pair.y]);
    }
}

// One exchange in one unit. Twin: src/evolve/mutation/exchange.rs

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"

fn mutate(slot: u32) {
    draws(MUTATE, slot);
    let units = tables[WIDE_UNIT_COUNT];
    if (units == 0u || !chance(MUTATION_RATE)) {
        return;
    }
    let unit = tables[WIDE_UNITS + below(units)];
    let start = tables[UNIT_STARTS + unit];
    let pair = pair_below(tables[UNIT_STARTS + unit + 1u] - start);
    exchange(tables[UNIT_BLANKS + start + pair.x], tables[UNIT_BLANKS + start + pair.y]);
}

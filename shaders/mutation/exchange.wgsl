// One exchange in one unit. On the CPU: src/core/ga/mutation/exchange.rs

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"

fn mutate(slot: u32) {
    draws(MUTATE, slot);
    let units = table(WIDE_UNIT_COUNT);
    if (units == 0u || !chance(MUTATION_RATE)) {
        return;
    }
    let unit = table(WIDE_UNITS + below(units));
    let start = table(UNIT_STARTS + unit);
    let pair = pair_below(table(UNIT_STARTS + unit + 1u) - start);
    exchange(table(UNIT_BLANKS + start + pair.x), table(UNIT_BLANKS + start + pair.y));
}

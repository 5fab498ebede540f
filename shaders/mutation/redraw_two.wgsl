// New values for two cells. On the CPU: src/core/ga/mutation/redraw_two.rs

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "encoding/redraw.wgsl"

fn mutate(slot: u32) {
    draws(MUTATE, slot);
    let blanks = table(FREE_COUNT);
    if (blanks < 2u || !chance(MUTATION_RATE)) {
        return;
    }
    let pair = pair_below(blanks);
    redraw(table(FREE + pair.x));
    redraw(table(FREE + pair.y));
}

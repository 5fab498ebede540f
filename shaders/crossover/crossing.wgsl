// Crossover of some couples; the other children are their first parent.
// On the CPU: `cross_at_rate` of src/core/ga/crossover/mod.rs
//
// The child is the first parent at first, and the second lies in the working memory.

#choose parameters
#include "random/draws.wgsl"
#choose cross

fn cross_at_rate(slot: u32) {
    if (CROSSOVER_RATE < ALWAYS) {
        draws(COUPLE, slot);
        if (!chance(CROSSOVER_RATE)) {
            return;
        }
    }
    cross(slot);
}

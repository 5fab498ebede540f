// Crossover of some couples; the other children copy their first parent. On the CPU: `cross_at_rate` of src/core/ga/crossover/mod.rs

#choose task
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose cross

fn cross_or_copy(parents: vec2<u32>, slot: u32) {
    if (CROSSOVER_RATE < ALWAYS) {
        draws(COUPLE, slot);
        if (!chance(CROSSOVER_RATE)) {
            copy_parent(parents.x);
            return;
        }
    }
    cross(parents, slot);
}

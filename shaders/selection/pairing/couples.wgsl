// Couple i is the i-th of the shuffled pool with the i-th from the end.
// On the CPU: src/core/ga/selection/truncation.rs

#choose task
#choose parameters
#include "random/permutation.wgsl"

fn places(slot: u32) -> vec2<u32> {
    let couple = slot / CHILDREN;
    return vec2<u32>(shuffled(couple), shuffled(task.pool - 1u - couple));
}

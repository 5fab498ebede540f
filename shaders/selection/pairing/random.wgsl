// Both parents are drawn for each child. On the CPU: src/core/ga/selection/truncation.rs

#choose task
#include "random/draws.wgsl"

fn places(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    let first = below(task.pool);
    let second = below(task.pool);
    return vec2<u32>(first, second);
}

// Parents by rank. On the CPU: src/core/ga/selection/linear_rank.rs

#choose task
#choose plan
#include "random/draws.wgsl"

fn rank() -> u32 {
    let last = task.population - 1u;
    let x = below(task.population);
    let y = below(task.population + 1u);
    return last - select(last - x, x, y <= x);
}

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    let first = rank();
    let second = rank();
    return vec2<u32>(planned(ORDER + first), planned(ORDER + second));
}

// Parents by score. On the CPU: src/core/ga/selection/roulette.rs

#choose task
#choose plan
#include "random/draws.wgsl"
#include "selection/wheel.wgsl"

fn parents(slot: u32) -> vec2<u32> {
    draws(SELECT, slot);
    let first = rank_at(spin());
    let second = rank_at(spin());
    return vec2<u32>(planned(ORDER + first), planned(ORDER + second));
}

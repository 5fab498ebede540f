// A wheel on which each individual's sector is as wide as its score.
// On the CPU: `Wheel` of src/core/ga/selection/roulette.rs

#choose task
#choose plan
#choose block
#include "random/draws.wgsl"

// Halvings after which one fitness is left.
const HALVINGS = 16u;

// The circumference, which fits a word: worst fitness times population does.
fn circumference() -> u32 {
    let sum = planned(SUMS + BINS);
    return select(sum, task.population, sum == 0u);
}

// A random position.
fn spin() -> u32 {
    return below(circumference());
}

// The rank whose sector contains a position.
fn rank_at(position: u32) -> u32 {
    if (planned(SUMS + BINS) == 0u) {
        return position;
    }
    // The lowest fitness whose sectors end after the position.
    var fitness = 0u;
    var most = BINS - 1u;
    for (var halving = 0u; halving < HALVINGS; halving++) {
        if (fitness == most) {
            break;
        }
        let middle = (fitness + most) / 2u;
        if (planned(SUMS + middle + 1u) > position) {
            most = middle;
        } else {
            fitness = middle + 1u;
        }
    }
    let among = (position - planned(SUMS + fitness)) / (BINS - 1u - fitness);
    return planned(STARTS + fitness) + among;
}

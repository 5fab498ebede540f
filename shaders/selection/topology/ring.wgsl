// Neighbours are near on a ring. On the CPU: src/core/ga/selection/local_tournament.rs

#choose task
#choose parameters
#include "random/draws.wgsl"

fn neighbour(slot: u32) -> u32 {
    let back = task.population - RADIUS % task.population;
    return (slot + back + below(2u * RADIUS + 1u)) % task.population;
}

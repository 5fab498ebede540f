// All are neighbours. On the CPU: src/core/ga/selection/local_tournament.rs

#choose task
#include "random/draws.wgsl"

fn neighbour(slot: u32) -> u32 {
    return below(task.population);
}

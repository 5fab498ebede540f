// All are neighbours. Twin: src/ga/selection/topology.rs

#choose task
#include "random/draws.wgsl"

fn neighbour(slot: u32) -> u32 {
    return below(task.population);
}

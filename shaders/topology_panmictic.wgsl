// All are neighbours. Twin: src/evolve/selection/topology.rs

fn neighbour(slot: u32) -> u32 {
    return below(task.population);
}

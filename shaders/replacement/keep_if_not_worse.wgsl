// A child takes its slot unless it is worse. On the CPU: src/core/ga/replacement/keep_if_not_worse.rs

#choose task

fn survives(slot: u32, fitness: u32) -> bool {
    return fitness <= old_fitness(slot);
}

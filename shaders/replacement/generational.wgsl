// The children replace the population. On the CPU: src/core/ga/replacement/generational.rs

fn survives(slot: u32, fitness: u32) -> bool {
    return true;
}

// The child is its first parent. On the CPU: src/core/ga/crossover/none.rs

fn cross(slot: u32) {}

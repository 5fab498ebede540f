// Children stay as they are. On the CPU: src/core/ga/mutation/none.rs

fn mutate(slot: u32) {}

// Children stay as they are. On the CPU: src/ga/mutation/none.rs

fn mutate(slot: u32) {}

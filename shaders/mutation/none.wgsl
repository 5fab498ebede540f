// Children stay as they are. Twin: src/evolve/mutation/none.rs

fn mutate(slot: u32) {}

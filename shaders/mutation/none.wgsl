// Children stay as they are. Twin: src/ga/mutation/none.rs

fn mutate(slot: u32) {}

// No improvement: the child is scored as it is. Twin: src/evolve/improvement/none.rs

fn improve(slot: u32) -> u32 {
    return fitness();
}

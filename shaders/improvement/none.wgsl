// No improvement: the child is scored as it is. Twin: src/evolve/improvement/none.rs

#choose fitness

fn improve(slot: u32) -> u32 {
    return fitness();
}

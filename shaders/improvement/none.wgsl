// No improvement: the child is scored as it is. Twin: src/ga/improvement/none.rs

#choose fitness

fn improve(slot: u32) -> u32 {
    return fitness();
}

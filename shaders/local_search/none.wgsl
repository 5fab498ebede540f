// No local search: the child is scored as it is. On the CPU: src/core/ga/local_search/none.rs

#choose fitness

fn begin_effort() {}

fn end_effort() {}

fn improve(slot: u32) -> u32 {
    return fitness();
}

// Each free cell by itself: the number of the coin that decides for free cell number `place`.
// On the CPU: `Inherit` of src/core/ga/crossover/agreement.rs

#choose task
#choose tables

fn coin_of(cell: u32, place: u32) -> u32 {
    return place;
}

fn coins() -> u32 {
    return table(FREE_COUNT);
}

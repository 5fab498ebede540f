// A box as a whole: the number of the coin that decides for free cell number `place`.
// On the CPU: `Inherit` of src/core/ga/crossover/agreement.rs

#choose shape

fn coin_of(cell: u32, place: u32) -> u32 {
    return cell / SIDE / BOX_ROWS * (SIDE / BOX_COLS) + cell % SIDE / BOX_COLS;
}

fn coins() -> u32 {
    return SIDE;
}

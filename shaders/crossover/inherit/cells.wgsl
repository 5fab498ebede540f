// Each free cell apart: the coin that decides for a free cell, of which `place` is the number.

#choose task
#choose tables

fn coin_of(cell: u32, place: u32) -> u32 {
    return place;
}

fn coins() -> u32 {
    return table(FREE_COUNT);
}

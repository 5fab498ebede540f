// A column as a whole: the coin that decides for a free cell, of which `place` is the number.

#choose shape

fn coin_of(cell: u32, place: u32) -> u32 {
    return cell % SIDE;
}

fn coins() -> u32 {
    return SIDE;
}

// Cell number `k` of box number `box`.

#choose shape

fn cell_in_box(box: u32, k: u32) -> u32 {
    let stacks = SIDE / BOX_COLS;
    let row = box / stacks * BOX_ROWS + k / BOX_COLS;
    return row * SIDE + box % stacks * BOX_COLS + k % BOX_COLS;
}

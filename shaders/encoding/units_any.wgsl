// Units are the rows, then the columns, then the boxes.

#choose shape

fn is_in_unit(cell: u32, unit: u32) -> bool {
    let row = cell / SIDE;
    let column = cell % SIDE;
    let box = row / BOX_ROWS * (SIDE / BOX_COLS) + column / BOX_COLS;
    return row == unit || column + SIDE == unit || box + 2u * SIDE == unit;
}

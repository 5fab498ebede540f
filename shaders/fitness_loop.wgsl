// The fitness of the board whose first word is `first`, a row, a column and a box at a time.
fn fitness(first: u32) -> u32 {
    var distinct = 0u;
    for (var unit = 0u; unit < SIDE; unit++) {
        // A band of boxes holds as many of them as a box has rows.
        let box_row = unit / BOX_ROWS * BOX_ROWS;
        let box_col = unit % BOX_ROWS * BOX_COLS;
        var row = EMPTY;
        var column = EMPTY;
        var in_box = EMPTY;
        for (var k = 0u; k < SIDE; k++) {
            row |= value_bit(cell_at(first, unit, k));
            column |= value_bit(cell_at(first, k, unit));
            in_box |= value_bit(cell_at(first, box_row + k / BOX_COLS, box_col + k % BOX_COLS));
        }
        distinct += size(row) + size(column) + size(in_box);
    }
    return 3u * SIDE * SIDE - distinct;
}

// The cell in the lowest byte.
fn cell_at(first: u32, row: u32, column: u32) -> u32 {
    let cell = row * SIDE + column;
    return boards[first + cell / 4u] >> (cell % 4u * 8u);
}

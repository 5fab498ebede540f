// The fitness of the child, line by line.

fn fitness() -> u32 {
    var distinct = 0u;
    for (var line = 0u; line < SIDE; line++) {
        var row = EMPTY;
        var column = EMPTY;
        var box = EMPTY;
        // Stacks are as many as a box has rows.
        let corner = line / BOX_ROWS * BOX_ROWS * SIDE + line % BOX_ROWS * BOX_COLS;
        for (var k = 0u; k < SIDE; k++) {
            row |= value_bit(child_cell(line * SIDE + k));
            column |= value_bit(child_cell(k * SIDE + line));
            box |= value_bit(child_cell(corner + k / BOX_COLS * SIDE + k % BOX_COLS));
        }
        distinct += size(row) + size(column) + size(box);
    }
    return 3u * SIDE * SIDE - distinct;
}

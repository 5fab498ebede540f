// The lines that may hold duplicates where rows are permuted: columns and boxes.

#choose shape

fn lines_of(cell: u32) -> vec2<u32> {
    let column = cell % SIDE;
    let stacks = SIDE / BOX_COLS;
    return vec2<u32>(column, cell / SIDE / BOX_ROWS * stacks + column / BOX_COLS);
}

// The unit of a cell that is permuted: its row.
fn unit_of(cell: u32) -> u32 {
    return cell / SIDE;
}

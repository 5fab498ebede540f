// The lines that may hold duplicates where columns are permuted: rows and boxes.

#choose shape

fn lines_of(cell: u32) -> vec2<u32> {
    let row = cell / SIDE;
    let stacks = SIDE / BOX_COLS;
    return vec2<u32>(row, row / BOX_ROWS * stacks + cell % SIDE / BOX_COLS);
}

// The unit of a cell that is permuted: its column.
fn unit_of(cell: u32) -> u32 {
    return cell % SIDE;
}

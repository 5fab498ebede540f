// The lines that may hold duplicates where boxes are permuted: rows and columns.

#choose shape

fn lines_of(cell: u32) -> vec2<u32> {
    return vec2<u32>(cell / SIDE, cell % SIDE);
}

// Cell number `k` of line number `line` of each kind.
fn cells_in_lines(line: u32, k: u32) -> vec2<u32> {
    return vec2<u32>(line * SIDE + k, k * SIDE + line);
}

// The unit of a cell that is permuted: its box.
fn unit_of(cell: u32) -> u32 {
    return cell / SIDE / BOX_ROWS * (SIDE / BOX_COLS) + cell % SIDE / BOX_COLS;
}

// Sets of values side by side in the fields of a word: value v of field f is bit
// f * (SIDE + 1) + v. Bit 0 of a field stands for a blank and is not counted.

#choose shape
#choose fields

alias Fields = u32;

const NO_VALUES: Fields = 0u;
// The top bits of all bytes.
const TOP_BITS = 0x80808080u;

// Four cells. The result has none of TOP_BITS when no cell is above SIDE: then no byte carries into the next.
// Otherwise it has that of the lowest such cell.
fn above_side(cells: u32) -> u32 {
    return (cells + ABOVE) | cells;
}

// Four cells, with blanks in place of those above SIDE; only the low seven bits are cleared.
fn cleaned(cells: u32) -> u32 {
    let above = (((cells & 0x7F7F7F7Fu) + ABOVE) | cells) & TOP_BITS;
    return cells & ~(above - (above >> 7u));
}

// The lowest byte of cleaned cells as a set, in the field whose bit 0 is `blank`.
fn field_bit(blank: u32, cells: u32) -> Fields {
    return blank << (cells & 31u);
}

// The values in all fields.
fn count_values(fields: Fields) -> u32 {
    return countOneBits(fields & FIELDS);
}

// A set of values in two words: values 1 to 32 in the first, 33 to 64 in the second.

#choose shape

alias Fields = vec2<u32>;

const NO_VALUES: Fields = vec2<u32>(0u, 0u);

// The set that holds the lowest byte of `cell` alone, or nothing when it is no value. There is one field.
fn field_bit(blank: u32, cell: u32) -> Fields {
    // A blank wraps round to a number above every side.
    let index = (cell & 0xFFu) - 1u;
    let bit = select(0u, 1u << (index & 31u), index < SIDE);
    return select(vec2<u32>(0u, bit), vec2<u32>(bit, 0u), index < 32u);
}

fn count_values(values: Fields) -> u32 {
    return countOneBits(values.x) + countOneBits(values.y);
}

// A set of values in two words: values 1 to 32 in the first, 33 to 64 in the second.

#choose shape
#choose task
#choose tables
#include "board/values.wgsl"

alias Set = vec2<u32>;

const EMPTY: Set = vec2<u32>(0u, 0u);

// The set that holds the lowest byte of `cell` alone, or nothing when it is no value.
fn value_bit(cell: u32) -> Set {
    // A blank wraps round to a number above every side.
    let index = (cell & 0xFFu) - 1u;
    let bit = select(0u, 1u << (index & 31u), index < SIDE);
    return select(vec2<u32>(0u, bit), vec2<u32>(bit, 0u), index < 32u);
}

// The set that holds `value` alone, which is one.
fn bit_of(value: u32) -> Set {
    return value_bit(value);
}

// The value at place `k`, from 0, of a set that has more than `k`.
fn value_at(values: Set, k: u32) -> u32 {
    let low = countOneBits(values.x);
    let word = select(values.y, values.x, k < low);
    return bit_at(word, select(k - low, k, k < low)) + select(33u, 1u, k < low);
}

fn size(values: Set) -> u32 {
    return countOneBits(values.x) + countOneBits(values.y);
}

fn candidates_of(cell: u32) -> Set {
    let at = CANDIDATES + 2u * cell;
    return vec2<u32>(table(at), table(at + 1u));
}

fn shares(one: Set, other: Set) -> bool {
    return any((one & other) != EMPTY);
}

// The smallest value of a set that has one.
fn first_value(values: Set) -> u32 {
    let low = countTrailingZeros(values.x);
    return select(low, 32u + countTrailingZeros(values.y), values.x == 0u) + 1u;
}

// How many values of a set are smaller than one.
fn count_below(values: Set, value: u32) -> u32 {
    let bit = value_bit(value);
    let in_first = vec2<u32>(bit.x - 1u, 0u);
    return size(values & select(vec2<u32>(0xFFFFFFFFu, bit.y - 1u), in_first, bit.x != 0u));
}

fn without_first(values: Set) -> Set {
    if (values.x != 0u) {
        return vec2<u32>(values.x & (values.x - 1u), values.y);
    }
    return vec2<u32>(0u, values.y & (values.y - 1u));
}

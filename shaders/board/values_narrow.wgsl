// A set of values in one word: value v is bit v - 1.

#choose shape
#choose task
#choose tables
#include "board/values.wgsl"

alias Set = u32;

const EMPTY: Set = 0u;

// The set that holds the lowest byte of `cell` alone, or nothing when it is no value.
fn value_bit(cell: u32) -> Set {
    // A blank wraps round to a number above every side.
    let index = (cell & 0xFFu) - 1u;
    return select(0u, 1u << (index & 31u), index < SIDE);
}

// The set that holds `value` alone, which is one.
fn bit_of(value: u32) -> Set {
    return 1u << (value - 1u);
}

// The value at place `k`, from 0, of a set that has more than `k`.
fn value_at(values: Set, k: u32) -> u32 {
    return bit_at(values, k) + 1u;
}

fn size(values: Set) -> u32 {
    return countOneBits(values);
}

fn candidates_of(cell: u32) -> Set {
    return table(CANDIDATES + cell);
}

fn shares(one: Set, other: Set) -> bool {
    return (one & other) != EMPTY;
}

// The smallest value of a set that has one.
fn first_value(values: Set) -> u32 {
    return countTrailingZeros(values) + 1u;
}

// How many values of a set are smaller than one.
fn count_below(values: Set, value: u32) -> u32 {
    return size(values & (value_bit(value) - 1u));
}

fn without_first(values: Set) -> Set {
    return values & (values - 1u);
}

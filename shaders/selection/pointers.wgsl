// Evenly spaced pointers on a wheel. On the CPU: src/core/ga/selection/stochastic_universal.rs

#include "random/philox.wgsl"
#include "selection/wheel.wgsl"

// Divides a number of two words, the high word first, by one that is larger than its high word.
fn divide_wide(number: vec2<u32>, divisor: u32) -> u32 {
    var rest = number.x;
    var quotient = 0u;
    for (var bit = 0u; bit < 32u; bit++) {
        let carry = rest >> 31u;
        rest = (rest << 1u) | ((number.y >> (31u - bit)) & 1u);
        quotient <<= 1u;
        if (carry == 1u || rest >= divisor) {
            rest -= divisor;
            quotient |= 1u;
        }
    }
    return quotient;
}

// The rank at a pointer of `pointers`, the first of which is at position `offset / pointers`.
fn pointed(pointer: u32, pointers: u32, offset: u32) -> u32 {
    let turned = multiply_wide(pointer, circumference());
    let low = turned.y + offset;
    let high = turned.x + select(0u, 1u, low < offset);
    return rank_at(divide_wide(vec2<u32>(high, low), pointers));
}

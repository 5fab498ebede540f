// The high and the low word of a product, from products of 16-bit halves.
fn multiply_wide(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xFFFFu) * (b & 0xFFFFu);
    // At most (2^16 - 1)^2 + 2^16 - 1, which one word holds; so does the next sum.
    let middle = (a >> 16u) * (b & 0xFFFFu) + (low >> 16u);
    let cross = (a & 0xFFFFu) * (b >> 16u) + (middle & 0xFFFFu);
    let high = (a >> 16u) * (b >> 16u) + (middle >> 16u) + (cross >> 16u);
    return vec2<u32>(high, a * b);
}

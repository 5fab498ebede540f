// The high and the low word of a product, where the adapter has integers of 64 bits.

fn multiply_wide(a: u32, b: u32) -> vec2<u32> {
    let product = u64(a) * u64(b);
    return vec2<u32>(u32(product >> 32u), u32(product));
}

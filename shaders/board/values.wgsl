// Values out of sets. On the CPU: src/core/board/matching.rs

// The number of set bit `k`, from 0, of a word that has more than `k`: in each half, by how many are in the lower one. A
// loop over the bits would take a thread of a software driver past the turns that it may make.
fn bit_at(word: u32, k: u32) -> u32 {
    var left = k;
    var at = 0u;
    let of_16 = countOneBits(word & 0xFFFFu);
    if (left >= of_16) {
        left -= of_16;
        at = 16u;
    }
    let of_8 = countOneBits((word >> at) & 0xFFu);
    if (left >= of_8) {
        left -= of_8;
        at += 8u;
    }
    let of_4 = countOneBits((word >> at) & 0xFu);
    if (left >= of_4) {
        left -= of_4;
        at += 4u;
    }
    let of_2 = countOneBits((word >> at) & 3u);
    if (left >= of_2) {
        left -= of_2;
        at += 2u;
    }
    return at + select(0u, 1u, left >= ((word >> at) & 1u));
}

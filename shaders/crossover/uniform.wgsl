// A coin for each cell. On the CPU: src/core/ga/crossover/uniform.rs

#include "random/draws.wgsl"
#include "board/child.wgsl"

fn cross(parents: vec2<u32>, slot: u32) {
    draws(CROSS, slot);
    var coins = 0u;
    for (var at = 0u; at < BOARD_WORDS; at++) {
        // A random word serves 32 cells, which are eight words.
        if (at % 8u == 0u) {
            coins = word();
        }
        let four = coins >> (at % 8u * 4u);
        let bytes = (four & 1u) | ((four & 2u) << 7u) | ((four & 4u) << 14u) | ((four & 8u) << 21u);
        let mask = bytes * 0xFFu;
        let first = old_word(parents.x, at);
        let second = old_word(parents.y, at);
        set_child_word(at, (first & ~mask) | (second & mask));
    }
}

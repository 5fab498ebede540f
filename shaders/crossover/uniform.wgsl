// A coin for each cell. On the CPU: src/core/ga/crossover/uniform.rs

#choose shape
#include "random/draws.wgsl"
#include "board/child.wgsl"

fn cross(slot: u32) {
    draws(CROSS, slot);
    var coins = 0u;
#repeat at BOARD_WORDS
    // A random word serves 32 cells, which are eight words.
    if (at % 8u == 0u) {
        coins = word();
    }
    let four = coins >> (at % 8u * 4u);
    let bytes = (four & 1u) | ((four & 2u) << 7u) | ((four & 4u) << 14u) | ((four & 8u) << 21u);
    let mask = bytes * 0xFFu;
    set_child_word(at, (child_word(at) & ~mask) | (scratch_word(at) & mask));
#end
}

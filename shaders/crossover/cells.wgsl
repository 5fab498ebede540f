// A child of whole cells: those for which `from_second` is true come from the second parent.

#choose task
#include "board/child.wgsl"

fn cross_cells(parents: vec2<u32>) {
    for (var at = 0u; at < BOARD_WORDS; at++) {
        var mask = 0u;
        for (var k = 0u; k < 4u; k++) {
            mask |= select(0u, 0xFFu << (8u * k), from_second(4u * at + k));
        }
        let first = old_word(parents.x, at);
        let second = old_word(parents.y, at);
        set_child_word(at, (first & ~mask) | (second & mask));
    }
}

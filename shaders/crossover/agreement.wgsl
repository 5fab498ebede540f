// Values that the parents have in common stay. On the CPU: src/core/ga/crossover/agreement.rs

#choose task
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "board/child.wgsl"
#include "encoding/redraw.wgsl"
#choose inherit

const COIN_WORDS = (CELLS + 31u) / 32u;

var<private> coin_words: array<u32, COIN_WORDS>;

fn cross(slot: u32) {
    draws(CROSS, slot);
    let words = (coins() + 31u) / 32u;
    for (var at = 0u; at < COIN_WORDS; at++) {
        if (at == words) {
            break;
        }
        coin_words[at] = word();
    }
    let blanks = table(FREE_COUNT);
    for (var place = 0u; place < CELLS; place++) {
        if (place == blanks) {
            break;
        }
        let cell = table(FREE + place);
        let second = scratch_cell(cell);
        if (child_cell(cell) == second) {
            continue;
        }
        var redrawn = false;
        if (REDRAWS) {
            redrawn = chance(REDRAW_RATE);
        }
        let coin = coin_of(cell, place);
        if (redrawn) {
            redraw(cell);
        } else if (extractBits(coin_words[coin / 32u], coin % 32u, 1u) == 1u) {
            set_child_cell(cell, second);
        }
    }
}

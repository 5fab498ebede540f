// New values for a binomial number of cells. On the CPU: src/core/ga/mutation/reset.rs

#choose task
#choose tables
#include "random/draws.wgsl"
#include "encoding/redraw.wgsl"

// The most draws of a new blank: of 4,096 blanks all draws miss the last with probability e^-16, and then a
// blank is drawn twice.
const BLANK_DRAWS = 65536u;
const DRAWN_WORDS = (CELLS + 31u) / 32u;

// The blanks that were drawn, a bit each.
var<private> drawn: array<u32, DRAWN_WORDS>;

fn is_drawn(blank: u32) -> bool {
    return extractBits(drawn[blank / 32u], blank % 32u, 1u) == 1u;
}

fn mutate(slot: u32) {
    draws(MUTATE, slot);
    let reached = word();
    let bounds = table(AT_MOST_COUNT);
    let blanks = table(FREE_COUNT);
    for (var at = 0u; at < DRAWN_WORDS; at++) {
        drawn[at] = 0u;
    }
    for (var k = 0u; k < CELLS; k++) {
        if (k == bounds || reached < table(AT_MOST + k)) {
            break;
        }
        var blank = below(blanks);
        for (var again = 0u; again < BLANK_DRAWS; again++) {
            if (!is_drawn(blank)) {
                break;
            }
            blank = below(blanks);
        }
        drawn[blank / 32u] |= 1u << (blank % 32u);
        redraw(table(FREE + blank));
    }
}

// Each unit is a permutation of its missing values. On the CPU: src/core/ga/encoding/unit_permutation.rs,
// src/core/board/matching.rs

#choose task
#choose tables
#include "random/draws.wgsl"
#include "board/values.wgsl"
#include "board/child.wgsl"

const NOBODY = 0xFFFFFFFFu;

// The blanks of a unit, in the order in which they get values.
var<private> order: array<u32, SIDE>;
// The value of each blank, the blank that holds each value, and the set of held values.
var<private> blank_values: array<u32, SIDE>;
var<private> holders: array<u32, SIDE + 1u>;
var<private> held: Set;
// Blanks that search for a value, and the blank that reached each value first.
var<private> queue: array<u32, SIDE>;
var<private> wanted_by: array<u32, SIDE + 1u>;

fn hold(blank: u32, value: u32) {
    blank_values[blank] = value;
    holders[value] = blank;
    held |= value_bit(value);
}

// Moves values along the path that ended at the free value `last`.
fn unwind(last: u32, blank: u32) {
    var value = last;
    for (var moved = 0u; moved < SIDE; moved++) {
        let taker = wanted_by[value];
        let given_up = blank_values[taker];
        hold(taker, value);
        if (taker == blank) {
            return;
        }
        value = given_up;
    }
}

// Gives `blank` a value by moving others along the shortest path.
fn augment(start: u32, blank: u32) {
    queue[0] = blank;
    var queued = 1u;
    var seen = EMPTY;
    for (var next = 0u; next < SIDE; next++) {
        if (next >= queued) {
            return;
        }
        let asking = queue[next];
        var unseen = candidates_of(table(UNIT_BLANKS + start + asking)) & ~seen;
        for (var asked = 0u; asked < SIDE; asked++) {
            if (!shares(unseen, unseen)) {
                break;
            }
            let value = first_value(unseen);
            unseen = without_first(unseen);
            seen |= value_bit(value);
            wanted_by[value] = asking;
            let holder = holders[value];
            if (holder == NOBODY) {
                unwind(value, blank);
                return;
            }
            queue[queued] = holder;
            queued++;
        }
    }
}

fn draw_unit(start: u32, blanks: u32) {
    for (var k = 0u; k < SIDE; k++) {
        order[k] = k;
        holders[k + 1u] = NOBODY;
    }
    held = EMPTY;
    // From the end, as Fisher and Yates do.
    for (var k = 1u; k < SIDE; k++) {
        if (k >= blanks) {
            break;
        }
        let last = blanks - k;
        let other = below(last + 1u);
        let moved = order[other];
        order[other] = order[last];
        order[last] = moved;
    }
    for (var k = 0u; k < SIDE; k++) {
        if (k >= blanks) {
            break;
        }
        let blank = order[k];
        let free = candidates_of(table(UNIT_BLANKS + start + blank)) & ~held;
        if (shares(free, free)) {
            hold(blank, value_at(free, below(size(free))));
        } else {
            augment(start, blank);
        }
    }
    for (var k = 0u; k < SIDE; k++) {
        if (k >= blanks) {
            break;
        }
        set_child_cell(table(UNIT_BLANKS + start + k), blank_values[k]);
    }
}

fn draw_board() {
    for (var unit = 0u; unit < SIDE; unit++) {
        let start = table(UNIT_STARTS + unit);
        draw_unit(start, table(UNIT_STARTS + unit + 1u) - start);
    }
}

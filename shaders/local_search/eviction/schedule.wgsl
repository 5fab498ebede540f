// The control of eta by the board. On the CPU: src/core/ga/local_search/eviction/schedule.rs

#choose task
#choose tables
#choose search_fields
#choose search_words
#include "random/philox.wgsl"

// The probability of an eviction beyond the first, and whether it came near the melting point.
var<private> eta: u32;
var<private> is_near: bool;
// The probability of two evictions beyond the first.
var<private> eta_of_two: u32;

fn set_eta(new_eta: u32) {
    eta = new_eta;
    let product = multiply_wide(eta, eta);
    eta_of_two = (product.x << 1u) | (product.y >> 31u);
}

// The bound of the words of a proposal, halved, below which this many peers are evicted.
fn bound(evicted: u32) -> u32 {
    return select(select(eta, eta_of_two, evicted == 3u), ALWAYS, evicted < 2u);
}

// A part of eta, at least 1, so that it always changes.
fn change(part: u32) -> u32 {
    return multiply_wide(eta, table(part)).x + 1u;
}

// Adapts eta to the number of unassigned cells.
fn follow(unassigned: u32) {
    let share = table(UNASSIGNED_SHARE);
    is_near = is_near || unassigned <= 2u * share;
    if (unassigned > share) {
        let less = change(select(ETA_FIRST, ETA_FALL, is_near));
        set_eta(eta - min(eta, less));
    } else {
        set_eta(min(eta + change(ETA_RISE), MOST_ETA));
    }
}

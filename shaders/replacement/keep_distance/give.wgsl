// The children of a tile are inserted one after the other: one workgroup, by bits alone.
// On the CPU: `KeepDistance::insert` in src/core/ga/replacement/keep_distance.rs
//
// The words of places are divided among threads; their results are merged by maxima, which are
// the same in any order. 0 means none.

#choose task
#choose threads
#include "replacement/keep_distance/waiting.wgsl"

// Children of the tile.
var<workgroup> turns: u32;
// Whether a child that is near was inserted.
var<workgroup> is_blocked: atomic<u32>;
// The complement of the best place near, the worst place near plus one, and that of all.
var<workgroup> best_near: atomic<u32>;
var<workgroup> worst_near: atomic<u32>;
var<workgroup> worst: atomic<u32>;

fn look_away() {
    atomicStore(&is_blocked, 0u);
    atomicStore(&best_near, 0u);
    atomicStore(&worst_near, 0u);
    atomicStore(&worst, 0u);
}

// The bits of a word that are a place.
fn existing(word: u32) -> u32 {
    let first = word * 32u;
    if (first >= task.population) {
        return 0u;
    }
    let bits = min(task.population - first, 32u);
    return 0xFFFFFFFFu >> (32u - bits);
}

fn look_round(thread: u32, child: u32) {
    let row = NEAR + child * ROW_WORDS;
    for (var k = 0u; k < KEEPER_WORDS; k++) {
        let word = k * KEEPERS + thread;
        if (word >= PLACES / 32u) {
            break;
        }
        let near = planned(row + word);
        let taken = planned(TAKEN + word);
        let old = ~(taken | planned(TAKING + word)) & existing(word);
        if ((near & taken) != 0u) {
            atomicStore(&is_blocked, 1u);
        }
        if ((near & old) != 0u) {
            atomicMax(&best_near, ~(word * 32u + firstTrailingBit(near & old)));
            atomicMax(&worst_near, word * 32u + firstLeadingBit(near & old) + 1u);
        }
        if (old != 0u) {
            atomicMax(&worst, word * 32u + firstLeadingBit(old) + 1u);
        }
    }
    if (thread < TILE_WORDS && (planned(row + PLACES / 32u + thread) & planned(PLACED + thread)) != 0u) {
        atomicStore(&is_blocked, 1u);
    }
}

fn add_bit(words: u32, bit: u32) {
    let at = words + bit / 32u;
    set_planned(at, planned(at) | (1u << (bit % 32u)));
}

// Inserts a child of the tile, unless it is dropped.
fn give_place(child: u32) {
    let fitness = planned(waiting(task.first + child));
    let all = atomicLoad(&worst);
    if (all == 0u || fitness_at(max(all, 1u) - 1u) < fitness) {
        set_planned(IS_OVER, 1u);
        return;
    }
    let nearest = atomicLoad(&best_near);
    // An individual near to it is not worse.
    if ((nearest > 0u && fitness_at(~nearest) <= fitness) || atomicLoad(&is_blocked) > 0u) {
        return;
    }
    var place = all - 1u;
    if (nearest > 0u) {
        place = atomicLoad(&worst_near) - 1u;
    }
    set_planned(TAKERS + place, task.first + child + 1u);
    add_bit(TAKING, place);
    add_bit(PLACED, child);
}

// Before the first tile no child is inserted, and none of this tile.
fn begin(thread: u32) {
    if (thread < TILE_WORDS) {
        set_planned(PLACED + thread, 0u);
    }
    if (thread == 0u) {
        turns = task.count;
        look_away();
    }
    if (task.first > 0u) {
        return;
    }
    if (thread == 0u) {
        set_planned(IS_OVER, 0u);
    }
    for (var k = 0u; k < KEEPER_WORDS * 32u; k++) {
        let at = k * KEEPERS + thread;
        if (at >= PLACES) {
            break;
        }
        set_planned(TAKERS + at, 0u);
        if (at < PLACES / 32u) {
            set_planned(TAKEN + at, 0u);
            set_planned(TAKING + at, 0u);
        }
    }
}

@compute @workgroup_size(KEEPERS)
fn give(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    take_task(group.z);
    begin(thread);
    storageBarrier();
    workgroupBarrier();
    let is_over = planned(IS_OVER);
    // All threads take the same number of turns, which the compiler cannot see in a thread's own task.
    let children = workgroupUniformLoad(&turns);
    for (var child = 0u; child < TILE; child++) {
        if (child >= children) {
            break;
        }
        if (is_over == 0u) {
            look_round(thread, child);
        }
        storageBarrier();
        workgroupBarrier();
        if (thread == 0u && is_over == 0u) {
            give_place(child);
            look_away();
        }
        // The next child sees this insertion.
        storageBarrier();
        workgroupBarrier();
    }
    for (var k = 0u; k < KEEPER_WORDS; k++) {
        let word = k * KEEPERS + thread;
        if (word >= PLACES / 32u) {
            break;
        }
        set_planned(TAKEN + word, planned(TAKEN + word) | planned(TAKING + word));
        set_planned(TAKING + word, 0u);
    }
}

// Some steps of tabu search of a range of slots, one thread each.
// Twins: src/evolve/improvement/tabu/search.rs, `make` of tables.rs
//
// A search of many steps takes many dispatches, so that none keeps the device for long.

#choose task
#choose threads
#choose tables
#choose parameters
#include "random/draws.wgsl"
#include "improvement/effort.wgsl"
#include "improvement/tabu/state.wgsl"
#include "improvement/tabu/board.wgsl"

// Moves that are equally good and remembered; of more, the wanted one is looked for again.
const MOST_TIES = 16u;
const NO_CHANGE = 0x7FFFFFFFi;

var<private> step: u32;
var<private> fewest: i32;
var<private> is_unwritten: bool;
// Equally good moves: cell and candidate.
var<private> ties: array<vec2<u32>, MOST_TIES>;

// A forbidden move is allowed all the same where it leads to fewer conflicts than ever before.
fn allows(candidate: u32, change: i32) -> bool {
    return state(until_of(candidate)) < step || pairs + change < fewest;
}

// Looks at all moves of conflicting cells: the change of the best that are allowed, and how many
// there are. A move's change is what its value meets among the peers less what the cell meets now,
// so that a look at one count prices it.
fn price() -> vec2<i32> {
    var best = NO_CHANGE;
    var count = 0u;
    for (var at = 0u; at < CELLS; at++) {
        if (at >= listed) {
            break;
        }
        let cell = cell_in_list(at);
        let start = start_of(cell);
        let end = start_of(cell + 1u);
        let conflicts = conflicts_of(cell);
        moves += end - start - 1u;
        for (var k = 0u; k < SIDE; k++) {
            let candidate = start + k;
            if (candidate >= end) {
                break;
            }
            let change = i32(count_around(cell, value_of(candidate))) - conflicts;
            if (change <= best && allows(candidate, change)) {
                if (change < best) {
                    best = change;
                    count = 0u;
                }
                if (count < MOST_TIES) {
                    ties[count] = vec2<u32>(cell, candidate);
                }
                count++;
            }
        }
    }
    return vec2<i32>(best, i32(count));
}

// The tie is drawn when all are counted, and more than are remembered are rare: looking again then
// is cheaper than remembering all. Finds the move of this change that is number `wanted`, from 0, of those that are allowed.
fn find(wanted: u32, best: i32) -> vec2<u32> {
    var count = 0u;
    for (var at = 0u; at < CELLS; at++) {
        if (at >= listed) {
            break;
        }
        let cell = cell_in_list(at);
        let start = start_of(cell);
        let end = start_of(cell + 1u);
        let conflicts = conflicts_of(cell);
        for (var k = 0u; k < SIDE; k++) {
            let candidate = start + k;
            if (candidate >= end) {
                break;
            }
            let change = i32(count_around(cell, value_of(candidate))) - conflicts;
            if (change == best && allows(candidate, change)) {
                if (count == wanted) {
                    return vec2<u32>(cell, candidate);
                }
                count++;
            }
        }
    }
    return ties[0];
}

// A peer, if it is one, sees its neighbour's value change.
fn meet(peer: u32, left: u32, taken: u32) {
    if (peer == NOWHERE) {
        return;
    }
    // All ones added to a byte take one from it: the carry leaves the word, for no count falls
    // below 0.
    count_peer(peer, left, 0xFFFFFFFFu);
    count_peer(peer, taken, 1u);
    let value = value_in(peer);
    if (value == left && count_around(peer, left) == 0u) {
        unlist(peer);
    } else if (value == taken) {
        list(peer);
    }
}

fn meet_peers(cell: u32, left: u32, taken: u32) {
    let start = peers_of(cell);
    let end = peers_of(cell + 1u);
    // Four a turn, because software drivers allow few turns.
    for (var k = 0u; k < SIDE; k++) {
        let at = start + 2u * k;
        if (at >= end) {
            break;
        }
        let low = tables[at];
        let high = tables[at + 1u];
        meet(low & 0xFFFFu, left, taken);
        meet(low >> 16u, left, taken);
        meet(high & 0xFFFFu, left, taken);
        meet(high >> 16u, left, taken);
    }
}

// Gives a cell another candidate, and forbids it the one that it had.
fn make(cell: u32, candidate: u32, change: i32) {
    let given_up = held_by(cell);
    let left = value_in(cell);
    let taken = value_of(candidate);
    hold(cell, candidate, taken);
    pairs += change;
    meet_peers(cell, left, taken);
    list_if_conflicting(cell);
    let tenure = below(TENURE_RANDOM) + TENURE_SHARE * listed / 1000u;
    set_state(until_of(given_up), step + tenure);
    set_state(until_of(candidate), WHILE_HELD);
    steps++;
    if (pairs < fewest) {
        fewest = pairs;
        is_unwritten = true;
    }
}

fn take_step(slot: u32) {
    step++;
    let priced = price();
    let count = u32(priced.y);
    if (count == 0u) {
        return;
    }
    var tie = 0u;
    if (count > 1u) {
        tie = below(count);
    }
    var chosen = ties[min(tie, MOST_TIES - 1u)];
    if (tie >= MOST_TIES) {
        chosen = find(tie, priced.x);
    }
    // The best board is written when the search is about to leave it, not at each step towards it.
    if (is_unwritten && priced.x >= 0i) {
        write_board(slot);
        is_unwritten = false;
    }
    make(chosen.x, chosen.y, priced.x);
}

@compute @workgroup_size(WORKGROUP)
fn search(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    lane = local;
    begin_effort();
    searcher = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (searcher < task.count) {
        let slot = task.first + searcher;
        step = state(STEP);
        pairs = i32(state(PAIRS));
        fewest = i32(state(FEWEST));
        listed = state(LISTED);
        is_unwritten = state(IS_UNWRITTEN) == 1u;
        // The draws go on where the round before left them, so that rounds may be of any length.
        draws(IMPROVE, slot);
        draw_counter.z = state(DRAW_BLOCK);
        draws_left = state(DRAWS_LEFT);
        for (var word = 0u; word < 4u; word++) {
            draw_words[word] = state(DRAW_WORDS + word);
        }
        let last = tables[SEARCH_STEPS];
        for (var taken = 0u; taken < TABU_STEPS; taken++) {
            if (taken == last || pairs == 0i || step == TABU_STEPS) {
                break;
            }
            take_step(slot);
        }
        set_state(STEP, step);
        set_state(PAIRS, u32(pairs));
        set_state(FEWEST, u32(fewest));
        set_state(LISTED, listed);
        set_state(IS_UNWRITTEN, select(0u, 1u, is_unwritten));
        set_state(DRAW_BLOCK, draw_counter.z);
        set_state(DRAWS_LEFT, draws_left);
        for (var word = 0u; word < 4u; word++) {
            set_state(DRAW_WORDS + word, draw_words[word]);
        }
    }
    end_effort();
}

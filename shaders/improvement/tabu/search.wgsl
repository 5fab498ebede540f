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
#include "improvement/tabu/ties.wgsl"

const NO_CHANGE = 0x7FFFFFFFi;

// The best move of a step: what it changes, and the free cell that it gives a candidate.
struct Move {
    change: i32,
    cell: u32,
    candidate: u32,
}

var<private> step: u32;
var<private> fewest: i32;
var<private> is_unwritten: bool;

// A forbidden move is allowed all the same where it leads to fewer conflicts than ever before.
fn allows(candidate: u32, change: i32) -> bool {
    return state(until_of(candidate)) < step || pairs + change < fewest;
}

// The best of all moves of conflicting cells that are allowed, ties by rank. A move's change is what
// its value meets among the peers less what the cell meets now, so that a look at one count prices
// it.
fn best_move(random: u32) -> Move {
    var best = Move(NO_CHANGE, 0u, 0u);
    var least = 0u;
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
            if (change <= best.change && allows(candidate, change)) {
                let rank = rank_of(cell, k, random);
                if (change < best.change || rank < least) {
                    best = Move(change, cell, candidate);
                    least = rank;
                }
            }
        }
    }
    return best;
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
        let low = table(at);
        let high = table(at + 1u);
        meet(low & 0xFFFFu, left, taken);
        meet(low >> 16u, left, taken);
        meet(high & 0xFFFFu, left, taken);
        meet(high >> 16u, left, taken);
    }
}

// Gives a cell another candidate, and forbids it the one that it had.
fn make(cell: u32, candidate: u32, change: i32, drawn: u32) {
    let given_up = held_by(cell);
    let left = value_in(cell);
    let taken = value_of(candidate);
    hold(cell, candidate, taken);
    pairs += change;
    meet_peers(cell, left, taken);
    list_if_conflicting(cell);
    let tenure = drawn + table(TENURE_SHARE) * listed / 1000u;
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
    // Two words a step, needed or not.
    let random = word();
    let drawn = below(TENURE_RANDOM);
    let best = best_move(random);
    if (best.change == NO_CHANGE) {
        return;
    }
    // The best board is written when the search is about to leave it, not at each step towards it.
    if (is_unwritten && best.change >= 0i) {
        write_board(slot);
        is_unwritten = false;
    }
    make(best.cell, best.candidate, best.change, drawn);
}

@compute @workgroup_size(WORKGROUP)
fn search(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
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
        // A block is the words of two steps, so that rounds may end anywhere.
        draws(IMPROVE, slot);
        draw_counter.z += step / 2u;
        if (step % 2u == 1u) {
            word();
            word();
        }
        let last = min(step + table(SEARCH_STEPS), table(TABU_STEPS));
        for (var turn = 0u; turn < MOST_ROUND_STEPS; turn++) {
            if (step == last || pairs == 0i) {
                break;
            }
            take_step(slot);
        }
        set_state(STEP, step);
        set_state(PAIRS, u32(pairs));
        set_state(FEWEST, u32(fewest));
        set_state(LISTED, listed);
        set_state(IS_UNWRITTEN, select(0u, 1u, is_unwritten));
    }
    end_effort();
}

// The children of a range of slots before their tabu search, one thread each.
// Twins: src/evolve/breeder.rs, `fill` of src/evolve/improvement/tabu/tables.rs

#choose task
#choose threads
#choose tables
#include "random/draws.wgsl"
#include "board/child.wgsl"
#choose select
#choose cross
#choose mutate
#include "improvement/tabu/state.wgsl"

// Tells a peer, if it is one, of a cell that holds a value.
fn tell(peer: u32, value: u32) {
    if (peer != NOWHERE) {
        count_peer(peer, value, 1u);
    }
}

fn tell_peers(cell: u32, value: u32) {
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
        tell(low & 0xFFFFu, value);
        tell(low >> 16u, value);
        tell(high & 0xFFFFu, value);
        tell(high >> 16u, value);
    }
}

fn begin_search() {
    pairs = 0i;
    listed = 0u;
    let blanks = table(FREE_COUNT);
    let given = table(GIVEN_COUNTS);
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= blanks) {
            break;
        }
        set_state(of_cell(cell, LIST), NOWHERE << 16u);
        for (var at = 0u; at < ROW_WORDS; at++) {
            set_state(of_cell(cell, COUNTS + at), table(given + cell * ROW_WORDS + at));
        }
    }
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= blanks) {
            break;
        }
        let value = child_cell(table(FREE + cell));
        let start = start_of(cell);
        let end = start_of(cell + 1u);
        var held = start;
        for (var k = 0u; k < SIDE; k++) {
            let candidate = start + k;
            if (candidate >= end) {
                break;
            }
            set_state(until_of(candidate), 0u);
            if (value_of(candidate) == value) {
                held = candidate;
            }
        }
        set_state(until_of(held), WHILE_HELD);
        hold(cell, held, value_of(held));
        // Cells that come later are not counted yet: each pair counts once.
        pairs += conflicts_of(cell);
        tell_peers(cell, value_of(held));
    }
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= blanks) {
            break;
        }
        list_if_conflicting(cell);
    }
    set_state(STEP, 0u);
    set_state(PAIRS, u32(pairs));
    set_state(FEWEST, u32(pairs));
    set_state(LISTED, listed);
    set_state(IS_UNWRITTEN, 0u);
}

@compute @workgroup_size(WORKGROUP)
fn begin(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    take_task(thread.z);
    lane = local;
    searcher = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (searcher >= task.count) {
        return;
    }
    let slot = task.first + searcher;
    cross(parents(slot), slot);
    mutate(slot);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        set_new_word(slot, at, child_word(at));
    }
    begin_search();
}

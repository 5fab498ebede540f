// The children of a range of slots before their tabu search, one thread each.
// Twins: src/evolve/breeder.rs, `fill` of src/evolve/improvement/tabu/tables.rs

// include task.wgsl

// include philox.wgsl

// include draws.wgsl

// include sets.wgsl

// include values.wgsl

// include memory.wgsl

// include child.wgsl

// include redraw.wgsl

// include select.wgsl

// include cross.wgsl

// include lines.wgsl

// include mutate.wgsl

// include search_state.wgsl

// Counts a cell at a place; `number` is that of a free cell plus one.
fn add_at(place: u32, number: u32) {
    let there = state(PLACES + place);
    pairs += i32(there & 0xFFFFu);
    set_state(PLACES + place, (there ^ (number << 16u)) + 1u);
}

fn begin_search() {
    pairs = 0i;
    listed = 0u;
    for (var place = 0u; place < 3u * CELLS; place++) {
        set_state(PLACES + place, 0u);
    }
    let fixed = tables[FIXED_PLACE_COUNT];
    for (var at = 0u; at < 3u * CELLS; at++) {
        if (at >= fixed) {
            break;
        }
        add_at(tables[tables[FIXED_PLACES] + at], 0u);
    }
    let blanks = tables[FREE_COUNT];
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= blanks) {
            break;
        }
        set_state(LIST + cell, NOWHERE << 16u);
        let value = child_cell(tables[FREE + cell]);
        let start = start_of(cell);
        let end = start_of(cell + 1u);
        var held = start;
        for (var k = 0u; k < SIDE; k++) {
            let candidate = start + k;
            if (candidate >= end) {
                break;
            }
            set_state(UNTIL + candidate, 0u);
            if (value_of(candidate) == value) {
                held = candidate;
            }
        }
        set_state(UNTIL + held, WHILE_HELD);
        set_state(HELD + cell, held);
        let places = places_of(held);
        add_at(places.x, cell + 1u);
        add_at(places.y, cell + 1u);
        add_at(places.z, cell + 1u);
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
    set_state(DRAW_BLOCK, IMPROVE << 24u);
    set_state(DRAWS_LEFT, 0u);
}

@compute @workgroup_size(WORKGROUP)
fn begin(
    @builtin(global_invocation_id) thread: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    lane = local;
    searcher = thread.x + thread.y * workgroups.x * WORKGROUP;
    if (searcher >= task.count) {
        return;
    }
    let slot = task.first + searcher;
    cross(parents(slot), slot);
    mutate(slot);
    for (var at = 0u; at < BOARD_WORDS; at++) {
        boards[slot * BOARD_WORDS + at] = child_word(at);
    }
    begin_search();
}

// What a tabu search keeps of a child between dispatches. Twins: src/evolve/improvement/tabu
//
// The words of a child lie as far apart as children are searched at a time, so that neighbouring
// threads have neighbouring words. src/device/search_state.rs says where each lies: single words;
// then for each free cell the candidate that it holds, with its value in the top byte; in the low
// half of a word the list of conflicting cells, in the high half where this one stands in it; and
// for each value how many peers hold it, a byte each; behind the last cell the step up to which
// each candidate is forbidden to its cell.

#choose task
#choose tables
#choose search_state
#choose searches

// Until when the candidate that a cell holds is forbidden to it.
const WHILE_HELD = 0xFFFFFFFFu;

// The number of this thread's child among those that are searched at a time.
var<private> searcher: u32;
var<private> pairs: i32;
var<private> listed: u32;

fn state(at: u32) -> u32 {
    return planned(SEARCHES + at * table(SEARCHERS) + searcher);
}

fn set_state(at: u32, value: u32) {
    set_planned(SEARCHES + at * table(SEARCHERS) + searcher, value);
}

// Where the candidates of a free cell begin; those of the next one follow.
fn start_of(cell: u32) -> u32 {
    return table(table(CANDIDATE_STARTS) + cell);
}

fn value_of(candidate: u32) -> u32 {
    return table(table(CANDIDATE_VALUES) + candidate);
}

// Where the peers of a free cell begin, four to two words; those of the next one follow.
fn peers_of(cell: u32) -> u32 {
    return table(table(PEER_STARTS) + cell);
}

// Where a part of a free cell's state is.
fn of_cell(cell: u32, part: u32) -> u32 {
    return CELL_STATES + cell * CELL_WORDS + part;
}

// Candidates of all cells lie behind the last cell, since cells have different numbers of them.
fn until_of(candidate: u32) -> u32 {
    return of_cell(table(FREE_COUNT), candidate);
}

fn held_by(cell: u32) -> u32 {
    return state(of_cell(cell, HELD)) & 0xFFFFFFu;
}

fn value_in(cell: u32) -> u32 {
    return state(of_cell(cell, HELD)) >> 24u;
}

fn hold(cell: u32, candidate: u32, value: u32) {
    set_state(of_cell(cell, HELD), (value << 24u) | candidate);
}

// Peers of a free cell that hold a value. Givens among them are counted too: they never change.
fn count_around(cell: u32, value: u32) -> u32 {
    let place = value - 1u;
    return extractBits(state(of_cell(cell, COUNTS + place / 4u)), place % 4u * 8u, 8u);
}

// Counts one peer more that holds a value, or one less where `by` is all ones.
fn count_peer(cell: u32, value: u32, by: u32) {
    let place = value - 1u;
    let at = of_cell(cell, COUNTS + place / 4u);
    set_state(at, state(at) + (by << (place % 4u * 8u)));
}

// The peers that hold a cell's value.
fn conflicts_of(cell: u32) -> i32 {
    return i32(count_around(cell, value_in(cell)));
}

fn place_in_list(cell: u32) -> u32 {
    return state(of_cell(cell, LIST)) >> 16u;
}

fn set_place_in_list(cell: u32, place: u32) {
    set_state(of_cell(cell, LIST), (state(of_cell(cell, LIST)) & 0xFFFFu) | (place << 16u));
}

fn cell_in_list(place: u32) -> u32 {
    return state(of_cell(place, LIST)) & 0xFFFFu;
}

fn set_cell_in_list(place: u32, cell: u32) {
    set_state(of_cell(place, LIST), (state(of_cell(place, LIST)) & 0xFFFF0000u) | cell);
}

// Adds a cell to the list of conflicting cells. It keeps every cell's place, so that adding and
// taking away cost the same however long it is; nothing depends on its order.
fn list(cell: u32) {
    if (place_in_list(cell) == NOWHERE) {
        set_place_in_list(cell, listed);
        set_cell_in_list(listed, cell);
        listed++;
    }
}

// The last of the list takes the place of one that leaves.
fn unlist(cell: u32) {
    let place = place_in_list(cell);
    if (place != NOWHERE) {
        listed--;
        let last = cell_in_list(listed);
        set_cell_in_list(place, last);
        set_place_in_list(last, place);
        set_place_in_list(cell, NOWHERE);
    }
}

// A cell's own change, after its peers were told: it may come or go either way.
fn list_if_conflicting(cell: u32) {
    if (conflicts_of(cell) > 0i) {
        list(cell);
    } else {
        unlist(cell);
    }
}

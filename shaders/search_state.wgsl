// What a tabu search keeps of a child between dispatches. Twins: src/evolve/improvement/tabu
//
// The words of a child lie as far apart as children are searched at a time, so that neighbouring
// threads have neighbouring words.

// Single words, then sections.
const STEP = 0u;
const PAIRS = 1u;
const FEWEST = 2u;
const LISTED = 3u;
const IS_UNWRITTEN = 4u;
const DRAW_BLOCK = 5u;
const DRAW_WORDS = 6u;
const DRAWS_LEFT = 10u;
// At each place, how many cells hold the value in the unit, in the low half, and the exclusive or
// of the free ones' numbers plus one.
const PLACES = 16u;
// The candidate that each free cell holds.
const HELD = PLACES + 3u * CELLS;
// In the low half the list of conflicting cells, in the high half where each free cell stands in it.
const LIST = HELD + CELLS;
// The step up to which each candidate is forbidden to its cell.
const UNTIL = LIST + CELLS;

const NOWHERE = 0xFFFFu;
// Until when the candidate that a cell holds is forbidden to it.
const WHILE_HELD = 0xFFFFFFFFu;

// The number of this thread's child among those that are searched at a time.
var<private> searcher: u32;
var<private> pairs: i32;
var<private> listed: u32;

fn state(at: u32) -> u32 {
    return plan[SEARCHES + at * tables[SEARCHERS] + searcher];
}

fn set_state(at: u32, value: u32) {
    plan[SEARCHES + at * tables[SEARCHERS] + searcher] = value;
}

// Where the candidates of a free cell begin; those of the next one follow.
fn start_of(cell: u32) -> u32 {
    return tables[tables[CANDIDATE_STARTS] + cell];
}

// Where a candidate counts: in its cell's row, column and box.
fn places_of(candidate: u32) -> vec3<u32> {
    let at = tables[CANDIDATE_PLACES] + 2u * candidate;
    let low = tables[at];
    return vec3<u32>(low & 0xFFFFu, low >> 16u, tables[at + 1u] & 0xFFFFu);
}

fn value_of(candidate: u32) -> u32 {
    return tables[tables[CANDIDATE_PLACES] + 2u * candidate + 1u] >> 16u;
}

fn held_by(cell: u32) -> u32 {
    return state(HELD + cell);
}

// Cells that hold a candidate's value in its cell's three units, a cell counted in each.
fn count_of(candidate: u32) -> i32 {
    let places = places_of(candidate);
    let counts = (state(PLACES + places.x) & 0xFFFFu) + (state(PLACES + places.y) & 0xFFFFu);
    return i32(counts + (state(PLACES + places.z) & 0xFFFFu));
}

// The other cells that hold a cell's value, counted in each unit that they share.
fn conflicts_of(cell: u32) -> i32 {
    return count_of(held_by(cell)) - 3i;
}

fn place_in_list(cell: u32) -> u32 {
    return state(LIST + cell) >> 16u;
}

fn set_place_in_list(cell: u32, place: u32) {
    set_state(LIST + cell, (state(LIST + cell) & 0xFFFFu) | (place << 16u));
}

fn cell_in_list(place: u32) -> u32 {
    return state(LIST + place) & 0xFFFFu;
}

fn set_cell_in_list(place: u32, cell: u32) {
    set_state(LIST + place, (state(LIST + place) & 0xFFFF0000u) | cell);
}

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

fn list_if_conflicting(cell: u32) {
    if (conflicts_of(cell) > 0i) {
        list(cell);
    } else {
        unlist(cell);
    }
}

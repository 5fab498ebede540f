// A partial board without conflicts: who holds which value in each unit, what each free cell holds,
// and which cells are unassigned. Twin: src/ga/local_search/eviction/partial.rs
//
// All of it is a row of words: the holders, two to a word; what cells hold, four to a word, 0 where
// one is unassigned; and the list of unassigned cells, two to a word. The list comes last, because its
// end is used only while most cells are unassigned: where workgroup memory is small, that is what lies
// in storage.
//
// An assignment changes places that differ from each other: one of nobody becomes somebody's, or the
// other way round. So each is turned over by an exclusive or, several lanes at once, and nothing
// depends on who comes first.

#choose shape
#choose search_fields
#choose search_memory
#include "local_search/eviction/puzzle.wgsl"

// Instead of a cell where none holds the value.
const NOBODY = 0xFFFFu;

// Words of what cells hold, and of the list, begin here.
const HELD = HOLDER_WORDS;
var<private> list: u32;

fn place_list() {
    list = HELD + (puzzle.cells + 3u) / 4u;
}

fn half_at(start: u32, at: u32) -> u32 {
    return extractBits(word_at(start + at / 2u), at % 2u * 16u, 16u);
}

// The unassigned cell at `at` in the list.
fn cell_at(at: u32) -> u32 {
    return half_at(list, at);
}

// Only one lane writes the list.
fn set_cell(at: u32, cell: u32) {
    let word = list + at / 2u;
    set_word(word, insertBits(word_at(word), cell, at % 2u * 16u, 16u));
}

fn held_byte(cell: u32) -> u32 {
    return extractBits(word_at(HELD + cell / 4u), cell % 4u * 8u, 8u);
}

// What a cell holds it holds no longer, or the other way round.
fn turn_held(cell: u32, value: u32) {
    flip_bits(HELD + cell / 4u, value << (cell % 4u * 8u));
}

// The same for whom a value of a unit is held by.
fn turn_holder(unit: u32, value: u32, cell: u32) {
    let place = unit * SIDE + value;
    flip_bits(place / 2u, (cell ^ NOBODY) << (place % 2u * 16u));
}

// The peers of an unassigned cell with these units that hold a value: one of the row, the column and
// the box, each once.
fn in_the_way(units: vec3<u32>, value: u32) -> vec3<u32> {
    let places = units * SIDE + value;
    let holders = vec3<u32>(half_at(0u, places.x), half_at(0u, places.y), half_at(0u, places.z));
    // A peer of two units is one of them twice.
    let twice = holders.z == holders.x || holders.z == holders.y;
    return vec3<u32>(holders.xy, select(holders.z, NOBODY, twice));
}

// How many of three cells there are.
fn count(cells: vec3<u32>) -> u32 {
    let ones = select(vec3<u32>(0u), vec3<u32>(1u), cells != vec3<u32>(NOBODY));
    return ones.x + ones.y + ones.z;
}

// What an assignment does, by all lanes: four to each cell, one for each of its units and one for what
// it holds. The cells are those in the way and the one that takes the value.
fn turn(cell: u32, value: u32, evicted: vec3<u32>) {
    let cells = vec4<u32>(evicted, cell);
    let who = cells[min(lane / 4u, 3u)];
    let part = lane % 4u;
    if (lane >= 16u || who == NOBODY) {
        return;
    }
    if (part == 3u) {
        turn_held(who, value);
    } else {
        turn_holder(units_of(who)[part], value, who);
    }
}

// What becomes of the list of `unassigned` cells, by one lane: the last of them takes the place of the
// one that leaves, and those that come are put at the end, ascending.
fn list_evicted(at: u32, unassigned: u32, evicted: vec3<u32>) {
    set_cell(at, cell_at(unassigned - 1u));
    let low = min(evicted.x, evicted.y);
    let high = max(evicted.x, evicted.y);
    let ascending = vec3<u32>(min(low, evicted.z), max(low, min(high, evicted.z)), max(high, evicted.z));
    for (var k = 0u; k < 3u; k++) {
        if (ascending[k] == NOBODY) {
            break;
        }
        set_cell(unassigned - 1u + k, ascending[k]);
    }
}

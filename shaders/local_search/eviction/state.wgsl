// A partial board without conflicts: the cell that has each value in each unit (its holder), the value of each
// free cell, and the unassigned cells. On the CPU: src/core/ga/local_search/eviction/partial.rs
//
// All of it is a row of words: the holders, two to a word; the values of cells, four to a word, 0 if
// unassigned; and the list of unassigned cells, two to a word. The list comes last, because its
// end is used only while most cells are unassigned: where workgroup memory is small, that end is in
// storage.
//
// An assignment changes places that differ from each other: an empty one is filled, or a full one is
// emptied. So each is changed by an exclusive or, several lanes at once, and nothing
// depends on the order of lanes.

#choose shape
#choose search_fields
#choose search_memory
#include "local_search/eviction/puzzle.wgsl"

// The holder of a value that no cell has.
const NOBODY = 0xFFFFu;

// The first words of the values of cells, and of the list.
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

// Sets the value of an empty cell, or removes it.
fn turn_held(cell: u32, value: u32) {
    flip_bits(HELD + cell / 4u, value << (cell % 4u * 8u));
}

// Sets the holder of a value of a unit, or removes it.
fn turn_holder(unit: u32, value: u32, cell: u32) {
    let place = unit * SIDE + value;
    flip_bits(place / 2u, (cell ^ NOBODY) << (place % 2u * 16u));
}

// The peers of an unassigned cell with these units that have a value: one of the row, the column and
// the box, each once.
fn in_the_way(units: vec3<u32>, value: u32) -> vec3<u32> {
    let places = units * SIDE + value;
    let holders = vec3<u32>(half_at(0u, places.x), half_at(0u, places.y), half_at(0u, places.z));
    // A peer in two of the units is found twice.
    let twice = holders.z == holders.x || holders.z == holders.y;
    return vec3<u32>(holders.xy, select(holders.z, NOBODY, twice));
}

// The number of cells among three places.
fn count(cells: vec3<u32>) -> u32 {
    let ones = select(vec3<u32>(0u), vec3<u32>(1u), cells != vec3<u32>(NOBODY));
    return ones.x + ones.y + ones.z;
}

// Makes an assignment, by all lanes: four to each cell, one for each of its units and one for its
// value. The cells are those that are evicted and the one that gets the value.
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

// Changes the list of `unassigned` cells, by one lane: the last of them takes the place of the
// one that leaves, and new ones are appended, ascending.
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

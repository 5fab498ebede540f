// The state of a search: counts of peers, cells in conflict, values of cells.
// On the CPU: src/core/ga/local_search/tabu/conflicts.rs
//
// The state of a search is a row of words: first the counts, a field for each candidate of each free
// cell, whose highest bit is set if the candidate is *closed*, because the cell has it or had it a
// short while ago; then the list of cells in conflict; then the ring of prohibitions. Small
// parts have separate arrays.
//
// Every word that two lanes may access between two barriers is atomic. Additions to a field may be made
// in any order, and none carries into the next field: a count that is lowered is at least 1, and the
// most peers that a cell has fit below the closed bit. So nothing depends on the order of lanes.

#choose search_fields
#choose search_memory
#choose search_words
#include "local_search/tabu/puzzle.wgsl"

// The first words of the list and of the ring, the most cells of 32 lanes in the list, and the
// number of entries of the ring.
struct Places {
    list: u32,
    team_cells: u32,
    ring: u32,
    ring_entries: u32,
}

var<private> places: Places;
// The lowest byte of the place of each free cell, four to a word.
var<workgroup> held: array<atomic<u32>, HELD_WORDS>;
// A bit for each free cell: whether it is in conflict.
var<workgroup> in_conflict: array<atomic<u32>, MASK_WORDS>;
// Cells in conflict.
var<workgroup> conflicting: atomic<u32>;
// The conflicting pairs at the start of a round, each counted at both of its cells.
var<workgroup> both_sides: atomic<u32>;

fn read_places() {
    let team_cells = table(SEARCH_TEAM_CELLS);
    let ring = puzzle.words + TEAMS * team_cells;
    places = Places(puzzle.words, team_cells, ring, table(SEARCH_RING));
}

// The place of the candidate in a free cell.
fn held_by(cell: u32, row: Row) -> u32 {
    return whole_place(row, held_byte(cell));
}

fn held_byte(cell: u32) -> u32 {
    return extractBits(atomicLoad(&held[cell / 4u]), cell % 4u * 8u, 8u);
}

// Only one lane changes the values of cells.
fn hold(cell: u32, place: u32) {
    let at = cell / 4u;
    atomicStore(&held[at], insertBits(atomicLoad(&held[at]), place & 0xFFu, cell % 4u * 8u, 8u));
}

// The bits by which a field is shifted.
fn shift_of(place: u32) -> u32 {
    return place % 4u * FIELD_BITS;
}

// Peers of a cell that have the value of one of its places.
fn count_at(place: u32) -> u32 {
    return (word_at(place / 4u) >> shift_of(place)) & COUNT_MASK;
}

// The fields of a word. If there are three, the fourth is full.
fn fields_of(word: u32) -> vec4<u32> {
    return ((vec4<u32>(word) >> FIELD_SHIFTS) & FIELD_MASKS) | FIELD_FILL;
}

fn least_field(fields: vec4<u32>) -> u32 {
    return min(min(fields.x, fields.y), min(fields.z, fields.w));
}

// Counts one peer more that has the value of a place, or one less if `by` is all ones, and
// returns the count before.
fn count_peer(place: u32, by: u32) -> u32 {
    let shift = shift_of(place);
    return (add_to(place / 4u, by << shift) >> shift) & COUNT_MASK;
}

fn close(place: u32) {
    set_bits(place / 4u, CLOSED << shift_of(place));
}

fn reopen(place: u32) {
    clear_bits(place / 4u, CLOSED << shift_of(place));
}

// Marks that a cell came into conflict, or left it if `by` is all ones.
fn turn_conflict(cell: u32, by: u32) {
    atomicXor(&in_conflict[cell / 32u], 1u << (cell % 32u));
    atomicAdd(&conflicting, by);
}

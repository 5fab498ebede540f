// The puzzle as a search reads it. On the CPU: src/core/ga/local_search/candidate_graph.rs
//
// Every free cell has a row of whole words with a field for each candidate, ascending, and some unused
// ones. A *place* is the number of a field: four to a word, of which large boards leave the
// last one unused. src/gpu_engine/local_search/tabu.rs has the layout.

#choose task
#choose tables
#choose search_fields

// The starts of the sections of the tables: read once, because every access needs them.
struct Sections {
    cells: u32,
    words: u32,
    rows: u32,
    values: u32,
    given: u32,
    starts: u32,
    neighbours: u32,
}

// The first word of a free cell, and the number of its candidates.
struct Row {
    word: u32,
    candidates: u32,
}

var<private> puzzle: Sections;

fn read_sections() {
    let cells = table(FREE_COUNT);
    let words = table(SEARCH_COUNT_WORDS);
    let rows = table(SEARCH_TABLES);
    let values = rows + cells;
    let given = values + words;
    let starts = given + words;
    puzzle = Sections(cells, words, rows, values, given, starts, starts + 4u * words + 1u);
}

fn row_of(cell: u32) -> Row {
    let packed = table(puzzle.rows + cell);
    return Row(packed % ROW_UNIT, packed / ROW_UNIT);
}

// The place of a cell's candidate, numbered from 0.
fn place_of(row: Row, candidate: u32) -> u32 {
    return 4u * (row.word + candidate / WORD_FIELDS) + candidate % WORD_FIELDS;
}

// The place with this lowest byte: no cell has as many places as a byte has values.
fn whole_place(row: Row, low: u32) -> u32 {
    let first = 4u * row.word;
    return first + ((low - first) & 0xFFu);
}

fn value_of_place(place: u32) -> u32 {
    return extractBits(table(puzzle.values + place / 4u), place % 4u * 8u, 8u);
}

// The start of the neighbours of a place: the places of the same value in the cell's peers. Those of
// the next place follow.
fn neighbours_of(place: u32) -> u32 {
    return table(puzzle.starts + place);
}

// A neighbour: its place, and the free cell that it belongs to.
fn neighbour_at(at: u32) -> vec2<u32> {
    let packed = table(puzzle.neighbours + at);
    return vec2<u32>(packed % PLACE_UNIT, packed / PLACE_UNIT);
}

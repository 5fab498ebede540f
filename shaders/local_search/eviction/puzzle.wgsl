// The puzzle as a search reads it: the units and candidates of its free cells.
// On the CPU: `FreeCells` of src/core/ga/local_search/eviction/partial.rs
//
// A free cell has two words: its units and the number of its candidates, a byte each, and where its
// candidates begin among those of all, which are bytes too. Units are numbered through, rows before
// columns before boxes. src/gpu_engine/local_search/eviction.rs has the layout.

#choose task
#choose tables

// A free cell.
struct Row {
    units: vec3<u32>,
    candidates: u32,
    first: u32,
}

// Free cells, and where the words of each and the values of all begin: read once.
struct Sections {
    cells: u32,
    rows: u32,
    values: u32,
}

var<private> puzzle: Sections;

fn read_sections() {
    let cells = table(FREE_COUNT);
    let rows = table(SEARCH_TABLES);
    puzzle = Sections(cells, rows, rows + 2u * cells);
}

fn units_in(packed: u32) -> vec3<u32> {
    return vec3<u32>(packed & 0xFFu, (packed >> 8u) & 0xFFu, (packed >> 16u) & 0xFFu);
}

fn units_of(cell: u32) -> vec3<u32> {
    return units_in(table(puzzle.rows + 2u * cell));
}

fn row_of(cell: u32) -> Row {
    let packed = table(puzzle.rows + 2u * cell);
    return Row(units_in(packed), packed >> 24u, table(puzzle.rows + 2u * cell + 1u));
}

// The value of a cell's candidate, numbered from 0.
fn value_of(row: Row, candidate: u32) -> u32 {
    let at = row.first + candidate;
    return extractBits(table(puzzle.values + at / 4u), at % 4u * 8u, 8u);
}

// The begin and the end of a round: the kept words of a search are read from the buffer and written back, and
// the holders of values are computed from them.
// On the CPU: `fill` and `write` of src/core/ga/local_search/eviction/partial.rs

#choose shape
#choose search_words
#include "board/lane.wgsl"
#include "local_search/kept.wgsl"
#include "local_search/eviction/state.wgsl"

// Reads the board that was kept at `at`; no holder is set yet.
fn fetch(at: u32) {
    for (var word = lane; word < HOLDER_WORDS; word += WORKERS) {
        set_word(word, 0xFFFFFFFFu);
    }
    for (var word = lane; word < BOARD_WORDS; word += WORKERS) {
        if (word >= held_words()) {
            break;
        }
        set_word(HELD + word, kept(at + word));
    }
}

// Sets the holders.
fn hold_all() {
    for (var cell = lane; cell < CELLS; cell += WORKERS) {
        if (cell >= puzzle.cells) {
            break;
        }
        let row = row_of(cell);
        let value = held_byte(cell);
        if (value > 0u && row.candidates > 0u) {
            for (var k = 0u; k < 3u; k++) {
                turn_holder(row.units[k], value, cell);
            }
        }
    }
}

// Removes values from cells of a new child that are none of their candidates. A cell without candidates is
// never assigned, and keeps its value.
fn drop_foreign() {
    for (var cell = lane; cell < CELLS; cell += WORKERS) {
        if (cell >= puzzle.cells) {
            break;
        }
        let row = row_of(cell);
        let value = held_byte(cell);
        var is_own = row.candidates == 0u;
        for (var candidate = 0u; candidate < SIDE; candidate++) {
            if (candidate >= row.candidates) {
                break;
            }
            is_own = is_own || value_of(row, candidate) == value;
        }
        if (!is_own) {
            turn_held(cell, value);
        }
    }
}

// Assigns the cells of a new child in their order where no other one is in the way, by one lane, and
// returns how many are unassigned.
fn fill() -> u32 {
    var unassigned = 0u;
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= puzzle.cells) {
            break;
        }
        let row = row_of(cell);
        let value = held_byte(cell);
        if (row.candidates == 0u) {
            continue;
        }
        if (value > 0u && count(in_the_way(row.units, value)) == 0u) {
            for (var k = 0u; k < 3u; k++) {
                turn_holder(row.units[k], value, cell);
            }
        } else {
            turn_held(cell, value);
            set_cell(unassigned, cell);
            unassigned++;
        }
    }
    return unassigned;
}

// Lists the cells of a board that hold nothing, by one lane, and returns how many there are.
fn list_blanks() -> u32 {
    var blanks = 0u;
    for (var cell = 0u; cell < CELLS; cell++) {
        if (cell >= puzzle.cells) {
            break;
        }
        if (held_byte(cell) == 0u) {
            set_cell(blanks, cell);
            blanks++;
        }
    }
    return blanks;
}

// Writes the values of cells to `at` of the buffer.
fn keep_held(at: u32) {
    for (var word = lane; word < BOARD_WORDS; word += WORKERS) {
        if (word >= held_words()) {
            break;
        }
        set_kept(at + word, word_at(HELD + word));
    }
}

// Words of a list of cells.
fn list_words(unassigned: u32) -> u32 {
    return (unassigned + 1u) / 2u;
}

fn fetch_list(base: u32, unassigned: u32) {
    for (var word = lane; word < 2u * BOARD_WORDS; word += WORKERS) {
        if (word >= list_words(unassigned)) {
            break;
        }
        set_word(list + word, kept(kept_row(base) + word));
    }
}

fn keep_list(base: u32, unassigned: u32) {
    for (var word = lane; word < 2u * BOARD_WORDS; word += WORKERS) {
        if (word >= list_words(unassigned)) {
            break;
        }
        set_kept(kept_row(base) + word, word_at(list + word));
    }
}

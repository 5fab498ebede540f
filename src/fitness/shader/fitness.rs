//! The function `fitness` in WGSL, in both forms.
//!
//! Scoring and the GPU engine use the same text, except for where the board is read from.

use std::fmt::{self, Write};

use super::ShaderForm;
use super::bitsets::ValueSets;
use super::loads::{BoardMemory, Words};
use crate::board::Geometry;

/// The function for boards of a geometry that are read from `memory`.
pub(super) fn fitness(geometry: Geometry, memory: BoardMemory, form: ShaderForm) -> String {
    let sets = ValueSets::of(geometry);
    let mut text = format!("#choose shape\n#include \"{}\"\n", sets.file());
    let written = match form {
        ShaderForm::StraightLine => write_straight_line(&mut text, geometry, sets, memory),
        ShaderForm::Loop => write_row_loop(&mut text, geometry, sets, memory),
    };
    written.expect("a String takes all that is written");
    text
}

fn write_straight_line(
    text: &mut String,
    geometry: Geometry,
    sets: ValueSets,
    memory: BoardMemory,
) -> fmt::Result {
    let side = geometry.side();
    open(text, sets, memory)?;
    let alignment = 1 << (geometry.stride() / 4).trailing_zeros().min(2);
    let mut words = Words::open(text, "    ", memory, "first", alignment)?;
    sets.clear(text, "    var ", "box", sets.groups())?;
    for row in 0..side {
        if row % geometry.box_rows() == 0 {
            writeln!(text, "\n    // Band {}.", row / geometry.box_rows())?;
            if row > 0 {
                sets.clear(text, "    ", "box", sets.groups())?;
            }
        }
        let first = row * side;
        for number in first.div_ceil(4)..(first + side).div_ceil(4) {
            let word = words.word(text, "    ", "first", number)?;
            let word = if sets.narrow() { format!("cleaned({word})") } else { word };
            writeln!(text, "    let word_{number} = {word};")?;
        }
        writeln!(text, "    {{")?;
        let set = sets.add_row(text, "        ", first)?;
        // As many rows are counted at once as a word has fields.
        let field = row % sets.fields;
        let join = if field == 0 { "=" } else { "|=" };
        writeln!(text, "        rows {join} {};", sets.in_field(&set, field))?;
        if field + 1 == sets.fields || row + 1 == side {
            writeln!(text, "        distinct += count_values(rows);")?;
        }
        writeln!(text, "    }}")?;
        if (row + 1) % geometry.box_rows() == 0 {
            sets.count(text, "    ", "box", sets.groups())?;
        }
    }
    close(text, sets)
}

fn write_row_loop(
    text: &mut String,
    geometry: Geometry,
    sets: ValueSets,
    memory: BoardMemory,
) -> fmt::Result {
    let side = geometry.side();
    let whole_words = side.is_multiple_of(4);
    if !whole_words {
        // Rows begin anywhere in a word.
        writeln!(text, "#include \"score/joined.wgsl\"")?;
    }
    open(text, sets, memory)?;
    writeln!(text, "    for (var band = 0u; band < SIDE / BOX_ROWS; band++) {{")?;
    sets.clear(text, "        var ", "box", sets.groups())?;
    writeln!(text, "        for (var line = 0u; line < BOX_ROWS; line++) {{")?;
    let indent = "            ";
    writeln!(text, "{indent}let row_start = (band * BOX_ROWS + line) * SIDE;")?;
    writeln!(text, "{indent}let row_word = first + row_start / 4u;")?;
    let alignment = if whole_words { 1 << (side / 4).trailing_zeros().min(2) } else { 1 };
    let mut words = Words::open(text, indent, memory, "row_word", alignment)?;
    let count = side.div_ceil(4);
    if !whole_words {
        // After the last board this reads arbitrary bytes, which are not cells of the row.
        for number in 0..=count {
            let word = words.word(text, indent, "row_word", number)?;
            writeln!(text, "{indent}let part_word_{number} = {word};")?;
        }
        writeln!(text, "{indent}let shift = row_start % 4u * 8u;")?;
    }
    for number in 0..count {
        let word = if whole_words {
            words.word(text, indent, "row_word", number)?
        } else {
            format!("joined(part_word_{number}, part_word_{}, shift)", number + 1)
        };
        let word = if sets.narrow() { format!("cleaned({word})") } else { word };
        writeln!(text, "{indent}let word_{number} = {word};")?;
    }
    let set = sets.add_row(text, indent, 0)?;
    writeln!(text, "{indent}rows = {set};")?;
    writeln!(text, "{indent}distinct += count_values(rows);")?;
    writeln!(text, "        }}")?;
    sets.count(text, "        ", "box", sets.groups())?;
    writeln!(text, "    }}")?;
    close(text, sets)
}

fn open(text: &mut String, sets: ValueSets, memory: BoardMemory) -> fmt::Result {
    if memory == BoardMemory::Child {
        writeln!(text, "#choose memory")?;
        writeln!(text, "// The fitness of the child.")?;
        writeln!(text, "fn fitness() -> u32 {{")?;
        writeln!(text, "    let first = 0u;")?;
    } else {
        writeln!(text, "// The fitness of the board whose first word is `first`.")?;
        writeln!(text, "fn fitness(first: u32) -> u32 {{")?;
    }
    writeln!(text, "    var distinct = 0u;")?;
    writeln!(text, "    var rows = NO_VALUES;")?;
    sets.clear(text, "    var ", "column", sets.columns())
}

fn close(text: &mut String, sets: ValueSets) -> fmt::Result {
    writeln!(text)?;
    sets.count(text, "    ", "column", sets.columns())?;
    writeln!(text, "    return 3u * SIDE * SIDE - distinct;")?;
    writeln!(text, "}}")
}

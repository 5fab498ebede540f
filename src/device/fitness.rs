//! The function `fitness` of a thread's child, written for a shape.
//!
//! Cells are taken in row-major order, a band's boxes and all columns being kept in variables: a
//! GPU would put an array into slow memory. Up to 256 cells are all written out; larger boards are
//! gone through line by line, because drivers take a time to compile that grows with the square of
//! the text. The twin is [`fitness`](crate::score::fitness).

use std::fmt::{self, Write};

use super::twins::shader;
use crate::board::Geometry;

/// Cells up to which all are written out.
const STRAIGHT_CELLS: usize = 256;

/// The function for a shape. It reads `child_word`, and needs sets of values.
pub(super) fn fitness(geometry: Geometry) -> String {
    if geometry.cells() > STRAIGHT_CELLS {
        return shader!("fitness_by_lines").to_owned();
    }
    let mut text = String::new();
    straight_line(&mut text, geometry).expect("a String takes all that is written");
    text
}

fn straight_line(text: &mut String, geometry: Geometry) -> fmt::Result {
    let (side, width) = (geometry.side(), geometry.box_cols());
    let sets = |text: &mut String, start: &str, name: &str, count: usize| {
        (0..count).try_for_each(|k| writeln!(text, "    {start}{name}_{k} = EMPTY;"))
    };
    let count = |text: &mut String, name: &str, count: usize| {
        (0..count).try_for_each(|k| writeln!(text, "    distinct += size({name}_{k});"))
    };
    writeln!(text, "// The fitness of the child.")?;
    writeln!(text, "fn fitness() -> u32 {{")?;
    writeln!(text, "    var distinct = 0u;")?;
    sets(text, "var ", "column", side)?;
    sets(text, "var ", "box", geometry.stacks())?;
    for row in 0..side {
        let first = row * side;
        for word in first.div_ceil(4)..(first + side).div_ceil(4) {
            writeln!(text, "    let word_{word} = child_word({word}u);")?;
        }
        let mut parts = Vec::new();
        for stack in 0..geometry.stacks() {
            let mut cells = Vec::new();
            for column in stack * width..(stack + 1) * width {
                let cell = first + column;
                let (word, shift) = (cell / 4, cell % 4 * 8);
                writeln!(text, "    let cell_{cell} = value_bit(word_{word} >> {shift}u);")?;
                writeln!(text, "    column_{column} |= cell_{cell};")?;
                cells.push(format!("cell_{cell}"));
            }
            let part = format!("part_{row}_{stack}");
            writeln!(text, "    let {part} = {};", cells.join(" | "))?;
            writeln!(text, "    box_{stack} |= {part};")?;
            parts.push(part);
        }
        writeln!(text, "    distinct += size({});", parts.join(" | "))?;
        if (row + 1) % geometry.box_rows() == 0 {
            count(text, "box", geometry.stacks())?;
            sets(text, "", "box", geometry.stacks())?;
        }
    }
    count(text, "column", side)?;
    writeln!(text, "    return 3u * SIDE * SIDE - distinct;")?;
    writeln!(text, "}}")
}

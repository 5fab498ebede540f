//! The WGSL that scores boards of one shape, put together from `shaders/` and the geometry.
//!
//! The kernel is `shaders/score.wgsl`, the sets of values are `shaders/set_narrow.wgsl` or
//! `set_wide.wgsl`, and the fitness of a board is written here, in one of two forms. Both go
//! through the cells once, as [`fitness`](super::fitness) does, and keep the sets of the columns
//! and of a band's boxes in variables: a GPU would put an array into slow memory.
//!
//! - *Straight line*: all cells are written out, without a loop.
//! - *Loop*: the cells of one row are written out, in a loop over the rows. Drivers take a time
//!   to compile that grows with the square of the text.
//!
//! ```
//! use evodoku::board::Geometry;
//! use evodoku::score::score_shader;
//!
//! let shader = score_shader(Geometry::new(2, 3)?);
//! assert!(shader.contains("const SIDE = 6u;"));
//! assert!(shader.contains("let cell_35 = "));
//! # Ok::<(), evodoku::board::GeometryError>(())
//! ```

use std::fmt::{self, Write};

use crate::board::Geometry;
use crate::gpu::include;

/// Threads of a workgroup, one board each.
pub(super) const WORKGROUP: u32 = 64;
/// Largest side whose sets fit one word.
const NARROW_SIDE: usize = 32;
/// Cells up to which the straight line is taken.
pub const STRAIGHT_CELLS: usize = 256;

const KERNEL: &str = include_str!("../../shaders/score.wgsl");
const SET_NARROW: &str = include_str!("../../shaders/set_narrow.wgsl");
const SET_WIDE: &str = include_str!("../../shaders/set_wide.wgsl");
/// Rows begin anywhere in a word where four does not divide the side.
const JOINED: &str = include_str!("../../shaders/joined.wgsl");

/// How the fitness of a board is written in WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderForm {
    /// Every cell written out.
    StraightLine,
    /// The cells of a row written out, in a loop over the rows.
    Loop,
}

impl ShaderForm {
    /// The form that boards of this shape are scored with.
    pub fn of(geometry: Geometry) -> Self {
        if geometry.cells() <= STRAIGHT_CELLS { Self::StraightLine } else { Self::Loop }
    }

    /// The whole shader of a shape in this form.
    pub fn shader(self, geometry: Geometry) -> String {
        let sets = if geometry.side() <= NARROW_SIDE { SET_NARROW } else { SET_WIDE };
        let mut fitness = String::new();
        match self {
            Self::StraightLine => straight_line(&mut fitness, geometry),
            Self::Loop => row_loop(&mut fitness, geometry),
        }
        .expect("a String takes all that is written");
        let kernel = include(KERNEL, &[("sets.wgsl", sets), ("fitness.wgsl", &fitness)]);
        format!("{}\n{kernel}", constants(geometry))
    }
}

/// The shader that scores boards of this shape, as it is compiled.
pub fn score_shader(geometry: Geometry) -> String {
    ShaderForm::of(geometry).shader(geometry)
}

fn constants(geometry: Geometry) -> String {
    format!(
        "// Boards of {geometry} boxes.\n\
         const BOX_ROWS = {}u;\n\
         const BOX_COLS = {}u;\n\
         const SIDE = {}u;\n\
         // Words from one board to the next.\n\
         const BOARD_WORDS = {}u;\n\
         // Threads of a workgroup.\n\
         const WORKGROUP = {WORKGROUP}u;\n",
        geometry.box_rows(),
        geometry.box_cols(),
        geometry.side(),
        geometry.stride() / 4,
    )
}

fn straight_line(text: &mut String, geometry: Geometry) -> fmt::Result {
    let side = geometry.side();
    open(text, geometry)?;
    sets(text, "    var ", "box", geometry.stacks())?;
    for row in 0..side {
        if row % geometry.box_rows() == 0 {
            writeln!(text, "\n    // Band {}.", row / geometry.box_rows())?;
            if row > 0 {
                sets(text, "    ", "box", geometry.stacks())?;
            }
        }
        let first = row * side;
        for word in first.div_ceil(4)..(first + side).div_ceil(4) {
            writeln!(text, "    let word_{word} = boards[first + {word}u];")?;
        }
        write_row(text, "    ", geometry, first, &format!("row_{row}_part"))?;
        if (row + 1) % geometry.box_rows() == 0 {
            count(text, "    ", "box", geometry.stacks())?;
        }
    }
    close(text, geometry)
}

fn row_loop(text: &mut String, geometry: Geometry) -> fmt::Result {
    let aligned = geometry.side().is_multiple_of(4);
    if !aligned {
        writeln!(text, "{JOINED}")?;
    }
    open(text, geometry)?;
    writeln!(text, "    for (var band = 0u; band < SIDE / BOX_ROWS; band++) {{")?;
    sets(text, "        var ", "box", geometry.stacks())?;
    writeln!(text, "        for (var line = 0u; line < BOX_ROWS; line++) {{")?;
    writeln!(text, "            let row_start = (band * BOX_ROWS + line) * SIDE;")?;
    let words = geometry.side().div_ceil(4);
    let read = if aligned { "word" } else { "part_word" };
    writeln!(text, "            let row_word = first + row_start / 4u;")?;
    for word in 0..words {
        writeln!(text, "            let {read}_{word} = boards[row_word + {word}u];")?;
    }
    if !aligned {
        // Past the last word of all this reads anything; those bytes are no cells of the row.
        writeln!(text, "            let {read}_{words} = boards[row_word + {words}u];")?;
        writeln!(text, "            let shift = row_start % 4u * 8u;")?;
        for word in 0..words {
            let pair = format!("{read}_{word}, {read}_{}", word + 1);
            writeln!(text, "            let word_{word} = joined({pair}, shift);")?;
        }
    }
    write_row(text, "            ", geometry, 0, "part")?;
    writeln!(text, "        }}")?;
    count(text, "        ", "box", geometry.stacks())?;
    writeln!(text, "    }}")?;
    close(text, geometry)
}

fn open(text: &mut String, geometry: Geometry) -> fmt::Result {
    writeln!(text, "// The fitness of the board whose first word is `first`.")?;
    writeln!(text, "fn fitness(first: u32) -> u32 {{")?;
    writeln!(text, "    var distinct = 0u;")?;
    sets(text, "    var ", "column", geometry.side())
}

fn close(text: &mut String, geometry: Geometry) -> fmt::Result {
    writeln!(text)?;
    count(text, "    ", "column", geometry.side())?;
    writeln!(text, "    return 3u * SIDE * SIDE - distinct;")?;
    writeln!(text, "}}")
}

/// The row whose first cell has the number `first`, in words that have been read. `part` names
/// the cells that it shares with each of its boxes.
fn write_row(
    text: &mut String,
    indent: &str,
    geometry: Geometry,
    first: usize,
    part: &str,
) -> fmt::Result {
    for column in 0..geometry.side() {
        let cell = first + column;
        let (word, shift) = (cell / 4, cell % 4 * 8);
        writeln!(text, "{indent}let cell_{cell} = value_bit(word_{word} >> {shift}u);")?;
        writeln!(text, "{indent}column_{column} |= cell_{cell};")?;
    }
    let width = geometry.box_cols();
    for stack in 0..geometry.stacks() {
        let from = first + stack * width;
        writeln!(text, "{indent}let {part}_{stack} = {};", union("cell", from..from + width))?;
        writeln!(text, "{indent}box_{stack} |= {part}_{stack};")?;
    }
    writeln!(text, "{indent}distinct += size({});", union(part, 0..geometry.stacks()))
}

/// `count` empty sets.
fn sets(text: &mut String, start: &str, name: &str, count: usize) -> fmt::Result {
    (0..count).try_for_each(|k| writeln!(text, "{start}{name}_{k} = EMPTY;"))
}

/// Adds the sizes of `count` sets.
fn count(text: &mut String, indent: &str, name: &str, count: usize) -> fmt::Result {
    (0..count).try_for_each(|k| writeln!(text, "{indent}distinct += size({name}_{k});"))
}

/// `name_0 | name_1 | ...`
fn union(name: &str, numbers: std::ops::Range<usize>) -> String {
    let all: Vec<String> = numbers.map(|number| format!("{name}_{number}")).collect();
    all.join(" | ")
}

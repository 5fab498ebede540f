//! The WGSL that scores boards of one shape, put together from `shaders/` and the geometry.
//!
//! Two forms say the same. *Straight line*: every cell is written out, the sets of the columns
//! and of a band's boxes are variables, and there is no loop and no private array, which GPUs
//! would keep in slow memory. *Loop*: a unit of each kind at a time, for boards so large that the
//! straight line would take longer to compile than it saves.
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
pub const STRAIGHT_CELLS: usize = 625;

const KERNEL: &str = include_str!("../../shaders/score.wgsl");
const FITNESS_LOOP: &str = include_str!("../../shaders/fitness_loop.wgsl");
const SET_NARROW: &str = include_str!("../../shaders/set_narrow.wgsl");
const SET_WIDE: &str = include_str!("../../shaders/set_wide.wgsl");

/// How the fitness of a board is written in WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderForm {
    /// Every cell written out.
    StraightLine,
    /// A loop over units and their cells.
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
        let straight;
        let fitness = match self {
            Self::Loop => FITNESS_LOOP,
            Self::StraightLine => {
                straight = straight_line(geometry);
                &straight
            }
        };
        let kernel = include(KERNEL, &[("sets.wgsl", sets), ("fitness.wgsl", fitness)]);
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

fn straight_line(geometry: Geometry) -> String {
    let mut text = String::new();
    write_straight_line(&mut text, geometry).expect("a String takes all that is written");
    text
}

fn write_straight_line(text: &mut String, geometry: Geometry) -> fmt::Result {
    let (side, box_rows, box_cols) = (geometry.side(), geometry.box_rows(), geometry.box_cols());
    writeln!(text, "// The fitness of the board whose first word is `first`.")?;
    writeln!(text, "fn fitness(first: u32) -> u32 {{")?;
    writeln!(text, "    var distinct = 0u;")?;
    for column in 0..side {
        writeln!(text, "    var column_{column} = EMPTY;")?;
    }
    for row in 0..side {
        if row % box_rows == 0 {
            writeln!(text, "\n    // Band {}.", row / box_rows)?;
        }
        for cell in row * side..(row + 1) * side {
            if cell % 4 == 0 {
                writeln!(text, "    let word_{0} = boards[first + {0}u];", cell / 4)?;
            }
            let (word, shift) = (cell / 4, cell % 4 * 8);
            writeln!(text, "    let cell_{cell} = value_bit(word_{word} >> {shift}u);")?;
            writeln!(text, "    column_{0} |= cell_{cell};", geometry.col_of(cell))?;
        }
        // The cells that the row shares with each of its boxes.
        let parts = geometry.stacks();
        for stack in 0..parts {
            let first = row * side + stack * box_cols;
            let cells = names("cell", first..first + box_cols);
            writeln!(text, "    let row_{row}_part_{stack} = {cells};")?;
        }
        let row_set = names(&format!("row_{row}_part"), 0..parts);
        writeln!(text, "    distinct += size({row_set});")?;
        if (row + 1) % box_rows == 0 {
            for stack in 0..parts {
                let rows = row + 1 - box_rows..row + 1;
                let cells: Vec<String> =
                    rows.map(|row| format!("row_{row}_part_{stack}")).collect();
                writeln!(text, "    distinct += size({});", cells.join(" | "))?;
            }
        }
    }
    writeln!(text, "\n    // Columns.")?;
    for column in 0..side {
        writeln!(text, "    distinct += size(column_{column});")?;
    }
    writeln!(text, "    return 3u * SIDE * SIDE - distinct;")?;
    writeln!(text, "}}")
}

/// `name_0 | name_1 | ...`
fn names(name: &str, numbers: std::ops::Range<usize>) -> String {
    let all: Vec<String> = numbers.map(|number| format!("{name}_{number}")).collect();
    all.join(" | ")
}

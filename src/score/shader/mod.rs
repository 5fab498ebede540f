//! The WGSL that scores boards of one shape, put together from `shaders/` and the geometry.
//!
//! The entry point is `shaders/score_direct.wgsl` or `score_staged.wgsl`, and the fitness of a
//! board is written here, in one of two forms. Both go through the cells once, as
//! [`fitness`](super::fitness) does, and keep all sets of values in variables: a GPU would put an
//! array into slow memory.
//!
//! - *Straight line*: all cells are written out, without a loop.
//! - *Loop*: the cells of one row are written out, in a loop over the rows. Drivers take a time
//!   to compile that grows with the square of the text.
//!
//! ```
//! use evodoku::board::Geometry;
//! use evodoku::score::{Reading, ScoreShader};
//!
//! let shader = ScoreShader::new(Geometry::new(2, 3)?, Reading::Staged);
//! assert!(shader.source.contains("const SIDE = 6u;"));
//! assert!(shader.source.contains("let cell_35 = "));
//! # Ok::<(), evodoku::board::GeometryError>(())
//! ```

mod forms;
mod sets;
mod words;

use std::fmt::Write;

use self::sets::Sets;
use crate::board::Geometry;
use crate::gpu::{AdapterInfo, include};
use crate::named::named;

/// Cells up to which the straight line is taken. Million boards a second of CPU time on llvmpipe
/// (AMD EPYC), straight line against loop: 6.6 to 6.1 at 16x16, 4.3 to 2.9 at 20x20, 1.5 to 1.4 at
/// 25x25, where the straight line took 1.9 s to compile.
pub const STRAIGHT_CELLS: usize = 400;
/// Threads of a workgroup.
const THREADS: usize = 64;
/// Boards that a thread scores when it reads them itself: two scores fill a word.
const DIRECT_BOARDS: usize = 2;
/// Bytes of workgroup memory that every adapter has.
const WORKGROUP_BYTES: usize = 16 << 10;

const DIRECT: &str = include_str!("../../../shaders/score_direct.wgsl");
const STAGED: &str = include_str!("../../../shaders/score_staged.wgsl");

named! {
    /// How the fitness of a board is written in WGSL.
    pub enum ShaderForm {
        /// Every cell written out.
        StraightLine = "straight-line",
        /// The cells of a row written out, in a loop over the rows.
        Loop = "loop",
    }
}

named! {
    /// How boards come from memory.
    pub enum Reading {
        /// Each thread reads its own boards, four words at a time.
        Direct = "direct",
        /// The threads of a workgroup read neighbouring words of its boards into workgroup memory, and each thread then takes its board from there.
        Staged = "staged",
    }
}

/// A shader that scores boards of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreShader {
    /// The WGSL, whose entry point is `score`.
    pub source: String,
    /// Boards that a workgroup scores.
    pub workgroup_boards: usize,
}

impl ShaderForm {
    /// The form that boards of this shape are scored with.
    pub fn of(geometry: Geometry) -> Self {
        if geometry.cells() <= STRAIGHT_CELLS { Self::StraightLine } else { Self::Loop }
    }
}

impl Reading {
    /// What suits an adapter: a GPU reads neighbouring words for all threads of a warp at once; a
    /// software driver reads them one by one and has nothing to win by a copy.
    pub fn of(adapter: &AdapterInfo) -> Self {
        if adapter.is_software() { Self::Direct } else { Self::Staged }
    }
}

impl ScoreShader {
    /// The shader for this shape, with boards read so if they fit workgroup memory.
    pub fn new(geometry: Geometry, reading: Reading) -> Self {
        Self::with_form(geometry, reading, ShaderForm::of(geometry))
    }

    /// The same in a form that may be another than the usual one.
    pub fn with_form(geometry: Geometry, reading: Reading, form: ShaderForm) -> Self {
        let (reading, threads) = match (reading, staged_threads(geometry)) {
            (Reading::Staged, Some(threads)) => (Reading::Staged, threads),
            _ => (Reading::Direct, THREADS),
        };
        let (kernel, workgroup_boards) = match reading {
            Reading::Direct => (DIRECT, threads * DIRECT_BOARDS),
            Reading::Staged => (STAGED, threads),
        };
        let sets = Sets::of(geometry);
        let mut source = constants(geometry, threads) + &sets.constants();
        let fitness = match form {
            ShaderForm::StraightLine => forms::straight_line(geometry, sets, reading),
            ShaderForm::Loop => forms::row_loop(geometry, sets, reading),
        };
        source += &include(kernel, &[("sets.wgsl", sets.text()), ("fitness.wgsl", &fitness)]);
        Self { source, workgroup_boards }
    }
}

/// Words from one board to the next in workgroup memory: an odd number, so that the threads of a
/// warp, each at the same word of its board, read from different banks.
fn tile_words(geometry: Geometry) -> usize {
    (geometry.stride() / 4) | 1
}

/// Threads of a workgroup whose boards and scores fit workgroup memory, if a warp of them does.
fn staged_threads(geometry: Geometry) -> Option<usize> {
    [THREADS, THREADS / 2]
        .into_iter()
        .find(|threads| threads * (tile_words(geometry) + 1) * 4 <= WORKGROUP_BYTES)
}

fn constants(geometry: Geometry, threads: usize) -> String {
    let mut text = format!("// Boards of {geometry} boxes.\n");
    for (name, value, meaning) in [
        ("BOX_ROWS", geometry.box_rows(), ""),
        ("BOX_COLS", geometry.box_cols(), ""),
        ("SIDE", geometry.side(), ""),
        ("BOARD_WORDS", geometry.stride() / 4, "Words from one board to the next."),
        ("TILE_WORDS", tile_words(geometry), "The same in workgroup memory."),
        ("WORKGROUP", threads, "Threads of a workgroup."),
    ] {
        if !meaning.is_empty() {
            writeln!(text, "// {meaning}").expect("a String takes all that is written");
        }
        writeln!(text, "const {name} = {value}u;").expect("a String takes all that is written");
    }
    text
}

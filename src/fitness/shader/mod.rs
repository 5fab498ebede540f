//! The WGSL that scores boards of one shape, put together from `shaders/` and the geometry.
//!
//! The entry point is `shaders/fitness/direct.wgsl` or `staged.wgsl`, and the function for the fitness of a
//! board is generated, in one of two forms. Both go through the cells once, as
//! [`fitness`](super::fitness()) does, and keep all sets of values in variables: a GPU would put an
//! array into slow memory. The kernels of the GPU engine use the same function.
//!
//! - *Straight line*: all cells are written out, without a loop.
//! - *Loop*: the cells of one row are written out, in a loop over the rows. The compile time of
//!   drivers grows with the square of the length of the text.

mod fitness;

use self::fitness::{BoardMemory, ValueSets, fitness};
use super::UNWRITTEN;
use crate::board::Geometry;
use crate::gpu::{Access, AdapterInfo, Binding, ShaderDefines, ShaderError, constants, declare};
use crate::util::named_enum::named;

/// Most cells of a board that is scored in a straight line. Million boards a second of CPU time on llvmpipe
/// (AMD EPYC), straight line against loop: 6.6 to 6.1 at 16x16, 4.3 to 2.9 at 20x20, 1.5 to 1.4 at
/// 25x25, where the straight line took 1.9 s to compile. Kernels that breed have the same limit,
/// since they contain the same text.
const STRAIGHT_CELLS: usize = 400;
/// The same for the kernel that scores on an adapter that is not software: at 25x25 the straight line takes 2,339
/// instructions on a GPU, and the loop 4,891 (`scripts/count-instructions`).
const GPU_STRAIGHT_CELLS: usize = 625;
/// Threads of a workgroup.
const THREADS: usize = 64;
/// Boards that a thread scores when it reads them directly: two scores fill a word.
const DIRECT_BOARDS: usize = 2;
/// Bytes of workgroup memory that every adapter has.
const WORKGROUP_BYTES: usize = 16 << 10;

/// The bindings of the kernels.
pub(super) const BINDINGS: [Binding; 3] = [
    // One byte a cell in row-major order, the first cell in the lowest byte.
    Binding { name: "boards", kind: "array<vec4<u32>>", access: Access::Read },
    // Two scores a word, the first in the low half.
    Binding { name: "scores", kind: "array<u32>", access: Access::Write },
    Binding { name: "chunk", kind: "Chunk", access: Access::Uniform },
];

named! {
    /// The form of the fitness function in WGSL.
    pub enum ShaderForm {
        /// Every cell written out.
        StraightLine = "straight-line",
        /// The cells of a row written out, in a loop over the rows.
        Loop = "loop",
    }
}

named! {
    /// How boards are read from memory.
    pub enum BoardReading {
        /// Each thread reads its own boards.
        Direct = "direct",
        /// The threads of a workgroup copy its boards to workgroup memory, neighbouring words side by side, and each thread then reads its board there.
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
    /// Returns the form for boards of this geometry. [`BoardReading::of`] a software driver is `Direct`, so that `Staged`
    /// stands for a GPU.
    pub fn of(geometry: Geometry, reading: BoardReading) -> Self {
        let most = match reading {
            BoardReading::Direct => STRAIGHT_CELLS,
            BoardReading::Staged => GPU_STRAIGHT_CELLS,
        };
        if geometry.cells() <= most { Self::StraightLine } else { Self::Loop }
    }
}

impl BoardReading {
    /// Returns the reading that suits an adapter: a GPU reads neighbouring words for all threads of a warp at once; a
    /// software driver reads them one by one and gains nothing from a copy.
    pub fn of(adapter: &AdapterInfo) -> Self {
        if adapter.is_software() { Self::Direct } else { Self::Staged }
    }
}

impl ScoreShader {
    /// Creates the shader for this geometry. [`BoardReading::Staged`] becomes
    /// [`Direct`](BoardReading::Direct) where boards do not fit workgroup memory.
    ///
    /// # Errors
    /// [`ShaderError`] when its source cannot be generated.
    pub fn new(geometry: Geometry, reading: BoardReading) -> Result<Self, ShaderError> {
        Self::with_form(geometry, reading, ShaderForm::of(geometry, reading))
    }

    /// Creates the shader in the given form, which may differ from [`ShaderForm::of`].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_form(
        geometry: Geometry,
        reading: BoardReading,
        form: ShaderForm,
    ) -> Result<Self, ShaderError> {
        let staged = staged_threads(geometry).filter(|_| reading == BoardReading::Staged);
        let threads = staged.unwrap_or(THREADS);
        let (file, memory, boards) = match staged {
            Some(_) => ("fitness/staged.wgsl", BoardMemory::Tile, 1),
            None => ("fitness/direct.wgsl", BoardMemory::Buffer, DIRECT_BOARDS),
        };
        let choices = ShaderDefines::default()
            .text("shape", shape(geometry))
            .text("chunk", chunk(geometry, threads))
            .text("fields", ValueSets::new(geometry).constants())
            .text("fitness", fitness(geometry, memory, form));
        Ok(Self { source: choices.kernel(file)?, workgroup_boards: threads * boards })
    }
}

/// Adds the function `fitness` of a child, and its constants, to a kernel.
pub(crate) fn child_fitness(geometry: Geometry, choices: ShaderDefines) -> ShaderDefines {
    let form = ShaderForm::of(geometry, BoardReading::Direct);
    let text = fitness(geometry, BoardMemory::Child, form);
    choices.text("fields", ValueSets::new(geometry).constants()).text("fitness", text)
}

/// The constants of a geometry, for kernels.
pub(crate) fn shape(geometry: Geometry) -> String {
    constants(&[
        ("BOX_ROWS", geometry.box_rows()),
        ("BOX_COLS", geometry.box_cols()),
        ("SIDE", geometry.side()),
        ("CELLS", geometry.cells()),
        ("BOARD_WORDS", geometry.stride() / 4),
    ])
}

/// Words from one board to the next in workgroup memory, where four words lie in banks of their own. Boards of whole
/// quads have an odd number of them, so that the threads of a warp, each at the same quad of its board, read from
/// different banks. Other boards follow each other as they do in the buffer: their words are odd in number.
fn tile_words(geometry: Geometry) -> usize {
    match geometry.stride() / 4 {
        words if words.is_multiple_of(4) => ((words / 4) | 1) * 4,
        words => words,
    }
}

/// Threads of a workgroup whose boards and scores fit workgroup memory, if a warp of them does.
fn staged_threads(geometry: Geometry) -> Option<usize> {
    [THREADS, THREADS / 2]
        .into_iter()
        .find(|threads| threads * (tile_words(geometry) + 1) * 4 <= WORKGROUP_BYTES)
}

/// The bindings, and the constants of a workgroup.
fn chunk(geometry: Geometry, threads: usize) -> String {
    let types = "// Boards of the chunk; threads past the last one have nothing to do.\n\
                 struct Chunk { count: u32 }\n";
    // Threads of a workgroup, times that each copies four words, words from board to board, and no score.
    let shares = constants(&[
        ("WORKGROUP", threads),
        ("COPY_TURNS", (geometry.stride() / 4).div_ceil(4)),
        ("TILE_WORDS", tile_words(geometry)),
        ("UNWRITTEN", UNWRITTEN.into()),
    ]);
    [types, &declare(&BINDINGS), &shares].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_SIDE, MIN_SIDE};

    #[test]
    fn boards_of_a_workgroup_fit_its_memory_and_lie_in_different_banks() {
        let mut staged = 0;
        for geometry in (MIN_SIDE..=MAX_SIDE).filter_map(Geometry::squarest) {
            let (words, tile) = (geometry.stride() / 4, tile_words(geometry));
            match words % 4 {
                0 => assert!(tile % 8 == 4 && (words..=words + 4).contains(&tile), "{geometry}"),
                _ => assert!(tile == words && tile % 2 == 1, "{geometry}"),
            }
            // A board, and its score.
            let bytes = |threads: usize| threads * (tile + 1) * 4;
            match staged_threads(geometry) {
                Some(threads) => {
                    assert!(bytes(threads) <= WORKGROUP_BYTES, "{geometry}");
                    assert!(threads == THREADS || bytes(THREADS) > WORKGROUP_BYTES, "{geometry}");
                    staged += 1;
                }
                None => assert!(bytes(THREADS / 2) > WORKGROUP_BYTES, "{geometry}"),
            }
        }
        assert!(staged > 1);
        let nine = Geometry::new(3, 3).unwrap();
        assert_eq!((tile_words(nine), staged_threads(nine)), (21, Some(THREADS)));
        assert!(shape(nine).contains("BOARD_WORDS = 21u"), "{}", shape(nine));
    }
}

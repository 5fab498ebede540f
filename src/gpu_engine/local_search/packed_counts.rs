//! Packed conflict counts: a field for each candidate of a free cell.
//!
//! A field holds how many peers have the candidate's value, and above that a bit that closes the
//! candidate. Up to 127 peers eight bits do, four fields to a word; on larger boards three fields of
//! ten. A *place* is four times the number of a word plus that of the field, whatever a word holds.

use crate::board::Geometry;
use crate::gpu::constants;

/// Peers that a field of eight bits counts.
const NARROW_PEERS: usize = 127;
/// Places of a word, used or not.
pub(super) const WORD_PLACES: usize = 4;
/// Word numbers are below this: the number of candidates of a row is in the bits above.
pub(super) const ROW_UNIT: usize = 1 << 20;
/// Places are below this: in a neighbour its cell is in the bits above, in the ring a step in the bits below.
pub(super) const PLACE_UNIT: usize = 1 << 19;

/// The packing of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedCounts {
    side: usize,
    /// Peers of a cell.
    pub peers: usize,
    /// Fields of a word.
    pub in_word: usize,
    bits: usize,
}

impl PackedCounts {
    pub(super) fn new(geometry: Geometry) -> Self {
        let side = geometry.side();
        let peers = 2 * (side - 1) + (geometry.box_rows() - 1) * (geometry.box_cols() - 1);
        let [in_word, bits] = if peers <= NARROW_PEERS { [4, 8] } else { [3, 10] };
        Self { side, peers, in_word, bits }
    }

    /// Words of a cell with `candidates` candidates.
    pub(super) fn words(self, candidates: usize) -> usize {
        candidates.div_ceil(self.in_word)
    }

    /// Words of the cell with most candidates.
    pub(super) fn most_words(self) -> usize {
        self.words(self.side)
    }

    /// The place of a candidate, numbered from 0, of a cell whose words begin at `word`.
    pub(super) fn place(self, word: usize, candidate: usize) -> usize {
        WORD_PLACES * (word + candidate / self.in_word) + candidate % self.in_word
    }

    /// Fields as a word; missing ones are full, so that no price is higher.
    pub(super) fn pack(self, counts: &[u8]) -> u32 {
        let full = (1 << self.bits) - 1;
        let field = |at: usize| counts.get(at).map_or(full, |count| u32::from(*count));
        (0..self.in_word).fold(0, |word, at| word | field(at) << (at * self.bits))
    }

    /// The packing as constants for kernels.
    pub(super) fn constants(self) -> String {
        let closed = 1usize << (self.bits - 1);
        // Fields of counts, and units of what is packed beside something else.
        let words = constants(&[
            ("WORD_FIELDS", self.in_word),
            ("FIELD_BITS", self.bits),
            ("CLOSED", closed),
            ("COUNT_MASK", closed - 1),
            ("ROW_WORDS", self.most_words()),
            ("MOST_PEERS", self.peers),
            ("ROW_UNIT", ROW_UNIT),
            ("PLACE_UNIT", PLACE_UNIT),
        ]);
        let lanes = |name: &str, word: &dyn Fn(usize) -> usize| {
            let words: Vec<String> = (0..WORD_PLACES).map(|at| format!("{}u", word(at))).collect();
            format!("const {name} = vec4<u32>({});\n", words.join(", "))
        };
        let used = |at: usize, word: usize| if at < self.in_word { word } else { 0 };
        [
            words,
            lanes("FIELD_SHIFTS", &|at| used(at, at * self.bits)),
            lanes("FIELD_MASKS", &|at| used(at, 2 * closed - 1)),
            lanes("COUNT_MASKS", &|at| if at < self.in_word { closed - 1 } else { 2 * closed - 1 }),
            lanes("FIELD_FILL", &|at| if at < self.in_word { 0 } else { 2 * closed - 1 }),
        ]
        .concat()
    }
}

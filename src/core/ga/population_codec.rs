//! The codec of populations: the free cells of each board, in as few bits as a value
//! takes, then two bytes of fitness.
//!
//! Cells that presolve has fixed are the same on every board, and are part of the header. A value takes
//! `ceil(log2(side))` bits, less one: 4 for 9x9 and 16x16, 6 for 36x36. A board begins at a byte. A 9x9
//! board with 58 free cells takes 29 bytes instead of 84.

use std::io::{self, Write};

use rayon::prelude::*;

use super::{IslandSnapshot, PopulationSnapshot};
use crate::board::{BLANK, Geometry};

/// Boards that a thread packs at least.
const CHUNK: usize = 4 << 10;

/// How the boards of a puzzle are packed.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct PopulationCodec {
    geometry: Geometry,
    fixed: Vec<u8>,
    /// The free cells.
    free: Vec<usize>,
    /// Bits of a value.
    bits: u32,
}

impl PopulationCodec {
    /// The codec of boards that have the values of `fixed` wherever it is not blank.
    pub fn new(geometry: Geometry, fixed: &[u8]) -> Self {
        let mut fixed = fixed[..geometry.cells().min(fixed.len())].to_vec();
        fixed.resize(geometry.stride(), BLANK);
        let free = (0..geometry.cells()).filter(|cell| fixed[*cell] == BLANK).collect();
        let bits = (geometry.side() - 1).ilog2() + 1;
        Self { geometry, fixed, free, bits }
    }

    /// Bytes of a board.
    fn board_bytes(&self) -> usize {
        (self.free.len() * self.bits as usize).div_ceil(8)
    }

    /// Bytes of islands of these sizes.
    pub fn bytes(&self, sizes: &[u32]) -> u64 {
        let each = (self.board_bytes() + size_of::<u16>()) as u64;
        let bytes = |all: u64, size: &u32| all.saturating_add(u64::from(*size) * each);
        sizes.iter().fold(0, bytes)
    }

    /// Writes an island: its packed boards as engines have them, and the fitness of each.
    ///
    /// # Errors
    /// The errors of `to`.
    pub fn write(&self, boards: &[u8], fitness: &[u16], to: &mut dyn Write) -> io::Result<()> {
        let (stride, bytes) = (self.geometry.stride(), self.board_bytes());
        if bytes == 0 {
            return Err(io::Error::other("no cell is free"));
        }
        let mut packed = vec![0; boards.len() / stride * bytes];
        let boards = packed.par_chunks_exact_mut(bytes).zip(boards.par_chunks_exact(stride));
        boards.with_min_len(CHUNK).for_each(|(to, board)| self.pack(board, to));
        to.write_all(&packed)?;
        to.write_all(&fitness.iter().flat_map(|fitness| fitness.to_le_bytes()).collect::<Vec<u8>>())
    }

    fn pack(&self, board: &[u8], to: &mut [u8]) {
        let (mut word, mut filled, mut at) = (0u64, 0, 0);
        for cell in &self.free {
            word |= u64::from(board[*cell].wrapping_sub(1) & 63) << filled;
            filled += self.bits;
            while filled >= 8 {
                to[at] = word as u8;
                (word, filled, at) = (word >> 8, filled - 8, at + 1);
            }
        }
        if filled > 0 {
            to[at] = word as u8;
        }
    }

    /// Reads islands of these sizes; nothing when `bytes` are not as many as they take, or no cell is
    /// free.
    pub fn read(&self, sizes: &[u32], mut bytes: &[u8]) -> Option<PopulationSnapshot> {
        if bytes.len() as u64 != self.bytes(sizes) || self.free.is_empty() {
            return None;
        }
        let mut islands = Vec::with_capacity(sizes.len());
        for size in sizes {
            let (boards, rest) = bytes.split_at(*size as usize * self.board_bytes());
            let (fitness, rest) = rest.split_at(*size as usize * size_of::<u16>());
            bytes = rest;
            let mut unpacked = self.fixed.repeat(*size as usize);
            let to = unpacked.par_chunks_exact_mut(self.geometry.stride());
            let boards = to.zip(boards.par_chunks_exact(self.board_bytes()));
            boards.with_min_len(CHUNK).for_each(|(board, from)| self.unpack(from, board));
            let fitness = fitness.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
            islands.push(IslandSnapshot { boards: unpacked, fitness: fitness.collect() });
        }
        Some(PopulationSnapshot { islands })
    }

    fn unpack(&self, from: &[u8], board: &mut [u8]) {
        let (mut word, mut filled, mut bytes) = (0u64, 0, from.iter());
        for cell in &self.free {
            while filled < self.bits {
                word |= u64::from(bytes.next().copied().unwrap_or(0)) << filled;
                filled += 8;
            }
            board[*cell] = (word & ((1 << self.bits) - 1)) as u8 + 1;
            (word, filled) = (word >> self.bits, filled - self.bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #[test]
        fn boards_come_back(
            (rows, cols) in select(vec![(2, 2), (2, 3), (3, 3), (4, 4), (5, 5), (8, 8)]),
            sizes in proptest::collection::vec(1u32..40, 1..3), words in any::<[u64; 4]>(),
        ) {
            let geometry = Geometry::new(rows, cols).unwrap();
            let side = geometry.side() as u64;
            let draw = |at: usize| {
                let mixed = words[at % 4].wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (at as u64 + 1));
                (mixed >> 32) % (side + 1)
            };
            let fixed: Vec<u8> = (0..geometry.cells()).map(|cell| draw(cell) as u8).collect();
            // At least one cell is free.
            let fixed = [&[0], &fixed[1..]].concat();
            let packing = PopulationCodec::new(geometry, &fixed);
            let mut packed = Vec::new();
            let mut islands = Vec::new();
            for size in &sizes {
                let mut boards = Vec::new();
                for slot in 0..*size as usize {
                    let value = |cell: usize| match fixed[cell] {
                        0 => (draw(slot * 31 + cell) % side) as u8 + 1,
                        given => given,
                    };
                    boards.extend((0..geometry.cells()).map(value));
                    boards.resize((slot + 1) * geometry.stride(), 0);
                }
                let fitness: Vec<u16> = (0..*size).map(|slot| slot as u16 * 7).collect();
                packing.write(&boards, &fitness, &mut packed).unwrap();
                islands.push(IslandSnapshot { boards, fitness });
            }
            prop_assert_eq!(packed.len() as u64, packing.bytes(&sizes));
            prop_assert_eq!(packing.read(&sizes, &packed), Some(PopulationSnapshot { islands }));
            prop_assert_eq!(packing.read(&sizes, &packed[1..]), None);
        }
    }
}

//! A population of packed boards in one contiguous buffer.
//!
//! One byte a cell, in row-major order; a board takes [`Geometry::stride`] bytes, of which those
//! past the last cell are zero. The buffer is made of `u32` words, so that the same memory is
//! read as words by a GPU upload and as bytes by everything else.

use bytemuck::allocation::try_zeroed_vec;
use bytemuck::cast_slice;
use thiserror::Error;

use super::Geometry;

/// `count` packed boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Population {
    geometry: Geometry,
    words: Vec<u32>,
}

/// There is too little memory for a population: the allocator refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not enough memory for {count} boards of {geometry} boxes: they need {bytes} bytes")]
pub struct PopulationError {
    /// Number of boards.
    pub count: usize,
    /// Their shape.
    pub geometry: Geometry,
    /// Bytes they need.
    pub bytes: usize,
}

impl Population {
    /// `count` blank boards.
    ///
    /// # Errors
    /// [`PopulationError`] when the allocator has no room.
    pub fn new(geometry: Geometry, count: usize) -> Result<Self, PopulationError> {
        let bytes = count.saturating_mul(geometry.stride());
        // The system hands out zeroed pages lazily: the thread that first writes a page pays for it.
        let words = try_zeroed_vec(bytes / 4);
        let words = words.map_err(|()| PopulationError { count, geometry, bytes })?;
        Ok(Self { geometry, words })
    }

    /// The shape of every board.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Number of boards.
    pub fn len(&self) -> usize {
        self.words.len() * 4 / self.geometry.stride()
    }

    /// Whether there is no board.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All boards: `len() * stride` bytes.
    pub fn bytes(&self) -> &[u8] {
        cast_slice(&self.words)
    }

    /// All boards as words of four cells: `len() * stride / 4` of them.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// All boards, writable.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words)
    }

    /// The board in `slot`: `stride` bytes, the padding included.
    ///
    /// # Panics
    /// When there is no such slot.
    pub fn board(&self, slot: usize) -> &[u8] {
        let stride = self.geometry.stride();
        &self.bytes()[slot * stride..][..stride]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_lie_a_stride_apart() {
        let mut population = Population::new(Geometry::new(3, 3).unwrap(), 3).unwrap();
        population.bytes_mut()[84..165].fill(7);
        assert_eq!(population.len(), 3);
        assert_eq!(population.board(0), [0; 84]);
        assert_eq!(population.board(1)[..81], [7; 81]);
        assert_eq!(population.board(1)[81..], [0; 3]);
    }

    #[test]
    fn a_population_beyond_memory_is_refused() {
        let geometry = Geometry::new(3, 3).unwrap();
        let refused = Population::new(geometry, usize::MAX / 84).unwrap_err();
        assert!(refused.to_string().contains("not enough memory"), "{refused}");
    }
}

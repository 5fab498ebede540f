//! Partial shuffle: most blanks keep their values, the others' are shuffled among them.
//!
//! With probability `mutation_rate` a child keeps `floor(keep_share * blanks)` of its blanks,
//! chosen at random; the values of the rest are shuffled among the rest, the identity included.
//! `shuffle` fixes the number of shuffled blanks instead. Where fewer than two are left to be
//! shuffled no child could differ from its parent, which is refused.
//!
//! 40 blanks and a share of 0.95 keep 38 and shuffle 2: with one half nothing changes.
//!
//! Source: document 000 of the project, its first approach. Its code shuffles 5 % (our default),
//! its text says two cells (`shuffle=2`).

use super::super::ConfigError;
use super::super::operator::{Build, Setting};
use super::MutationOperator;
use crate::board::MAX_SIDE;
use crate::random::{Draws, Probability};

/// Blanks that a board of a common size has at most.
const FEW: usize = 256;

/// A shuffle of some blanks.
#[derive(Clone, Debug)]
pub struct PartialShuffle {
    rate: Probability,
    blanks: Vec<u16>,
    shuffled: usize,
}

impl Build for PartialShuffle {
    fn build(setting: &Setting) -> Result<Self, ConfigError> {
        let config = setting.config;
        let fits = config.encoding.unit_kind().is_none() && !setting.groups.is_empty();
        setting.require(fits, "mutation partial-shuffle", "encoding board")?;
        let blanks = &setting.space.free;
        let kept = (config.keep_share * blanks.len() as f64 + 1e-9).floor() as usize;
        let shuffled = match config.shuffle {
            0 => blanks.len() - kept.min(blanks.len()),
            count => blanks.len().min(count as usize),
        };
        if shuffled < 2 {
            return Err(ConfigError::Unfit(format!(
                "keep_share {} of {} blanks leaves {shuffled} to be shuffled, so that no child could differ from its parent: set shuffle=2, or keep less",
                config.keep_share,
                blanks.len()
            )));
        }
        Ok(Self {
            rate: Probability::new(config.mutation_rate),
            blanks: blanks.iter().map(|cell| *cell as u16).collect(),
            shuffled,
        })
    }
}

impl MutationOperator for PartialShuffle {
    #[inline]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        if !draws.chance(self.rate) {
            return;
        }
        // What holds the most cells takes longer to clear than a small board to shuffle.
        match self.blanks.len() {
            0..=FEW => self.shuffle::<FEW>(child, draws),
            _ => self.shuffle::<{ MAX_SIDE * MAX_SIDE }>(child, draws),
        }
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 2 * self.shuffled as u32 } else { 1 }
    }
}

impl PartialShuffle {
    /// Shuffles; there are at most `MOST` blanks.
    fn shuffle<const MOST: usize>(&self, child: &mut [u8], draws: &mut Draws) {
        // The first places of a Fisher & Yates shuffle choose the cells.
        let mut cells = [0u16; MOST];
        let cells = &mut cells[..self.blanks.len()];
        cells.copy_from_slice(&self.blanks);
        for place in 0..self.shuffled {
            let other = place + draws.below((cells.len() - place) as u32) as usize;
            cells.swap(place, other);
        }
        for last in (1..self.shuffled).rev() {
            let other = draws.below(last as u32 + 1) as usize;
            child.swap(cells[last].into(), cells[other].into());
        }
    }
}

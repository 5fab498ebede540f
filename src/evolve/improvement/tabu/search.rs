//! One child's tabu search.

use super::space::Space;
use super::tables::Tables;
use crate::evolve::improvement::Effort;
use crate::random::Draws;

/// Moves between two looks at whether the run was ended: some milliseconds.
const MOVES_A_LOOK: u64 = 1 << 20;
/// Until when the candidate that a cell holds is forbidden to it.
const HELD: u32 = u32::MAX;

/// How long a value that a cell gave up is forbidden to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenure {
    /// Steps are drawn below this.
    pub random: u32,
    /// Added steps, in thousandths of the number of conflicting cells.
    pub share: u32,
}

impl Tenure {
    fn draw(self, conflicting: usize, draws: &mut Draws) -> u32 {
        draws.below(self.random) + (self.share * conflicting as u32) / 1_000
    }
}

/// A change of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The free cell.
    pub cell: u16,
    /// The candidate that it is given.
    pub candidate: u32,
    /// What this adds to the conflicting pairs.
    pub change: i32,
}

/// A search that is under way.
#[derive(Debug)]
pub struct Search<'a> {
    space: &'a Space,
    tenure: Tenure,
    /// The board and its conflicts.
    pub tables: Tables<'a>,
    /// The step up to which each candidate is forbidden to its cell.
    until: &'a mut [u32],
    /// Moves that are equally good: their cells and candidates.
    ties: &'a mut [[u32; 2]],
    /// The fewest conflicting pairs so far.
    best: i32,
    /// Whether the board is the best so far and was not written yet.
    unwritten: bool,
    step: u32,
    /// What it cost so far.
    pub effort: Effort,
}

impl<'a> Search<'a> {
    /// Words of working memory.
    pub fn words(space: &Space) -> usize {
        3 * space.candidates.len() + Tables::words(space)
    }

    /// A search from `board`.
    pub fn new(space: &'a Space, tenure: Tenure, board: &[u8], words: &'a mut [u32]) -> Self {
        let (until, words) = words.split_at_mut(space.candidates.len());
        let (ties, words) = words.split_at_mut(2 * space.candidates.len());
        let tables = Tables::new(space, board, words);
        until.fill(0);
        tables.held.iter().for_each(|held| until[*held as usize] = HELD);
        Self {
            space,
            tenure,
            best: tables.pairs,
            tables,
            until,
            ties: bytemuck::cast_slice_mut(ties),
            unwritten: false,
            step: 0,
            effort: Effort::default(),
        }
    }

    /// Searches for `steps` steps, and leaves the board with the fewest conflicting pairs in
    /// `board`, where the first of them stands already. Nothing when `stop` said so in between.
    pub fn run(
        mut self,
        steps: u32,
        board: &mut [u8],
        draws: &mut Draws,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        let mut next_look = MOVES_A_LOOK;
        while self.tables.pairs > 0 && self.step < steps {
            if self.effort.moves >= next_look {
                if stop() {
                    return None;
                }
                next_look = self.effort.moves + MOVES_A_LOOK;
            }
            self.begin_step();
            let Some(chosen) = self.choose(draws) else { continue };
            if self.unwritten && chosen.change >= 0 {
                self.write(board);
            }
            self.make(chosen, draws);
        }
        if self.unwritten {
            self.write(board);
        }
        Some(self.effort)
    }

    /// The number of the step that begins, from 1.
    pub fn begin_step(&mut self) -> u32 {
        self.step += 1;
        self.step
    }

    fn write(&mut self, board: &mut [u8]) {
        self.tables.write(board);
        self.unwritten = false;
    }

    /// The best move of a conflicting cell that is not forbidden or makes the best board so far,
    /// ties by a draw; nothing if there is none.
    pub fn choose(&mut self, draws: &mut Draws) -> Option<Move> {
        let (mut best, mut ties, mut priced) = (i32::MAX, 0, 0);
        // A change below this makes the best board so far.
        let new_best = self.best - self.tables.pairs;
        for cell in self.tables.conflicting() {
            let starts = &self.space.starts[usize::from(*cell)..][..2];
            let own = starts[0] as usize..starts[1] as usize;
            let around = self.tables.counts_around(*cell);
            let conflicts = self.tables.conflicts(*cell);
            priced += own.len() as u64 - 1;
            let own = self.space.candidates[own.clone()].iter().zip(&self.until[own]);
            for (candidate, (value, until)) in (starts[0]..).zip(own) {
                let change = i32::from(around[usize::from(*value)]) - conflicts;
                let allowed = *until < self.step || change < new_best;
                if change > best || !allowed {
                    continue;
                }
                if change < best {
                    best = change;
                    ties = 0;
                }
                self.ties[ties] = [(*cell).into(), candidate];
                ties += 1;
            }
        }
        self.effort.moves += priced;
        let tie = match ties {
            0 => return None,
            1 => 0,
            ties => draws.below(ties as u32) as usize,
        };
        let [cell, candidate] = self.ties[tie];
        Some(Move { cell: cell as u16, candidate, change: best })
    }

    /// Makes a move, and forbids its cell the value that it had.
    pub fn make(&mut self, chosen: Move, draws: &mut Draws) {
        let Move { cell, candidate, change } = chosen;
        let left = self.tables.held[usize::from(cell)];
        self.tables.make(cell, candidate, change);
        let tenure = self.tenure.draw(self.tables.conflicting().len(), draws);
        self.until[left as usize] = self.step + tenure;
        self.until[candidate as usize] = HELD;
        self.effort.steps += 1;
        if self.tables.pairs < self.best {
            self.best = self.tables.pairs;
            self.unwritten = true;
        }
    }
}

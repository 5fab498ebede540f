//! `tabu`: one individual searching alone.

use crate::board::SearchSpace;
use crate::evolve::crossover::Crossover;
use crate::evolve::encoding::Encoding;
use crate::evolve::improvement::Improvement;
use crate::evolve::mutation::Mutation;
use crate::evolve::replacement::Replacement;
use crate::evolve::selection::Selection;
use crate::evolve::{Config, Overrides};

/// Source and differences.
pub const ABOUT: &str = "\
One individual, whose free cells hold any of the candidates that presolve leaves. A \
generation is a leg of 100,000 steps of tabu search, which starts from the best board of the leg \
before and without its memory of forbidden values. No parents to choose, no crossover, no mutation. \
After 100 legs without a better best a new board is drawn. A larger population is as many \
searches side by side that know nothing of each other, and are restarted together.

A value that a cell gave up is forbidden to it for random(10) + share x conflicting cells steps. \
What is not set follows from the puzzle after presolve: the share is as many thousandths as there \
are free cells, 300 at least and 400 at most.

The search is that of Hertz & de Werra 1987 with the tenure of Galinier & Hao 1999, on lists of \
candidates.

Differs from Galinier & Hao: their share is 600. Differs from Sudoku-LS (Han et al. 2026), which also starts again every 100,000 steps: there from a \
pool of 50 bests, with learned weights on conflicts, and with a cheaper choice of cells between \
stretches of this search.";

/// One slot, which is its own parent.
pub fn config(base: Config) -> Config {
    Config {
        population: 1,
        encoding: Encoding::Candidates,
        selection: Selection::LocalTournament,
        radius: 0,
        crossover: Crossover::None,
        mutation: Mutation::None,
        improvement: Improvement::Tabu,
        replacement: Replacement::Generational,
        restart_after: 100,
        max_generations: 10_000,
        ..base
    }
}

/// What follows from the puzzle.
pub fn derived(space: &SearchSpace) -> Overrides {
    Overrides { tenure_share: Some(tenure_share(space)), ..Overrides::default() }
}

/// The share of conflicting cells that a tenure grows by, in thousandths. Shorter ones solve 9x9
/// boards with fewer moves and do not get large boards out of where they are. Longer ones feed on
/// themselves, since more cells in conflict make for longer tenures: at 49x49 a share of 1,000
/// prices four times the moves a step that 400 does, and solves nothing.
pub fn tenure_share(space: &SearchSpace) -> u32 {
    space.free.len().clamp(300, 400) as u32
}

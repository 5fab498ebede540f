//! Two random cells are given random values.
//!
//! With probability `mutation_rate` two different blanks of the board are drawn, and each is given
//! a random candidate, possibly the value it has.
//!
//! Source: document 002 of the project, which compared it with [`Reset`](super::Reset).

use super::{BuildContext, ConfigError, FromContext, MutationOperator};
use crate::ga::encoding::Candidates;
use crate::random::{Draws, Probability};

/// New values for two cells.
#[derive(Clone, Debug)]
pub struct RedrawTwo {
    rate: Probability,
    cells: Candidates,
}

impl FromContext for RedrawTwo {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        context.require_cells("mutation redraw-two")?;
        let rate = Probability::new(context.config.mutation_rate);
        Ok(Self { rate, cells: Candidates::build(context)? })
    }
}

impl MutationOperator for RedrawTwo {
    #[inline(always)]
    fn mutate(&self, child: &mut [u8], draws: &mut Draws) {
        let free = &self.cells.free;
        if free.len() < 2 || !draws.bernoulli(self.rate) {
            return;
        }
        let (i, j) = draws.two_distinct(free.len() as u32);
        self.cells.redraw(free[i as usize], child, draws);
        self.cells.redraw(free[j as usize], child, draws);
    }

    fn words(&self) -> u32 {
        if self.rate == Probability::ALWAYS { 5 } else { 1 }
    }
}

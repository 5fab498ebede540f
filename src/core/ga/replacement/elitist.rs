//! Elitism: the best individuals of the population take the slots of the worst children.
//!
//! The children replace the population, except that the `elites` best individuals survive: the
//! best takes the slot of the worst child, the second best that of the second worst, and so on.
//! Of equals the lower slot counts as the better. A child that is a solution keeps its slot, and the
//! run ends.
//!
//! Population 1, 5, 7 with one elite and children 4, 9, 3: the next population is 4, 1, 3.
//!
//! Source: De Jong, *An analysis of the behavior of a class of genetic adaptive systems*, 1975.

use super::{BuildContext, ConfigError, FromContext, Individuals, RankOrder, ReplacementOperator};

/// The best survive.
#[derive(Clone, Debug)]
pub struct Elitist {
    elites: usize,
    old: RankOrder,
    new: RankOrder,
}

impl FromContext for Elitist {
    fn build(context: &BuildContext) -> Result<Self, ConfigError> {
        let elites = context.config.elites.min(context.config.population) as usize;
        Ok(Self { elites, old: context.rank_order(), new: context.rank_order() })
    }
}

impl ReplacementOperator for Elitist {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        self.old.rank(&population.fitness);
        self.new.rank(&children.fitness);
        std::mem::swap(population, children);
        let best = self.old.slots.iter().take(self.elites);
        for (from, to) in best.zip(self.new.slots.iter().rev()) {
            if population.fitness[*to as usize] > 0 {
                population.copy(*to as usize, children, *from as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;

    #[test]
    fn the_best_take_the_places_of_the_worst_children() {
        let individuals = |fitness: [u16; 3]| {
            let mut made = Individuals::new(Geometry::new(2, 2).unwrap(), 3).unwrap();
            made.fitness.copy_from_slice(&fitness);
            for (board, fitness) in made.boards.bytes_mut().chunks_mut(16).zip(fitness) {
                board.fill(fitness as u8);
            }
            made
        };
        let next = |elites, children| {
            let ranking = RankOrder::new(3, 48);
            let mut elitist = Elitist { elites, old: ranking.clone(), new: ranking };
            let (mut population, mut children) = (individuals([1, 5, 7]), individuals(children));
            elitist.replace(&mut population, &mut children);
            population
        };
        assert_eq!(next(1, [4, 9, 3]), individuals([4, 1, 3]));
        assert_eq!(next(3, [4, 9, 3]), individuals([5, 1, 7]));
        assert_eq!(next(3, [4, 9, 0]), individuals([5, 1, 0]), "a solution stays");
    }
}

//! Topologies: which slots are neighbours.
//!
//! - `ring`: the slots form a ring; neighbours of a slot stand at distance `r` or less on it.
//! - `torus`: the slots stand in rows of `ceil(sqrt(population))`, the last of which may be short,
//!   and both rows and columns wrap around; neighbours stand at most `r` rows and at most `r`
//!   columns away (a Moore neighbourhood). Where the last row has no slot there is no neighbour.
//! - `panmictic`: everybody is everybody's neighbour.
//!
//! A slot is its own neighbour, and to be a neighbour is mutual. The farther apart slots are, the
//! longer a good board takes from one to the other: on a ring of P slots P / 2r generations, on a
//! torus sqrt(P) / 2r, in a panmictic population one (Alba & Dorronsoro, *Cellular Genetic
//! Algorithms*, 2008; Sarma & De Jong 1996).
//!
//! Ten slots on a torus stand in rows of 4, 4 and 2. With r = 1 slot 0 has the neighbours 0, 1, 4,
//! 5, 7, 3, 8 and 9: left of it, across the edge, are 3 and 7, and above it 8 and 9; where the
//! last row ends there would be 11.

use crate::random::Draws;
use crate::util::named_enum::named;

named! {
    /// Which slots are neighbours.
    pub enum Topology {
        /// Neighbours stand near on a ring.
        Ring = "ring",
        /// Neighbours stand near in rows and columns that wrap around.
        Torus = "torus",
        /// All are neighbours.
        Panmictic = "panmictic",
    }
}

/// The neighbours of every slot.
#[derive(Clone, Copy, Debug)]
pub struct Neighbourhood {
    topology: Topology,
    radius: u32,
    population: u32,
    /// Slots in a row of the torus, but for the last.
    width: u32,
}

impl Neighbourhood {
    /// Neighbours within `radius` among `population` slots.
    pub fn new(topology: Topology, radius: u32, population: u32) -> Self {
        let root = population.isqrt();
        let width = root + u32::from(root * root < population);
        Self { topology, radius, population, width }
    }

    /// A neighbour of `slot`, drawn with replacement.
    #[inline]
    pub fn draw(&self, slot: u32, draws: &mut Draws) -> u32 {
        match self.topology {
            Topology::Ring => {
                let offset = i64::from(draws.below(2 * self.radius + 1)) - i64::from(self.radius);
                (i64::from(slot) + offset).rem_euclid(i64::from(self.population)) as u32
            }
            // At least one of two places in a neighbourhood holds a slot.
            Topology::Torus => loop {
                let row = self.near(slot / self.width, self.rows(), draws);
                let column = self.near(slot % self.width, self.width, draws);
                let drawn = row * self.width + column;
                if drawn < self.population {
                    break drawn;
                }
            },
            Topology::Panmictic => draws.below(self.population),
        }
    }

    /// Words that a neighbour takes, where the first drawn is a slot.
    pub fn words(&self) -> u32 {
        if self.topology == Topology::Torus { 2 } else { 1 }
    }

    /// Slots in a row of the torus, but for the last.
    #[cfg(feature = "gpu")]
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the torus, a short last one included.
    fn rows(&self) -> u32 {
        self.population.div_ceil(self.width)
    }

    /// A place at most the radius away from `at` on a circle; all alike where it reaches around.
    #[inline]
    fn near(&self, at: u32, length: u32, draws: &mut Draws) -> u32 {
        let span = 2 * self.radius + 1;
        if span >= length {
            return draws.below(length);
        }
        (at + length - self.radius + draws.below(span)) % length
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::random::{GenerationRng, StreamStage};

    /// Whether two slots are neighbours, by their distance.
    fn holds(neighbourhood: &Neighbourhood, slot: u32, other: u32) -> bool {
        let circle = |a: u32, b: u32, length: u32| a.abs_diff(b).min(length - a.abs_diff(b));
        let Neighbourhood { topology, radius, population, width, .. } = *neighbourhood;
        match topology {
            Topology::Ring => circle(slot, other, population) <= radius,
            Topology::Torus => {
                let rows = circle(slot / width, other / width, neighbourhood.rows());
                rows <= radius && circle(slot % width, other % width, width) <= radius
            }
            Topology::Panmictic => true,
        }
    }

    fn neighbours(neighbourhood: &Neighbourhood, slot: u32) -> Vec<u32> {
        (0..neighbourhood.population).filter(|other| holds(neighbourhood, slot, *other)).collect()
    }

    proptest! {
        #[test]
        fn neighbours_are_mutual_and_all_are_drawn(
            topology in select(Topology::ALL), radius in 0u32..4, population in 1u32..60,
        ) {
            let neighbourhood = Neighbourhood::new(topology, radius, population);
            for slot in 0..population {
                let expected = neighbours(&neighbourhood, slot);
                prop_assert!(expected.contains(&slot));
                prop_assert!(expected.iter().all(|other| holds(&neighbourhood, *other, slot)));
                let mut draws = GenerationRng::new(1, 0).draws(StreamStage::Select, slot);
                let mut drawn: Vec<u32> =
                    (0..2_000).map(|_| neighbourhood.draw(slot, &mut draws)).collect();
                drawn.sort_unstable();
                drawn.dedup();
                prop_assert_eq!(drawn, expected);
            }
        }

        #[test]
        fn a_neighbourhood_has_its_size(radius in 0u32..4, side in 1u32..12) {
            let size = |topology, population| {
                neighbours(&Neighbourhood::new(topology, radius, population), 0).len() as u32
            };
            let across = (2 * radius + 1).min(side);
            prop_assert_eq!(size(Topology::Torus, side * side), across * across);
            prop_assert_eq!(size(Topology::Ring, side), across);
            prop_assert_eq!(size(Topology::Panmictic, side), side);
        }
    }

    #[test]
    fn the_example_of_the_module() {
        let torus = Neighbourhood::new(Topology::Torus, 1, 10);
        assert_eq!(neighbours(&torus, 0), [0, 1, 3, 4, 5, 7, 8, 9]);
        let (mut draws, mut seen) =
            (GenerationRng::new(2, 0).draws(StreamStage::Select, 0), [0u32; 10]);
        for _ in 0..8_000 {
            seen[torus.draw(0, &mut draws) as usize] += 1;
        }
        assert!(
            neighbours(&torus, 0).iter().all(|slot| (850..1_150).contains(&seen[*slot as usize]))
        );
    }

    #[test]
    fn the_largest_population_has_neighbours() {
        for topology in Topology::ALL {
            let torus = Neighbourhood::new(*topology, 1_000_000, u32::MAX - 1);
            let mut draws = GenerationRng::new(3, 0).draws(StreamStage::Select, 0);
            assert!((0..1_000).all(|_| torus.draw(u32::MAX - 2, &mut draws) < u32::MAX - 1));
        }
    }
}

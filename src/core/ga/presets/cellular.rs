//! `cellular`: a large population on a ring, improved by exchange descent.

use crate::ga::Config;
use crate::ga::operator_names::*;

/// Source, algorithm and differences.
pub const ABOUT: &str = about! {
    /// The preset for large populations, from 100,000 individuals to as many as a graphics card holds. In
    /// every generation every slot breeds a child, from parents near it on a ring. Each box is a
    /// permutation of the values that it lacks after presolve. Both parents win a tournament among the
    /// neighbours; the child takes each of its bands, or each of its stacks, from the parent that is better
    /// there.
    /// With probability 1/2 two blanks of a box exchange their values. Then 60 exchanges are tried, and
    /// each is undone if fitness rises. The child takes the slot if it is not worse than the
    /// individual there. After 50 generations without a better best the run restarts with a new population.
    /// 1,000 generations.
    ///
    /// Bands and stacks: Sato & Inoue 2010; the ring: Alba & Dorronsoro 2008.
    ///
    /// Differs from Sato & Inoue: there two parents have two children, one by bands and one by stacks; here
    /// a coin chooses for each child. Their local search takes the best of several mutants (the parameter
    /// mutants); this one descends by exchanges.
};

/// One child a slot, from its neighbours.
pub fn config(base: Config) -> Config {
    Config {
        population: 100_000,
        encoding: Encoding::Boxes,
        selection: Selection::LocalTournament,
        topology: Topology::Ring,
        radius: 3,
        crossover: Crossover::BandOrStack,
        mutation: Mutation::Exchange,
        mutation_rate: 0.5,
        local_search: LocalSearch::ExchangeDescent,
        tries: 60,
        replacement: Replacement::KeepIfNotWorse,
        restart_after: 50,
        max_generations: 1_000,
        ..base
    }
}

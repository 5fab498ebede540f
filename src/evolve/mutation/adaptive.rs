//! Mutation at two rates: one for children of parents that differ in fitness, one for those of equally fit ones.
//!
//! Parents that are equally fit are mostly alike, and become common as a population loses its variety. So the
//! rate adapts to each couple, from the fitness of its parents alone, and no state is kept. Where
//! `alike_rate` is 0 all children have `mutation_rate`.
//!
//! A population of copies: every child is mutated with `alike_rate`.
//!
//! Sources: rates that adapt to fitness, Srinivas & Patnaik, IEEE Trans. SMC 24, 1994; telling parents that
//! are too alike, Eshelman 1991 (CHC), who does not let them breed.

use super::{BestOf, Mutation, MutationOperator};
use crate::evolve::operator::Setting;
use crate::evolve::{Config, ConfigError};

/// What mutates a child, by its parents.
pub struct Adaptive {
    usual: BestOf,
    /// What mutates children of equally fit parents, if it is another.
    alike: Option<BestOf>,
}

impl Adaptive {
    /// The user's own mutation or the setting's, once for each rate.
    ///
    /// # Errors
    /// [`ConfigError`] when it cannot work in this setting.
    pub fn new(
        own: &Option<Box<dyn MutationOperator>>,
        setting: &Setting,
    ) -> Result<Self, ConfigError> {
        let config = setting.config;
        let alike = Config { mutation_rate: config.alike_rate, ..config.clone() };
        let best_of = |config: &Config| -> Result<BestOf, ConfigError> {
            let mutation = config.mutation.unless(own, &Setting { config, ..*setting })?;
            Ok(BestOf::new(mutation, config.mutants, setting.space.geometry()))
        };
        let adapts = config.mutation != Mutation::None && config.alike_rate > 0.0;
        Ok(Self {
            usual: best_of(config)?,
            alike: if adapts { Some(best_of(&alike)?) } else { None },
        })
    }

    /// Whether it goes by the parents at all.
    pub fn adapts(&self) -> bool {
        self.alike.is_some()
    }

    /// What mutates the child of two parents, which are equally fit or not.
    #[inline]
    pub fn of(&self, alike: bool) -> &BestOf {
        match &self.alike {
            Some(mutation) if alike => mutation,
            _ => &self.usual,
        }
    }

    /// Whether nearly every child draws.
    pub fn draws(&self) -> bool {
        self.usual.draws()
    }

    /// Bytes of working memory that a child wants.
    pub fn scratch_len(&self) -> usize {
        self.usual.scratch_len()
    }
}

//! Presets: named configurations, each of an algorithm with a source.

mod boxes;
mod memetic;

use super::Config;
use crate::named::named;

named! {
    /// A named configuration.
    pub enum Preset {
        /// Box permutations, building-block crossover and exchange descent on a ring.
        Memetic = "memetic",
        /// Box permutations from the best quarter and a random quarter, with restarts.
        Boxes = "boxes",
    }
}

/// The configuration that `preset` names.
pub(super) fn config(preset: Preset) -> Config {
    let base = Config::base(preset);
    match preset {
        Preset::Memetic => memetic::config(base),
        Preset::Boxes => boxes::config(base),
    }
}

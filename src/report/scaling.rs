//! How generations are laid out along an axis.

use crate::named_enum::named;

named! {
    /// How an axis of generations is divided.
    pub enum Scaling {
        /// Logarithmic where there are more than 200, linear where there are fewer.
        Auto = "auto",
        /// Every generation as wide as another.
        Linear = "linear",
        /// Every tenfold as wide as another.
        Log = "log",
    }
}

#[expect(clippy::derivable_impls, reason = "variants of a named enum take no attributes")]
impl Default for Scaling {
    fn default() -> Self {
        Self::Auto
    }
}

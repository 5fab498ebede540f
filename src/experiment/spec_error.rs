//! Where a spec is wrong, and what is wrong there.
//!
//! `sizes.toml, line 3: there is no key 'sedes' in a spec (did you mean 'seeds'?)`; a value that was given by
//! a flag is named by the flag: `--seeds: seeds is '0', but it takes 1 to 4294967295`.

use std::fmt;

use thiserror::Error;

/// Where something was written: `spec.toml, line 3`, a spec as a whole, or a flag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecPlace(pub String);

impl SpecPlace {
    /// An error at this place.
    pub fn refused(&self, message: impl fmt::Display) -> SpecError {
        SpecError { place: self.clone(), message: message.to_string() }
    }
}

/// Something and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where.
    pub place: SpecPlace,
}

impl<T> Located<T> {
    /// An error at the place of this.
    pub fn refused(&self, message: impl fmt::Display) -> SpecError {
        self.place.refused(message)
    }

    /// Another value at the same place.
    pub fn with<U>(&self, value: U) -> Located<U> {
        Located { value, place: self.place.clone() }
    }

    /// What `read` makes of the value; its error is one at this place.
    ///
    /// # Errors
    /// That of `read`.
    pub fn read<U, E: fmt::Display>(
        &self,
        read: impl FnOnce(&T) -> Result<U, E>,
    ) -> Result<Located<U>, SpecError> {
        Ok(self.with(read(&self.value).map_err(|error| self.refused(error))?))
    }
}

/// A spec that is wrong.
#[derive(Debug, Error)]
#[error("{}: {message}", .place.0)]
pub struct SpecError {
    /// Where it is wrong.
    pub place: SpecPlace,
    /// A sentence about it.
    pub message: String,
}

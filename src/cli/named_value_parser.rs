//! Closed lists of names that a flag takes: `--help` and the completions of shells know them, and what
//! is none of them is refused in the words of whatever reads it.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// A parser of values that have names.
#[derive(Clone, Debug)]
pub struct NamedValueParser<P> {
    parser: P,
    names: Vec<&'static str>,
}

/// `parser`, of whose values these are the names.
pub fn known<P: TypedValueParser>(
    parser: P,
    names: impl IntoIterator<Item = &'static str>,
) -> NamedValueParser<P> {
    NamedValueParser { parser, names: names.into_iter().collect() }
}

impl<P: TypedValueParser> TypedValueParser for NamedValueParser<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

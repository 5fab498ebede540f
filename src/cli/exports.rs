//! The flags of the export formats: one for each that the library has.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

use super::print_error;
use crate::report::{ExportFormat, Exports, OutputError};

/// What is exported, and to which files; `EXPERIMENT` has the formats of experiments too.
#[derive(Debug)]
pub struct ExportArgs<const EXPERIMENT: bool = false>(Vec<(ExportFormat, PathBuf)>);

impl<const EXPERIMENT: bool> ExportArgs<EXPERIMENT> {
    fn formats() -> impl Iterator<Item = &'static ExportFormat> {
        ExportFormat::ALL.iter().filter(|format| EXPERIMENT || !format.is_of_experiments())
    }

    /// The files, each found to be writable.
    ///
    /// # Errors
    /// When one is not.
    pub fn open(&self) -> Result<Exports> {
        Ok(Exports::new(&self.0)?)
    }
}

impl<const EXPERIMENT: bool> Args for ExportArgs<EXPERIMENT> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::formats().map(|format| {
            Arg::new(format.name())
                .long(format.name())
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help(format.description())
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const EXPERIMENT: bool> FromArgMatches for ExportArgs<EXPERIMENT> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let wanted = |format: &ExportFormat| {
            matches.get_one::<PathBuf>(format.name()).map(|path| (*format, path.clone()))
        };
        Ok(Self(Self::formats().filter_map(wanted).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Tells which exports failed.
pub fn tell(failed: Vec<OutputError>) {
    failed.into_iter().for_each(|error| print_error(&error.into()));
}

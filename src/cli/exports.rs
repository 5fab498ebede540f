//! The flags of the export formats: one for each that the library has.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

use super::print_error;
use crate::report::{ExportFormat, Exports, OutputError};

/// Which formats there are flags for.
pub trait Offer: fmt::Debug + Send + Sync + 'static {
    /// Whether this one is.
    fn holds(format: ExportFormat) -> bool;
}

/// All but those of experiments alone.
#[derive(Debug)]
pub struct PlainExports;

/// The same without plots.
#[cfg(feature = "gpu")]
#[derive(Debug)]
pub struct PlotlessExports;

/// All of them.
#[derive(Debug)]
pub struct AllExports;

impl Offer for PlainExports {
    fn holds(format: ExportFormat) -> bool {
        !format.is_of_experiments()
    }
}

#[cfg(feature = "gpu")]
impl Offer for PlotlessExports {
    fn holds(format: ExportFormat) -> bool {
        PlainExports::holds(format) && !format.is_a_plot()
    }
}

impl Offer for AllExports {
    fn holds(_: ExportFormat) -> bool {
        true
    }
}

/// What is exported, and to which files.
#[derive(Debug)]
pub struct ExportArgs<O: Offer = PlainExports>(Vec<(ExportFormat, PathBuf)>, PhantomData<O>);

impl<O: Offer> ExportArgs<O> {
    fn formats() -> impl Iterator<Item = &'static ExportFormat> {
        ExportFormat::ALL.iter().filter(|format| O::holds(**format))
    }

    /// The files, each found to be writable.
    ///
    /// # Errors
    /// When one is not.
    pub fn open(&self) -> Result<Exports> {
        Ok(Exports::new(&self.0)?)
    }
}

impl<O: Offer> Args for ExportArgs<O> {
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

impl<O: Offer> FromArgMatches for ExportArgs<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let wanted = |format: &ExportFormat| {
            matches.get_one::<PathBuf>(format.name()).map(|path| (*format, path.clone()))
        };
        Ok(Self(Self::formats().filter_map(wanted).collect(), PhantomData))
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

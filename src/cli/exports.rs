//! The flags of the export formats: one for each that the library has. The file `-` is stdout, which then
//! has nothing else.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
#[cfg(feature = "plot")]
use std::str::FromStr;

use anyhow::Result;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};

#[cfg(feature = "plot")]
use super::named_value_parser::known;
use super::print_error;
#[cfg(feature = "plot")]
use crate::experiment;
use crate::experiment::{CellFilter, Plan};
use crate::report::{ExportFormat, Exports, OutputError, Scaling};

/// Which formats there are flags for.
pub trait Offer: fmt::Debug + Send + Sync + 'static {
    /// Whether this one is.
    fn holds(format: ExportFormat) -> bool;
}

/// All but those of experiments alone.
#[derive(Debug)]
pub struct PlainExports;

/// The same without plots.
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

    /// What is exported, and where.
    pub fn wanted(&self) -> &[(ExportFormat, PathBuf)] {
        &self.0
    }

    /// The same with more: of formats that are not asked for already.
    pub fn beside(mut self, others: impl IntoIterator<Item = (ExportFormat, PathBuf)>) -> Self {
        for (format, path) in others {
            if self.0.iter().all(|(known, _)| *known != format) {
                self.0.push((format, path));
            }
        }
        self
    }

    /// The files, each found to be writable.
    ///
    /// # Errors
    /// When one is not, or has a name that promises another format.
    pub fn open(&self) -> Result<Exports> {
        #[cfg(feature = "plot")]
        self.0.iter().try_for_each(|(format, path)| format.check_name(path))?;
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

/// How plots are drawn.
#[derive(Clone, Copy, Debug, Args)]
pub struct PlotArgs {
    /// How axes of generations are divided: auto (logarithmic above 200), linear or log
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "HOW", default_value_t = Scaling::Auto)]
    #[arg(value_parser = known(Scaling::from_str, Scaling::names()), hide_possible_values = true)]
    plot_axis: Scaling,
}

impl PlotArgs {
    /// How axes of generations are divided.
    pub fn scaling(self) -> Scaling {
        #[cfg(feature = "plot")]
        return self.plot_axis;
        #[cfg(not(feature = "plot"))]
        Scaling::Auto
    }
}

/// Finds that what is asked for of a plan can be drawn, if it is to be.
///
/// # Errors
/// When it is more than a plot shows.
pub fn check_plot(exports: &Exports, plan: &Plan, only: &[CellFilter]) -> Result<()> {
    #[cfg(feature = "plot")]
    if exports.have(ExportFormat::Plot) {
        experiment::check_plot(plan, only)?;
    }
    #[cfg(not(feature = "plot"))]
    let _ = (exports, plan, only);
    Ok(())
}

/// Tells which exports failed.
pub fn tell(failed: Vec<OutputError>) {
    failed.into_iter().for_each(|error| print_error(&error.into()));
}

//! The flags of the export formats: one for each that the library has. The file `-` is stdout, which then
//! has nothing else.

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
use crate::report::{AxisScale, ExportFormat, ExportSet, OutputError};

/// The exports that are asked for, and their files. Formats of experiments and plots have flags where these
/// are offered.
#[derive(Debug)]
pub struct ExportArgs<const OF_EXPERIMENTS: bool = false, const PLOTS: bool = true>(
    Vec<(ExportFormat, PathBuf)>,
);

/// Exports in all formats.
pub type ExperimentExportArgs = ExportArgs<true>;
/// Exports in the formats of all commands but plots.
pub type PlotlessExportArgs = ExportArgs<false, false>;

impl<const OF_EXPERIMENTS: bool, const PLOTS: bool> ExportArgs<OF_EXPERIMENTS, PLOTS> {
    fn formats() -> impl Iterator<Item = &'static ExportFormat> {
        ExportFormat::ALL.iter().filter(|format| {
            (OF_EXPERIMENTS || !format.is_of_experiments()) && (PLOTS || !format.is_a_plot())
        })
    }

    /// The formats and their files.
    pub fn wanted(&self) -> &[(ExportFormat, PathBuf)] {
        &self.0
    }

    /// Adds files of formats that are not asked for already.
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
    pub fn open(&self) -> Result<ExportSet> {
        #[cfg(feature = "plot")]
        self.0.iter().try_for_each(|(format, path)| format.check_name(path))?;
        Ok(ExportSet::new(&self.0)?)
    }
}

impl<const OF_EXPERIMENTS: bool, const PLOTS: bool> Args for ExportArgs<OF_EXPERIMENTS, PLOTS> {
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

impl<const OF_EXPERIMENTS: bool, const PLOTS: bool> FromArgMatches
    for ExportArgs<OF_EXPERIMENTS, PLOTS>
{
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

/// How plots are drawn.
#[derive(Clone, Copy, Debug, Args)]
pub struct PlotArgs {
    /// How axes of generations are divided: auto (logarithmic above 200), linear or log
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "HOW", default_value_t = AxisScale::Auto)]
    #[arg(value_parser = known(AxisScale::from_str, AxisScale::names()), hide_possible_values = true)]
    plot_axis: AxisScale,
}

impl PlotArgs {
    /// How axes of generations are divided.
    pub fn scaling(self) -> AxisScale {
        #[cfg(feature = "plot")]
        return self.plot_axis;
        #[cfg(not(feature = "plot"))]
        AxisScale::Auto
    }
}

/// Finds that what is asked for of a plan can be drawn, if it is to be.
///
/// # Errors
/// When it is more than a plot shows.
pub fn check_plot(exports: &ExportSet, plan: &Plan, only: &[CellFilter]) -> Result<()> {
    #[cfg(feature = "plot")]
    if exports.have(ExportFormat::Plot) {
        experiment::check_plot(plan, only)?;
    }
    #[cfg(not(feature = "plot"))]
    let _ = (exports, plan, only);
    Ok(())
}

/// Prints which exports failed.
pub fn tell(failed: Vec<OutputError>) {
    failed.into_iter().for_each(|error| print_error(&error.into()));
}

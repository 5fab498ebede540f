//! The flags of exports, one for each format. The file `-` is stdout, to which nothing else is printed then.

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use super::exit::Exit;
use super::output::{print, print_error};
use crate::report::{ExportFormat, ExportSet, OutputError, Report};
use crate::store::ExistingOutput;
use crate::util::interrupt::INTERRUPT;

/// The formats to export in, each with its file. Formats of experiments and plots have flags only in commands
/// that offer them.
#[derive(Debug)]
pub struct ExportArgs<const OF_EXPERIMENTS: bool = false, const PLOTS: bool = true>(
    Vec<(ExportFormat, PathBuf)>,
);

/// Extensions of formats that nothing is exported in.
const FOREIGN: [&str; 4] = ["jpeg", "jpg", "pdf", "png"];

/// Exports in all formats.
pub type ExperimentExportArgs = ExportArgs<true>;
/// Exports of a command without plots.
pub type PlotlessExportArgs = ExportArgs<false, false>;

impl<const OF_EXPERIMENTS: bool, const PLOTS: bool> ExportArgs<OF_EXPERIMENTS, PLOTS> {
    fn formats() -> impl Iterator<Item = &'static ExportFormat> {
        use ExportFormat::{Comparisons, Generations, Plot, Runs};
        ExportFormat::ALL.iter().filter(|format| match format {
            // The rows of other commands are runs already.
            Runs | Generations | Comparisons => OF_EXPERIMENTS,
            Plot => PLOTS,
            _ => true,
        })
    }

    /// The formats and their files.
    pub fn wanted(&self) -> &[(ExportFormat, PathBuf)] {
        &self.0
    }

    /// Adds files of other formats than those of the flags.
    pub fn beside(&mut self, others: impl IntoIterator<Item = (ExportFormat, PathBuf)>) {
        for (format, path) in others {
            if self.0.iter().all(|(known, _)| *known != format) {
                self.0.push((format, path));
            }
        }
    }

    /// Checks that each file can be written.
    ///
    /// # Errors
    /// When one cannot.
    pub fn open(&self) -> Result<ExportSet> {
        Ok(ExportSet::new(&self.0)?)
    }
}

impl<const OF_EXPERIMENTS: bool, const PLOTS: bool> Args for ExportArgs<OF_EXPERIMENTS, PLOTS> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::formats().map(|format| {
            Arg::new(format.name())
                .long(format.name())
                .value_name("FILE")
                .value_parser(PathBufValueParser::new().try_map(export_file))
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

/// The file of an export, unless its name promises what nothing is exported in.
fn export_file(path: PathBuf) -> Result<PathBuf, String> {
    match path.extension().and_then(|it| it.to_str()).filter(|it| FOREIGN.contains(it)) {
        Some(extension) => Err(format!("there is no export to .{extension}; plots are SVG")),
        None => Ok(path),
    }
}

/// Prints the text, unless an export goes to stdout, writes the exports, and returns the exit code.
///
/// # Errors
/// The error of stdout.
pub fn finish(exports: &mut ExportSet, report: &Report<'_>, text: Option<String>) -> Result<Exit> {
    let text = text.filter(|_| !exports.take_stdout());
    let printed = text.map_or(Ok(true), |text| print(&text));
    tell(exports.write_all(report));
    printed?;
    Ok(exit_of(exports.failed(None)))
}

/// The exit code where exports were written, by whether one `failed`.
pub fn exit_of(failed: bool) -> Exit {
    match failed {
        // An interrupt ended the wait for the reader of a pipe.
        true if INTERRUPT.is_requested() => Exit::Interrupted,
        true => Exit::Failure,
        false => Exit::Done,
    }
}

/// The treatment of results that an earlier command left, by the flags `--resume` and `--overwrite`.
pub fn existing_output(resume: bool, overwrite: bool) -> ExistingOutput {
    match (resume, overwrite) {
        (true, false) => ExistingOutput::Resume,
        (true, true) => ExistingOutput::Trim,
        (false, true) => ExistingOutput::Overwrite,
        (false, false) => ExistingOutput::Refuse,
    }
}

/// Prints which exports failed.
pub fn tell(failed: Vec<OutputError>) {
    failed.into_iter().for_each(|error| print_error(&error.into()));
}

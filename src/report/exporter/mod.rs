//! The formats that results are exported in, one file a format.
//!
//! A document is a head, an entry for each run or row, and a tail. So that a list of millions of
//! runs is whole on disk after each of them, the next entry is written over the tail, and the tail
//! after it. A format that cannot be continued has everything in its tail, and is written anew.
//!
//! A new format is a file with an [`Exporter`], and a line below: every command that exports then
//! has its flag.

mod csv;
mod html;
mod json;
mod markdown;
#[cfg(feature = "plot")]
mod svg;

#[cfg(feature = "plot")]
use std::path::{Path, PathBuf};

#[cfg(feature = "plot")]
use thiserror::Error;

use super::document::{Document, Entry};
use crate::named_enum::named;

/// Writes documents in one format.
pub(super) trait Exporter: Sync {
    /// What stands before the first entry.
    fn head(&self, _: &dyn Document) -> String {
        String::new()
    }

    /// All entries of a document that is known as a whole.
    fn body(&self, _: &dyn Document) -> String {
        String::new()
    }

    /// The entry of another run; nothing where the document has to be written anew.
    fn entry(&self, _: &dyn Entry, _first: bool) -> Option<String> {
        None
    }

    /// Whether a document that is written run by run is to remember all of them.
    fn remembers(&self) -> bool {
        false
    }

    /// What stands after the last entry; `empty` says that there is none.
    fn tail(&self, _: &dyn Document, _empty: bool) -> String {
        String::new()
    }
}

/// Declares the formats: the flag, what it says of itself, and who writes it.
macro_rules! exporters {
    ($(
        $(#[doc = $doc:literal])* $(#[cfg($with:meta)])?
        $variant:ident = $flag:literal => $exporter:path,
    )*) => {
        named! {
            /// A format that results are exported in; its name is the flag that asks for it.
            pub enum ExportFormat { $( $(#[doc = $doc])* $(#[cfg($with)])? $variant = $flag, )* }
        }

        impl ExportFormat {
            pub(super) fn exporter(self) -> &'static dyn Exporter {
                match self { $( $(#[cfg($with)])? Self::$variant => &$exporter, )* }
            }
        }
    };
}

exporters! {
    /// Write a row for each run, cell or measurement as CSV (docs/EXPORTS.md tells the columns)
    Csv = "export-csv" => csv::Csv,
    /// Write a row for each run as CSV, with what tells its cell
    Runs = "export-runs" => csv::RunsCsv,
    /// Write a row for each generation of each run as CSV: all up to 32, then extremes and restarts
    Generations = "export-generations" => csv::GenerationsCsv,
    /// Write a row for each pair that --compare compares as CSV
    Comparisons = "export-comparisons" => csv::ComparisonsCsv,
    /// Write all that is known as JSON
    Json = "export-json" => json::Json,
    /// Write the tables as Markdown
    Markdown = "export-markdown" => markdown::Markdown,
    /// Write all of it as one page of HTML: tables, plots, the curve and the board of each run
    Report = "report" => html::Html,
    /// Plot as SVG, which paints its own white ground
    #[cfg(feature = "plot")]
    Plot = "plot" => svg::Svg,
}

/// Endings of files of other formats for pictures and pages.
#[cfg(feature = "plot")]
const OTHER_PICTURES: [&str; 12] =
    ["bmp", "eps", "gif", "htm", "html", "jpeg", "jpg", "pdf", "png", "ps", "tiff", "webp"];

/// A file for a plot whose ending promises another format.
#[cfg(feature = "plot")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--plot writes SVG, so {} would not be what its name says: name it .svg", .0.display())]
pub struct OtherPicture(pub PathBuf);

impl ExportFormat {
    /// Finds that the ending of a file does not promise another format.
    ///
    /// # Errors
    /// When it does.
    #[cfg(feature = "plot")]
    pub fn check_name(self, path: &Path) -> Result<(), OtherPicture> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let other = ending.is_some_and(|ending| OTHER_PICTURES.contains(&ending.as_str()));
        if self == Self::Plot && other { Err(OtherPicture(path.to_owned())) } else { Ok(()) }
    }

    /// Whether only experiments are exported in it: elsewhere a row is a run already.
    pub fn is_of_experiments(self) -> bool {
        matches!(self, Self::Runs | Self::Generations | Self::Comparisons)
    }

    /// Whether it is nothing but plots.
    pub fn is_a_plot(self) -> bool {
        #[cfg(feature = "plot")]
        return self == Self::Plot;
        #[cfg(not(feature = "plot"))]
        false
    }

    /// A document that is known as a whole.
    pub fn text(self, document: &dyn Document) -> String {
        let exporter = self.exporter();
        let body = exporter.body(document);
        exporter.head(document) + &body + &exporter.tail(document, body.is_empty())
    }
}

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

use super::document::{Document, Entry};
use crate::named::named;

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
    /// Write a row for each generation of each run as CSV: all up to 32, then ever fewer
    Generations = "export-generations" => csv::GenerationsCsv,
    /// Write all that is known as JSON
    Json = "export-json" => json::Json,
    /// Write the tables as Markdown
    Markdown = "export-markdown" => markdown::Markdown,
    /// Write all of it as one page of HTML: tables, plots, the curve and the board of each run
    Report = "report" => html::Html,
    /// Plot as SVG
    #[cfg(feature = "plot")]
    Plot = "plot" => svg::Svg,
}

impl ExportFormat {
    /// Whether only experiments are exported in it: elsewhere a row is a run already.
    pub fn is_of_experiments(self) -> bool {
        matches!(self, Self::Runs | Self::Generations)
    }

    /// Whether it is nothing but plots.
    #[cfg(feature = "gpu")]
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

//! What a table is asked to be made of.
//!
//! ```text
//! document-003; where block=grid, tournament=5|10; by population; across tournament; show solved, fitness; sort fitness; first 5
//! ```

use super::figure::Figure;

/// A table's parts, in the order in which they are written.
#[derive(Debug, Default)]
pub struct Request {
    /// Files of runs, without their ending.
    pub files: Vec<String>,
    /// Columns, and the values of which a run must have one.
    pub conditions: Vec<(String, Vec<String>)>,
    /// A row for each of their values together.
    pub by: Vec<String>,
    /// A column for each of its values.
    pub across: Option<String>,
    /// What is told of the runs of a row, or of a row and a column.
    pub show: Vec<Figure>,
    /// Rows come by their mean fitness, the lowest first, not as runs do.
    pub sorted: bool,
    /// Rows at most.
    pub first: usize,
}

impl Request {
    /// Reads it; one that is wrong is a fault of the document.
    pub fn read(text: &str) -> Self {
        let mut parts = text.split(';').map(str::trim);
        let list = |text: &str| -> Vec<String> {
            text.split(',').map(|word| word.trim().to_owned()).collect()
        };
        let files = list(parts.next().unwrap_or_default());
        let mut request = Self { files, first: usize::MAX, ..Self::default() };
        for part in parts {
            let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
            match word {
                "where" => {
                    let condition = |text: &String| {
                        let (name, values) = text.split_once('=').expect("name=value");
                        (name.to_owned(), values.split('|').map(str::to_owned).collect())
                    };
                    request.conditions = list(rest).iter().map(condition).collect();
                }
                "by" => request.by = list(rest),
                "across" => request.across = Some(rest.to_owned()),
                "show" => {
                    let figure = |name: &String| name.parse().unwrap_or_else(|_| panic!("{name}?"));
                    request.show = list(rest).iter().map(figure).collect();
                }
                "sorted" => request.sorted = true,
                "first" => request.first = rest.parse().expect("a number of rows"),
                other => panic!("'{other}' in '{text}'"),
            }
        }
        request
    }
}

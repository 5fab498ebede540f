use std::fs;

use serde_json::Value;

use super::*;
use crate::report::SolvedRuns;

/// A run of this number.
struct Numbered(usize);

impl Entry for Numbered {
    fn record(&self) -> Option<String> {
        Some(format!("{{\"number\":{}}}", self.0))
    }

    fn row(&self) -> Vec<String> {
        vec![self.0.to_string(); 7]
    }
}

fn exports(folder: &tempfile::TempDir) -> (Exports, Vec<(ExportFormat, PathBuf)>) {
    let path = |format: &ExportFormat| (*format, folder.path().join(format.name()));
    let wanted: Vec<(ExportFormat, PathBuf)> = ExportFormat::ALL.iter().map(path).collect();
    (Exports::new(&wanted).unwrap(), wanted)
}

#[test]
fn every_file_is_whole_after_every_run() {
    let folder = tempfile::tempdir().unwrap();
    for format in ExportFormat::ALL {
        let older = "something older and longer ".repeat(1_000);
        fs::write(folder.path().join(format.name()), older).unwrap();
    }
    let (mut exports, wanted) = exports(&folder);
    let document = SolvedRuns::default();
    for runs in 1..=3 {
        assert!(exports.push(&document, &Numbered(runs), Medium::File).is_empty());
        for (format, path) in &wanted {
            let text = fs::read_to_string(path).unwrap();
            assert!(!text.contains("older"), "{format}");
            match format {
                ExportFormat::Json => {
                    let read: Value = serde_json::from_str(&text).unwrap();
                    assert_eq!(read["runs"].as_array().unwrap().len(), runs);
                    assert_eq!(read["runs"][runs - 1]["number"], runs);
                    assert!(text.ends_with("}\n]\n}\n"));
                }
                ExportFormat::Csv => assert_eq!(text.lines().count(), 1 + runs),
                // A document that is written run by run has these rows as its own.
                ExportFormat::Runs | ExportFormat::Generations | ExportFormat::Comparisons => {
                    assert_eq!(text, "");
                }
                ExportFormat::Markdown => assert_eq!(text.lines().count(), 4 + runs),
                ExportFormat::Report => assert!(text.ends_with("</html>\n")),
                #[cfg(feature = "plot")]
                ExportFormat::Plot => assert!(text.ends_with("</svg>\n")),
            }
        }
    }
    assert!(exports.finish(&document).is_empty() && !exports.failed(None));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), wanted.len());
}

#[test]
fn exports_without_runs_are_written_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (mut exports, wanted) = exports(&folder);
    assert!(wanted.iter().all(|(_, path)| !path.exists()));
    assert!(exports.finish(&SolvedRuns::default()).is_empty());
    for (format, path) in wanted {
        assert_eq!(fs::read_to_string(path).unwrap(), format.text(&SolvedRuns::default()));
    }
}

#[test]
fn an_export_that_fails_is_told_once_and_keeps_no_other_from_being_written() {
    let folder = tempfile::tempdir().unwrap();
    let (mut exports, wanted) = exports(&folder);
    // A folder has come to stand where the JSON was to be.
    let json = folder.path().join(ExportFormat::Json.name());
    fs::create_dir(&json).unwrap();
    let document = SolvedRuns::default();
    let told: Vec<usize> =
        (0..3).map(|run| exports.push(&document, &Numbered(run), Medium::File).len()).collect();
    assert_eq!(told, [1, 0, 0]);
    assert!(exports.finish(&document).is_empty());
    assert!(exports.failed(None) && exports.failed(Some(ExportFormat::Json)));
    assert!(!exports.failed(Some(ExportFormat::Csv)));
    let rest = wanted.iter().filter(|(_, path)| *path != json);
    assert!(rest.into_iter().all(|(_, path)| path.is_file()));
}

//! Any bytes as results of an experiment, and as their journal: runs that are the plan's are taken in,
//! and nothing else is.

use std::fs;
use std::path::Path;

use evodoku::internals::append_checksum;
use evodoku::internals::{ExistingOutput, ExportFormat, ExportSet, Files, Plan, Results, Spec};
use serde_json::Value;
use tempfile::tempdir;

use super::recordings::sealed;

/// What the results in the corpus are of.
const SPEC: &str = "name = 'attack'\npuzzles = ['003-4x4', '003-6x6']\nmethods = ['boxes', 'backtracking']\n\
                    seeds = 2\n[parameters]\npopulation = 20\nmax_generations = 5\npresolve = 'none'\n";

pub fn attack(data: &[u8]) {
    let spec = Spec::from_toml(SPEC, Path::new("attack.toml")).expect("it is a spec");
    let plan = Plan::new(&spec).expect("it can be planned");
    let folder = tempdir().expect("there is room");
    let path = folder.path().join("attack.json");
    // A journal stands behind a line that is an `=`.
    let text = String::from_utf8_lossy(data);
    let (export, journal) = text.split_once("\n=\n").unwrap_or((&text, ""));
    for (export, journal) in [
        (export.as_bytes().to_vec(), journal.as_bytes().to_vec()),
        (resealed(export), sealed(journal.as_bytes())),
    ] {
        fs::write(&path, &export).expect("there is room");
        fs::write(folder.path().join("attack.json.journal"), &journal).expect("there is room");
        let mut results = Results::new(&plan);
        let exports = ExportSet::new(&[(ExportFormat::Json, path.clone())]).expect("a file is one");
        if let Err(error) = Files::new(exports, [], ExistingOutput::Trim, &mut results) {
            assert!(!error.to_string().is_empty());
        }
        assert!(results.finished().count() + results.missing().len() == plan.runs());
        assert!(!results.summaries().is_empty());
    }
}

/// An export whose runs have their checksums.
pub fn resealed(export: &str) -> Vec<u8> {
    let Ok(mut whole) = serde_json::from_str::<Value>(export) else { return export.into() };
    let runs = whole.get_mut("runs").and_then(Value::as_array_mut);
    let Some(runs) = runs else { return export.into() };
    let mut sealed = Vec::new();
    for run in runs.drain(..) {
        let mut run = run;
        if let Some(run) = run.as_object_mut() {
            run.remove("crc32");
        }
        sealed.push(if run.is_object() {
            append_checksum(run.to_string())
        } else {
            run.to_string()
        });
    }
    let text = whole.to_string();
    text.replacen("\"runs\":[]", &format!("\"runs\":[{}]", sealed.join(",")), 1).into_bytes()
}

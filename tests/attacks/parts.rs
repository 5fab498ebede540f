//! Any bytes as two parts of an experiment, the first with a journal: they are merged or refused in a
//! sentence. What is made of them (tables, comparisons, pages, plots) is made whatever their figures are,
//! and what is exported is a part that is merged into the same. The plan, too, is the file's own: it gets
//! the fingerprint that it should have, so that the fuzzer sees what lies behind it.

use std::fs;
use std::path::{Path, PathBuf};

use evodoku::internals::{
    ComparedFactor, Comparisons, ExperimentSummary, ExportFormat, Parts, Results, ResultsView,
};
use tempfile::tempdir;

use super::recordings::sealed;
use super::results::resealed;

/// Runs, and cells, of what is written in all formats: what takes long by its size is no fault.
const MOST: (usize, usize) = (100, 10);

pub fn attack(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // Parts, and then a journal, stand behind lines that are an `=`.
    let mut texts = text.split("\n=\n");
    let [first, second, journal] = [(); 3].map(|()| texts.next().unwrap_or_default());
    merged([first.into(), second.into(), journal.into()]);
    let [first, second] = [first, second].map(|part| with_its_fingerprint(resealed(part)));
    merged([first, second, sealed(journal.as_bytes())]);
}

/// The same with the fingerprint that the plan has, as the refusal of another tells it.
fn with_its_fingerprint(part: Vec<u8>) -> Vec<u8> {
    let folder = tempdir().expect("there is room");
    let path = folder.path().join("part.json");
    fs::write(&path, &part).expect("there is room");
    let Err(refused) = Parts::read(&[path]) else { return part };
    let refused = refused.to_string();
    let told = refused.rsplit_once("its plan has fingerprint ").map(|(_, told)| told);
    match told.and_then(|told| told.split_once(", not ")) {
        Some((has, not)) if !not.is_empty() => {
            String::from_utf8_lossy(&part).replacen(not, has, 1).into_bytes()
        }
        _ => part,
    }
}

fn merged([first, second, journal]: [Vec<u8>; 3]) {
    let folder = tempdir().expect("there is room");
    let path = |name: &str| folder.path().join(name);
    let mut paths = vec![path("first.json")];
    fs::write(&paths[0], &first).expect("there is room");
    fs::write(path("first.json.journal"), &journal).expect("there is room");
    if !second.is_empty() {
        paths.push(path("second.json"));
        fs::write(&paths[1], &second).expect("there is room");
    }
    let parts = match Parts::read(&paths) {
        Ok(parts) => parts,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let runs = parts.plan.runs();
    assert!(runs <= 1_000_000, "memory for {runs} runs");
    let results = match parts.results() {
        Ok(results) => results,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let (finished, missing) = (results.finished().count(), results.missing().len());
    assert_eq!(finished + missing, runs);
    assert_eq!(parts.missing(&results).is_some(), missing > 0);
    if runs <= MOST.0 && parts.plan.cells.len() <= MOST.1 {
        let json = exported(&parts, results);
        assert_eq!(again(&path("again.json"), &json), json);
    }
}

/// Writes all that can be made of results, compared by each aspect; gives the JSON.
fn exported(parts: &Parts, results: Results<'_>) -> String {
    let plan = &parts.plan;
    let aspects = ["method"].into_iter().chain(plan.parameters.iter().copied().take(2));
    for aspect in aspects.filter_map(|aspect| aspect.parse::<ComparedFactor>().ok()) {
        if Comparisons::check(plan, aspect).is_ok() {
            let view = ResultsView { compare: Some(aspect), ..ResultsView::default() };
            let mut compared = results.clone().viewed(view);
            let summary = ExperimentSummary::of(&mut compared);
            let report = summary.report();
            assert!(!ExportFormat::Comparisons.text(&report).is_empty());
            assert!(!ExportFormat::Markdown.text(&report).is_empty());
        }
    }
    let mut results = results;
    let summary = ExperimentSummary::of(&mut results);
    let report = summary.report();
    for format in ExportFormat::ALL {
        format.text(&report);
    }
    ExportFormat::Json.text(&report)
}

/// What is exported of an export.
fn again(path: &Path, json: &str) -> String {
    fs::write(path, json).expect("there is room");
    let parts = Parts::read(&[PathBuf::from(path)]).unwrap_or_else(|error| panic!("{error}"));
    let mut results = parts.results().unwrap_or_else(|error| panic!("{error}"));
    ExportFormat::Json.text(&ExperimentSummary::of(&mut results).report())
}

//! Any text as a spec of an experiment: it is planned or refused in a sentence.

use std::path::Path;

use evodoku::internals::{Plan, Spec};

pub fn attack(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Beside the spec there is nothing, so that no file is read but those that are shipped.
    let spec = match Spec::from_toml(text, Path::new("/nowhere/attack.toml")) {
        Ok(spec) => spec,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let again = Spec::from_toml(text, Path::new("/nowhere/attack.toml")).expect("it was taken");
    match (Plan::new(&spec), Plan::new(&again)) {
        (Ok(plan), Ok(again)) => {
            assert_eq!(plan.fingerprint, again.fingerprint);
            let runs: usize = plan.cells.iter().map(|cell| cell.seeds as usize).sum();
            assert_eq!(plan.runs(), runs);
        }
        (Err(error), Err(again)) => assert_eq!(error.to_string(), again.to_string()),
        _ => panic!("a plan is made or refused, the same each time"),
    }
}

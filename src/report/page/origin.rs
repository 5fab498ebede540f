//! Where a page is from: versions, the machine, devices, the command line.

use serde_json::Value;

use super::Circumstances;
use super::markup::{escape, facts, name};
use crate::report::ShownRuns;
use crate::report::document::{Document, Fact};

/// Devices that are named.
const DEVICES: usize = 10;

/// What is known of it, by name.
pub(super) fn origin(document: &dyn Document, shown: &ShownRuns, here: &Circumstances) -> String {
    let mut known = Vec::new();
    for (known_as, fact) in document.facts() {
        if let (Fact::Value(value), true) = (fact, known_as != "kind") {
            let text = match value {
                Value::String(text) => text,
                Value::Bool(true) => "yes".to_owned(),
                Value::Bool(false) => "no".to_owned(),
                Value::Number(number) => number.to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => continue,
            };
            known.push((known_as.replace('_', " "), escape(&text)));
        }
    }
    let devices = devices(shown);
    if !devices.is_empty() {
        known.push(("runs on".to_owned(), devices.join("<br/>")));
    }
    known.push(("page written on".to_owned(), escape(&machine(here))));
    known.push(("by".to_owned(), format!("<code>{}</code>", escape(&here.command))));
    facts(&known)
}

/// Where the runs that are shown happened, each device once.
fn devices(shown: &ShownRuns) -> Vec<String> {
    let mut devices: Vec<String> = Vec::new();
    for device in shown.runs.iter().filter_map(|run| run.device.as_deref()) {
        let device = name(device);
        if !devices.contains(&device) {
            devices.push(device);
        }
    }
    if let Some(more @ 1..) = devices.len().checked_sub(DEVICES) {
        devices.truncate(DEVICES);
        devices.push(format!("and {more} more"));
    }
    devices
}

fn machine(here: &Circumstances) -> String {
    let machine = &here.machine;
    let cpu = machine.cpu.as_deref().unwrap_or("a processor without a name");
    let noun = if machine.cores == 1 { "thread" } else { "threads" };
    let memory = machine.memory_bytes.map_or_else(String::new, |bytes| {
        format!(", {:.1} GiB of memory", bytes as f64 / f64::from(1 << 30))
    });
    format!("{cpu}, {} {noun}{memory}, {}", machine.cores, machine.system)
}

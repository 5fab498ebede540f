//! The provenance of a page: versions, the machine, devices, the command line.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

use maud::{Markup, html};
use serde_json::Value;

use super::{LINE_BREAK, definitions, name, text};
use crate::report::report::Field;
use crate::report::{Report, RunViews, SystemInfo};

/// Devices that are named.
const DEVICES: usize = 10;

/// The environment of this process, which does not change while it runs.
pub(in crate::report) static ENVIRONMENT: LazyLock<Environment> =
    LazyLock::new(|| Environment { command: command(env::args_os()), machine: SystemInfo::here() });

/// The command line, and the machine.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Environment {
    /// As a shell would read it.
    pub command: String,
    /// Processor and memory.
    pub machine: SystemInfo,
}

/// The fields of the report, the devices of its runs, and the environment.
pub(super) fn provenance(
    report: &Report<'_>,
    views: &RunViews,
    environment: &Environment,
) -> Markup {
    let mut known = Vec::new();
    for (known_as, field) in report.fields.get() {
        if let (Field::Value(value), true) = (field, known_as != "kind") {
            let value = match value {
                Value::String(text) => text,
                Value::Bool(true) => "yes".to_owned(),
                Value::Bool(false) => "no".to_owned(),
                Value::Number(number) => number.to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => continue,
            };
            known.push((known_as.replace('_', " "), html! { (text(&value)) }));
        }
    }
    let devices = devices(views);
    if !devices.is_empty() {
        let lines = html! {
            @for (at, device) in devices.iter().enumerate() {
                @if at > 0 { (LINE_BREAK) }
                (device)
            }
        };
        known.push(("runs on".to_owned(), lines));
    }
    let machine = machine(&environment.machine);
    known.push(("page written on".to_owned(), html! { (text(&machine)) }));
    known.push(("by".to_owned(), html! { code { (text(&environment.command)) } }));
    definitions(&known)
}

/// The devices of the runs that are shown, each once.
fn devices(views: &RunViews) -> Vec<String> {
    let mut devices: Vec<String> = Vec::new();
    for device in views.runs.iter().filter_map(|run| run.device.as_deref()) {
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

fn machine(machine: &SystemInfo) -> String {
    let cpu = machine.cpu.as_deref().unwrap_or("a processor without a name");
    let noun = if machine.cores == 1 { "thread" } else { "threads" };
    let memory = machine.memory_bytes.map_or_else(String::new, |bytes| {
        format!(", {:.1} GiB of memory", bytes as f64 / f64::from(1 << 30))
    });
    format!("{cpu}, {} {noun}{memory}, {}", machine.cores, machine.system)
}

/// The words of a command line, quoted where a shell needs that.
fn command(mut words: impl Iterator<Item = OsString>) -> String {
    let program = words.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default().to_os_string();
    let words = [program].into_iter().chain(words);
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["/usr/bin/evodoku", "solve", "it's.txt", "", "a b", "--set=x=1,2"];
        let told = command(words.into_iter().map(OsString::from));
        assert_eq!(told, r"evodoku solve 'it'\''s.txt' '' 'a b' --set=x=1,2");
    }
}

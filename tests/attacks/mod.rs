//! Attacks on what the crate promises: each takes any bytes, and panics where a promise is broken.
//!
//! `fuzz/` runs them under libFuzzer, which looks for bytes that do; `tests/suite/kept_attacks.rs` runs them
//! on the inputs that are kept in `corpus/`, one folder an attack. An input that broke a promise stays
//! there under a name that says which.

pub mod boards;
pub mod checkpoints;
pub mod configurations;
pub mod formats;
pub mod layouts;
pub mod parts;
pub mod presolving;
pub mod recordings;
pub mod results;
pub mod runs;
pub mod settings;
pub mod shaders;
pub mod specs;
pub mod tunings;

/// An attack.
pub type Attack = fn(&[u8]);

/// All of them, by the names of their targets and folders.
#[allow(dead_code, reason = "each target of the fuzzer runs one")]
pub const ATTACKS: [(&str, Attack); 14] = [
    ("boards", boards::attack),
    ("checkpoints", checkpoints::attack),
    ("configurations", configurations::attack),
    ("formats", formats::attack),
    ("layouts", layouts::attack),
    ("parts", parts::attack),
    ("presolving", presolving::attack),
    ("recordings", recordings::attack),
    ("results", results::attack),
    ("runs", runs::attack),
    ("settings", settings::attack),
    ("shaders", shaders::attack),
    ("specs", specs::attack),
    ("tunings", tunings::attack),
];

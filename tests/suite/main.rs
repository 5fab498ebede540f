//! The library and the command, on any machine.
#![allow(clippy::disallowed_methods, reason = "a test may fail where the system gives no thread")]

#[path = "../attacks/mod.rs"]
mod attacks;
mod checkpoint;
mod cli_bad_input;
mod cli_bench;
mod cli_check;
mod cli_checkpoint;
mod cli_compared;
mod cli_convert;
mod cli_disk;
mod cli_experiment;
mod cli_exports;
mod cli_faults;
mod cli_files;
mod cli_generate;
mod cli_interrupt;
mod cli_lists;
mod cli_long_runs;
mod cli_plots;
mod cli_ranks;
mod cli_reading;
mod cli_reports;
mod cli_reproducible;
mod cli_resume;
mod cli_screen;
mod cli_shards;
mod cli_shells;
mod cli_solve;
mod cli_solve_list;
mod cli_surroundings;
mod cli_tables;
mod cli_terminal;
mod cli_tune;
mod cli_verify;
mod cli_voice;
#[cfg(unix)]
mod documents;
mod engine;
mod evolution;
mod experiment_law;
mod experiment_spec;
mod faults_table;
#[path = "../golden/mod.rs"]
mod golden;
mod golden_runs;
mod house;
mod kept_attacks;
mod layouts;
mod operators;
mod own;
mod precedence;
mod presets;
mod presolve;
#[cfg(unix)]
#[path = "../pty.rs"]
mod pty;
mod results;
mod schema;
mod shaders;
#[path = "../support.rs"]
mod support;
mod translations;

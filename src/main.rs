//! The command: parses, runs, prints an error, exits.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // SAFETY: no other thread runs yet.
    unsafe { evodoku::gpu::quiet_mesa() };
    let exit = cli::Cli::parse().run().unwrap_or_else(|error| {
        cli::print_error(&error);
        cli::Exit::Failure
    });
    exit.into()
}

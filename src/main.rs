//! The command: all of it is in the library, behind the feature `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    evodoku::command()
}

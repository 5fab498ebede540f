//! What runs on a graphics adapter: scoring, the device engine, the command.
//!
//! Tests that need an adapter are shown as ignored where there is none; with
//! `EVODOKU_REQUIRE_GPU=1` they fail there. `EVODOKU_TEST_GPU` names the adapter to test on, as
//! `--gpu` does; without it the best one is taken, a software one if need be. With
//! `EVODOKU_TEST_LONG=1` long searches are run too.

mod adapter;
mod command;
mod engine;
mod engines;
mod faults;
#[path = "../golden/mod.rs"]
mod golden;
mod golden_runs;
mod kernel;
mod measurement;
mod scoring;
#[path = "../support.rs"]
mod support;

fn main() {
    let adapter = adapter::adapter();
    let all = [
        scoring::trials(&adapter),
        engine::trials(&adapter),
        faults::trials(&adapter),
        golden_runs::trials(&adapter),
        command::trials(&adapter),
        measurement::trials(&adapter),
    ];
    adapter::run(all.into_iter().flatten().collect()).exit();
}

//! What runs on a graphics adapter: scoring, the GPU engine, the command. And what is seen in a
//! browser.
//!
//! Tests that need an adapter are shown as ignored where there is none; with
//! `EVODOKU_REQUIRE_GPU=1` they fail there. `EVODOKU_TEST_GPU` names the adapter to test on, as
//! `--on gpu:ID` does; without it the best one is taken, a software one if need be. With
//! `EVODOKU_TEST_LONG=1` long searches are run too.
#![allow(clippy::disallowed_methods, reason = "a test may fail where the system gives no thread")]

mod adapter;
#[path = "../attacks/mod.rs"]
mod attacks;
mod automatic;
mod browser;
mod checkpoints;
mod command;
mod comparison;
mod engine;
mod engines;
mod evolution;
mod faults;
mod forms;
#[path = "../golden/mod.rs"]
mod golden;
mod golden_runs;
mod kernel;
mod leftovers;
mod lists;
mod measurement;
mod page;
#[path = "../suite/schema.rs"]
mod schema;
mod scoring;
mod searches;
#[path = "../support.rs"]
mod support;
mod web;

fn main() {
    let adapter = adapter::adapter();
    let all = [
        scoring::trials(&adapter),
        engine::trials(&adapter),
        checkpoints::trials(&adapter),
        evolution::trials(&adapter),
        automatic::trials(&adapter),
        searches::trials(&adapter),
        leftovers::trials(&adapter),
        faults::trials(&adapter),
        golden_runs::trials(&adapter),
        command::trials(&adapter),
        comparison::trials(&adapter),
        lists::trials(&adapter),
        measurement::trials(&adapter),
        forms::trials(&adapter),
        page::trials(),
        web::trials(),
    ];
    adapter::run(all.into_iter().flatten().collect()).exit();
}

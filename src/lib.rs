//! Sudoku boards evolved in very large populations, a whole population scored at once on the GPU.
//!
//! ```text
//! population --select--> parents --cross, mutate, improve--> offspring --score--> fitness --replace--> population
//! ```
//!
//! The CPU breeds packed boards in parallel, slot by slot, from random draws that depend on
//! nothing but the seed, the generation and the slot; an [`Evaluator`](fitness::Evaluator) scores
//! them chunk by chunk on the CPU or on a GPU. The same configuration and seed give the same run
//! on any number of threads, with any chunk size and on any device.
//!
//! ```
//! use evodoku::{Backend, Preset, Solver, format};
//!
//! let puzzle = format::load("ai-escargot", None)?.puzzle;
//! let solver = Solver::new(Preset::Memetic).on(Backend::auto()).seed(1);
//! let outcome = solver.solve(&puzzle)?.outcome;
//!
//! assert!(outcome.solved()); // and checked by `verify`, which shares no code with scoring
//! println!("{}", format::grid(puzzle.geometry, &outcome.board));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules: [`board`] has geometry, packed populations, presolve and the checker; [`format`](mod@format)
//! reads and writes puzzles; [`ga`] has the generation loop and its operators; [`fitness`] has the
//! evaluators; `gpu_engine` has adapters and the engine that runs wholly on them; [`random`] has the random
//! number generator; [`exact`] has methods that prove their result; the rest belongs to the command.
//!
//! # Features
//! `gpu`: graphics adapters, scoring and evolving on them. `cli`: the command, with experiments and their plots
//! and, with `gpu`, the benchmarks. These two are the default. `ilp`: the integer program of document 004. `mpi`:
//! lists, experiments and islands over the ranks of an MPI job. Without features the crate has boards, formats,
//! presolve, operators, the CPU engine and scoring on the CPU.
// The example of the README is compiled too.
#![cfg_attr(all(doctest, feature = "gpu"), doc = include_str!("../README.md"))]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "a test may fail where the system gives no thread")
)]
// A backend holds backends and is shared among threads; to prove that it may be, the compiler recurses deeply.
#![recursion_limit = "256"]
// A build with fewer features has no use for some of what the whole program shares.
#![cfg_attr(
    not(all(feature = "cli", feature = "gpu", feature = "mpi")),
    allow(dead_code, unused_imports, unused_variables)
)]

#[cfg(all(feature = "cli", feature = "gpu"))]
mod bench;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod experiment;
#[cfg(feature = "gpu")]
pub mod fitness;
pub mod format;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "gpu")]
pub mod gpu_engine;
#[cfg(feature = "cli")]
mod mpi;
#[cfg(feature = "cli")]
mod report;
mod run;
#[cfg(feature = "cli")]
mod statistics;
#[cfg(feature = "cli")]
mod store;
#[cfg(feature = "cli")]
mod tune;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::main as command;
/// Inner parts that the tests, the benches and the fuzz targets of this crate use. They may change at any time.
#[doc(hidden)]
pub mod internals {
    #[cfg(feature = "cli")]
    pub use self::command::*;
    #[cfg(feature = "gpu")]
    pub use self::gpu::*;

    #[cfg(feature = "gpu")]
    mod gpu {
        pub use crate::fitness::shader::{BoardReading, ScoreShader, ShaderForm};
        pub use crate::gpu::{
            ShaderDefines, TIMEOUT, USED_FEATURES, UploadRing, copy_times, philox_choices,
            staging_times, upload_pass,
        };
        pub use crate::gpu_engine::pipeline_cache::PipelineCache;
        pub use crate::gpu_engine::shader::shaders;
        pub use crate::gpu_engine::single_run::GpuEngine;
        pub use evodoku_core::statistics::{Quantiles, Sample, Samples, StoppingRule, break_even};
    }

    #[cfg(feature = "cli")]
    mod command {
        pub use crate::cli::{CompletedRun, SolveCheckpoint, check_arguments, outcome_of};
        pub use crate::experiment::{
            Cell, CellSummary, ComparedFactor, Comparisons, ExistingOutput, ExperimentSummary,
            ExportFormat, ExportSet, Files, Parts, Plan, RawBlock, Results, ResultsView, RunRecord,
            RunResult, RunSubset, Runner, ScalingPoint, Series, Skip, Spec, law, law_table,
        };
        pub use crate::mpi::{
            Communicator, Mailbox, Message, MpiMigrationChannel, NodeKind, RankEngine, RootEngine,
        };
        pub use crate::report::read_recording;
        pub use crate::statistics::{CensoredQuantiles, ShareInterval, wilson};
        pub use crate::store::{append_checksum, fingerprint};
        pub use crate::tune::{Resources, TuneError, TuneSpec, Tuned, Tuning};
    }
}
#[cfg(not(feature = "gpu"))]
#[doc(inline)]
pub use evodoku_core::fitness;
#[doc(inline)]
pub use evodoku_core::{board, exact, ga, random};
use evodoku_core::{generate, util};
pub use ga::Preset;
pub use generate::{GenerateError, Generator, PuzzleSpec, complete_board, min_clues, random_board};
pub use run::{
    Backend, BackendError, BackendInfo, Evolution, InjectError, Place, SolveError, SolveResult,
    Solver, Target,
};
pub use util::RESULTS_VERSION;
pub use util::named_enum::UnknownName;

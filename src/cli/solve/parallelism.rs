//! How the runs of a call are divided: one at a time with all threads, one a thread, in batches on a GPU,
//! among adapters, or between the cores and a GPU.
//!
//! Three puzzles of few children on four cores: three at a time, a thread each.

use anyhow::Result;

use crate::board::SearchSpace;
use crate::format::ParsedPuzzle;
use crate::ga::{Config, Run};
use crate::run::{Backend, Solver};
use crate::util::interrupt::INTERRUPT;
use crate::util::memory;

/// Puzzles that are looked at beforehand where runs may go in batches.
const AHEAD: usize = 1024;

/// The facts of a command line that decide it.
pub struct ParallelismInput {
    /// Generations are watched, slowed down or written.
    pub one_by_one: bool,
    /// Checkpoints are kept.
    pub keeps: bool,
    /// There are other ranks.
    pub ranks: bool,
    /// Some puzzles come through a pipe.
    pub piped: bool,
    /// Runs of each puzzle.
    pub runs: u32,
    pub threads: usize,
}

/// How runs are divided.
pub struct Parallelism {
    /// Whether the CPU breeds and scores the puzzles of a list, so that several go side by side.
    pub on_cpu: bool,
    /// Whether a GPU, or several adapters, have several runs at a time.
    pub divided: bool,
    /// Whether runs are carried out in batches by this process: by a GPU, by several adapters, or by a
    /// GPU and the cores.
    pub batched: bool,
    /// Runs that there are at most, as far as is known.
    pub most: usize,
    /// Workers of this process.
    pub jobs: usize,
}

/// The puzzles that can be run, with their configurations.
pub fn prepared(solver: &Solver, first: &[Result<ParsedPuzzle>]) -> Vec<(SearchSpace, Config)> {
    first.iter().flatten().filter_map(|reading| solver.prepare(&reading.puzzle).ok()).collect()
}

impl ParallelismInput {
    /// Whether a GPU, or several adapters, may have several runs at a time.
    fn divides(&self, backend: &Backend) -> bool {
        (backend.is_gpu() || backend.members().len() > 1) && !self.one_by_one && !self.keeps
    }

    /// Puzzles to look at beforehand: as many as could be under way. More than two may be long in coming.
    pub fn ahead(&self, backend: &Backend) -> usize {
        match self.piped {
            true => 2,
            false if self.divides(backend) || backend.is_auto() => AHEAD.max(self.threads),
            false => self.threads.max(2),
        }
    }

    /// How the runs of the `first` puzzles and of those after them are divided; a `list` has several puzzles.
    pub fn choose(
        &self,
        solver: &Solver,
        first: &[Result<ParsedPuzzle>],
        list: bool,
    ) -> Parallelism {
        let backend = &solver.backend;
        let divides = self.divides(backend);
        let several = list || self.runs > 1;
        // Where so many came at once there are probably more.
        let puzzles = (first.len() < self.ahead(backend)).then_some(first.len());
        let most = puzzles.map_or(usize::MAX, |puzzles| puzzles.saturating_mul(self.runs as usize));
        let few = &first[..first.len().min(self.threads.max(2))];
        let looked_at = if several && !divides { prepared(solver, few) } else { Vec::new() };
        let mut configs = looked_at.iter().map(|(_, config)| config);
        // Puzzles that presolve solves alone are solved sooner on the cores.
        let evolved = looked_at.iter().filter(|(space, _)| !space.free.is_empty()).count();
        let beside = several
            && !(self.one_by_one || self.keeps || self.ranks)
            && 2 * evolved > looked_at.len()
            && backend.batches(configs.clone(), most);
        let on_cpu = list && !divides && !beside && configs.all(|config| backend.is_on_cpu(config));
        let jobs = if !self.one_by_one && (on_cpu || beside) {
            let at_once = if beside { most } else { puzzles.unwrap_or(self.threads) };
            fitting(&looked_at).min(at_once).min(self.threads)
        } else {
            1
        };
        let divided = divides && several;
        Parallelism { on_cpu, divided, batched: beside || (divided && !self.ranks), most, jobs }
    }
}

/// How many runs at a time memory holds, by the puzzles that were looked at.
fn fitting(looked_at: &[(SearchSpace, Config)]) -> usize {
    let needed = |(space, config): &(SearchSpace, Config)| {
        Run::new(space, config, 0, INTERRUPT.flag()).memory_needed()
    };
    memory::fitting(looked_at.iter().map(needed).max().unwrap_or(0))
}

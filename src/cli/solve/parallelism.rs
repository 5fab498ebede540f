//! How the runs of a call are divided: one at a time with all threads, one a thread, many at a time on a
//! device, among adapters, or between the cores and a GPU.
//!
//! Three puzzles of few children on four cores: three at a time, a thread each.

use anyhow::Result;

use crate::board::SearchSpace;
use crate::format::ParsedPuzzle;
use crate::ga::Config;
use crate::interrupt::INTERRUPT;
use crate::memory;
use crate::solver::{Backend, Solver};

/// Puzzles that are looked at beforehand where runs are carried out together.
const AHEAD: usize = 1024;
/// The same where that depends on how many there are.
const AHEAD_OF_AUTO: usize = 256;

/// What of a call bears on it.
pub struct ParallelismInput {
    /// Generations are watched, slowed down or written.
    pub one_by_one: bool,
    /// Checkpoints are kept.
    pub keeps: bool,
    /// There are other ranks.
    pub ranks: bool,
    /// Some puzzles come from elsewhere.
    pub piped: bool,
    /// Runs of each puzzle.
    pub runs: u32,
    pub threads: usize,
}

/// How runs are divided.
pub struct Parallelism {
    /// Whether the CPU breeds and scores the puzzles of a list, so that several go side by side.
    pub on_cpu: bool,
    /// Whether a GPU has some of the runs beside the CPU.
    pub joint: bool,
    /// Whether a device, or several adapters, have several runs at a time.
    pub divided: bool,
    /// Whether runs are carried out together, by a device, several adapters, or a GPU beside the cores.
    pub together: bool,
    /// Runs that there are at most, as far as is known.
    pub most: usize,
    /// Workers of this process.
    pub jobs: usize,
}

/// Puzzles that can be run, with what follows from them.
pub fn prepared(solver: &Solver, first: &[Result<ParsedPuzzle>]) -> Vec<(SearchSpace, Config)> {
    first.iter().flatten().filter_map(|reading| solver.prepare(&reading.puzzle).ok()).collect()
}

impl ParallelismInput {
    /// Whether a device, or several adapters, may have several runs at a time.
    fn shares(&self, backend: &Backend) -> bool {
        (backend.is_shared() || backend.parts().len() > 1) && !self.one_by_one && !self.keeps
    }

    /// Puzzles to look at beforehand: as many as could be under way. More than two may be long in coming.
    pub fn ahead(&self, backend: &Backend) -> usize {
        match (self.piped, self.shares(backend)) {
            (true, _) => 2,
            (false, true) => AHEAD,
            (false, false) if backend.may_be_joint() => self.threads.max(AHEAD_OF_AUTO),
            (false, false) => self.threads.max(2),
        }
    }

    /// How the runs of the `first` puzzles and of those after them are divided; a `list` has several puzzles.
    pub fn division(
        &self,
        solver: &Solver,
        first: &[Result<ParsedPuzzle>],
        list: bool,
    ) -> Parallelism {
        let backend = solver.backend();
        let shares = self.shares(backend);
        let several = list || self.runs > 1;
        // Where so many came at once there are probably more.
        let puzzles = (first.len() < self.ahead(backend)).then_some(first.len());
        let most = puzzles.map_or(usize::MAX, |puzzles| puzzles.saturating_mul(self.runs as usize));
        let few = &first[..first.len().min(self.threads.max(2))];
        let looked_at = if several && !shares { prepared(solver, few) } else { Vec::new() };
        let all =
            |holds: &dyn Fn(&Config) -> bool| looked_at.iter().all(|(_, config)| holds(config));
        let on_cpu = list && !shares && all(&|config| backend.is_on_cpu(config));
        // What presolve solves alone, the cores solve sooner.
        let evolved = looked_at.iter().filter(|(space, _)| !space.free.is_empty()).count();
        let joint = several
            && !(self.one_by_one || self.keeps || self.ranks)
            && 2 * evolved > looked_at.len()
            && all(&|config| backend.is_joint(config, most));
        let side_by_side = !self.one_by_one && (on_cpu || joint);
        let jobs = if side_by_side {
            let at_once = if joint { most } else { puzzles.unwrap_or(self.threads) };
            fitting(solver, &looked_at).min(at_once).min(self.threads)
        } else {
            1
        };
        let divided = shares && several;
        let together = joint || (divided && !self.ranks);
        Parallelism { on_cpu, joint, divided, together, most, jobs }
    }
}

/// How many runs at a time memory holds, by the puzzles that were looked at.
fn fitting(solver: &Solver, looked_at: &[(SearchSpace, Config)]) -> usize {
    let needed = |(space, config): &(SearchSpace, Config)| {
        solver.run(space, config, 0, INTERRUPT.flag()).memory_needed()
    };
    let most = looked_at.iter().map(needed).max().unwrap_or(1).max(1);
    usize::try_from(memory::available() / most).unwrap_or(usize::MAX).max(1)
}

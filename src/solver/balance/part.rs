//! The part of a worker in runs that several carry out.

use std::time::Instant;

use super::{Balance, Done, Quota, Tally};
use crate::ga::{Config, Run};

/// Fewer children a generation leave most of a GPU idle whatever they cost.
pub const FEWEST_CHILDREN: u32 = 256;

/// What a worker does beside others.
pub enum Part<'a> {
    /// All that it can.
    Whole,
    /// One run after the other on a core, which is counted.
    Core(&'a Tally),
    /// As many together as get the most done, beside the cores.
    Beside(Box<Beside<'a>>),
}

impl<'a> Part<'a> {
    /// Who counts runs that are carried out one after the other, if anybody does.
    pub fn tally(&self) -> Option<&'a Tally> {
        match self {
            Self::Whole => None,
            Self::Core(tally) => Some(tally),
            Self::Beside(beside) => Some(beside.tally),
        }
    }
}

/// A GPU beside the cores.
pub struct Beside<'a> {
    /// Its name.
    pub name: &'a str,
    /// What the cores do.
    pub tally: &'a Tally,
    /// Is told in a line how many runs it goes on with.
    pub tell: &'a dyn Fn(&str),
    /// The balance since an ensemble was made, and the number that was told.
    pub since: Option<(Instant, Balance, Option<usize>)>,
}

impl Beside<'_> {
    /// Begins with an ensemble of so many seats, made for runs like this one.
    pub fn begin(&mut self, run: &Run<'_>, seats: usize) {
        let fewest = fewest_runs(run.config);
        self.since = Some((Instant::now(), Balance::new(fewest, seats), None));
    }

    /// What the ensemble is to do, which has done so much.
    pub fn quota(&mut self, done: Done) -> Quota {
        let Some((start, balance, told)) = &mut self.since else {
            return Quota::Runs(usize::MAX);
        };
        let quota = balance.quota(start.elapsed(), [done, self.tally.done()]);
        if let Some((runs, [gpu, cores])) = balance.taken()
            && *told != Some(runs)
        {
            *told = Some(runs);
            let million = |rate: f64| format!("{:.1} M work/s", rate / 1e6);
            let (name, cores) = (self.name, million(cores));
            (self.tell)(&match runs {
                0 => format!("auto leaves all runs to the CPU: {cores}; {name} adds too little"),
                _ => format!(
                    "auto has {name} carry out {runs} runs at a time: {}; the CPU {cores}",
                    million(gpu)
                ),
            });
        }
        quota
    }
}

/// Runs of this configuration that together have children enough for a GPU.
pub fn fewest_runs(config: &Config) -> usize {
    let offspring = config.replacement.offspring(config).max(1);
    FEWEST_CHILDREN.div_ceil(offspring) as usize
}

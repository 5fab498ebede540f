//! Many runs on a backend: which of them go together, and what goes on with one that a device left.

use super::Backend;
#[cfg(feature = "gpu")]
use super::Site;
use crate::fitness::{EvaluatorError, Pipeline};
use crate::ga::{
    BatchEngine, Config, CpuEngine, Observer, Outcome, Recovering, Run, RunError, RunState,
};
#[cfg(feature = "gpu")]
use crate::gpu_engine::{GpuBatch, goes_together};
#[cfg(feature = "gpu")]
use crate::solver::balance::fewest_runs;
#[cfg(feature = "gpu")]
use crate::solver::choice::Automatic;

impl Backend {
    /// Whether runs are carried out together, so that many at a time are worth it.
    pub fn is_shared(&self) -> bool {
        #[cfg(feature = "gpu")]
        return matches!(self.part(0).site, Site::Device(_));
        #[cfg(not(feature = "gpu"))]
        false
    }

    /// Whether runs may be divided between the CPU and a GPU.
    pub fn may_be_joint(&self) -> bool {
        #[cfg(feature = "gpu")]
        return matches!(self.site, Site::Automatic(_, true));
        #[cfg(not(feature = "gpu"))]
        false
    }

    /// Whether so many runs of this configuration are divided between the CPU and a GPU: one by itself
    /// has too few children for a GPU, but all together have enough
    /// ([`Pool::joint`](crate::solver::Pool::joint)). Where time is what bounds them, each has a core to
    /// itself.
    pub fn is_joint(&self, config: &Config, runs: usize) -> bool {
        #[cfg(feature = "gpu")]
        return self.may_be_joint()
            && config.time_limit == 0.0
            && !Automatic::is_worth_a_gpu(config)
            && runs >= fewest_runs(config);
        #[cfg(not(feature = "gpu"))]
        {
            let _ = (config, runs);
            false
        }
    }

    /// Whether runs of two configurations are carried out together on boards of one shape.
    pub fn goes_together(&self, one: &Config, other: &Config) -> bool {
        #[cfg(feature = "gpu")]
        if let Site::Device(_) = &self.part(0).site {
            return goes_together(one, other);
        }
        let _ = (one, other);
        false
    }

    /// What carries out runs like this one together, up to `most` of them; nothing where a run has
    /// the backend to itself, which tells what keeps it from beginning.
    pub(in crate::solver) fn ensemble(
        &self,
        run: &Run<'_>,
        most: usize,
    ) -> Option<Box<dyn BatchEngine>> {
        match &self.part(0).site {
            #[cfg(feature = "gpu")]
            Site::Device(kernels) | Site::Automatic(kernels, true) => {
                let made = GpuBatch::new(run, kernels, self.device_chunk(), most);
                Some(Box::new(made.ok()??))
            }
            _ => {
                let _ = (run, most);
                None
            }
        }
    }

    /// Goes on with a run on the host after a fault and after generations that restarted.
    ///
    /// # Errors
    /// [`RunError`] when it cannot go on.
    pub(in crate::solver) fn go_on(
        &self,
        run: &Run<'_>,
        evolution: RunState,
        fault: &EvaluatorError,
        restarts: Vec<u32>,
        spare: &mut Pipeline,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        let mut engine =
            Recovering::<CpuEngine<'_>>::after(run, fault.clone(), restarts, spare, self.replay);
        evolution.go_on(run, &mut engine, observer)
    }
}

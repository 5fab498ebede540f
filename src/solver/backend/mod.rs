//! Where runs happen: which engine breeds, and who scores.
//!
//! The CPU breeds and scores, or the CPU breeds and a GPU scores, or a GPU does both and the boards
//! never leave it. A run is the same on each, bit for bit; when a device fails, the CPU goes on with
//! it.
//!
//! ```
//! use evodoku::Backend;
//!
//! let backend = Backend::cpu();
//! assert_eq!(backend.info(1).backend, "cpu");
//! ```

mod making;
mod many;
mod told;

use std::num::NonZeroUsize;

use thiserror::Error;

#[cfg(feature = "gpu")]
use super::choice::Automatic;
use crate::board::Geometry;
#[cfg(feature = "gpu")]
use crate::fitness::GpuEvaluator;
use crate::fitness::{
    CpuEvaluator, Evaluator, EvaluatorError, Pipeline, SimdLevel, UnsupportedSimd,
};
#[cfg(feature = "gpu")]
use crate::ga::Recovering;
use crate::ga::{Config, CpuEngine, Engine, Replay, Run, RunError};
#[cfg(feature = "gpu")]
use crate::gpu::{AdapterError, Device, DeviceError};
#[cfg(feature = "gpu")]
use crate::gpu_engine::{GpuEngine, PipelineCache};

/// Where runs happen.
pub struct Backend {
    pub(in crate::solver) site: Site,
    /// Boards that are scored, or bred, at once at most; none takes what suits the device.
    chunk: Option<NonZeroUsize>,
    replay: Replay,
    reason: Option<String>,
    /// What only some want to know of it.
    more: Option<String>,
    listener: Listener,
}

pub(in crate::solver) enum Site {
    Cpu(SimdLevel),
    Own(String, Evaluators),
    #[cfg(feature = "gpu")]
    Gpu(Device),
    #[cfg(feature = "gpu")]
    Device(PipelineCache),
    /// Whichever is fastest; a GPU may score, and breed if that is said.
    #[cfg(feature = "gpu")]
    Automatic(PipelineCache, bool),
    /// Two at least, none of which is several.
    Several(Vec<Backend>),
}

/// Makes an engine.
pub type Maker<'e> = Box<dyn FnOnce() -> Result<Box<dyn Engine + 'e>, RunError> + 'e>;

/// Is told in a line what an automatic backend does.
type Listener = Box<dyn Fn(&str) + Send + Sync>;

/// Makes evaluators of boards of a shape.
type Evaluators = Box<dyn Fn(Geometry) -> Box<dyn Evaluator> + Send + Sync>;

/// Why a backend cannot be had.
#[derive(Debug, Error)]
pub enum BackendError {
    /// The crate was built without the feature `gpu`.
    #[error("this build knows no graphics adapters: it was built without the feature gpu")]
    NoGpuFeature,
    /// No adapter is what was asked for.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Adapter(#[from] AdapterError),
    /// There is no GPU, or none but software drivers.
    #[error("{0}")]
    NoGpu(String),
    /// The adapter did not open.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Open(#[from] DeviceError),
    /// The adapter opened, but does not score.
    #[error("{adapter} cannot score: {error}")]
    Scoring {
        /// The adapter's name.
        adapter: String,
        /// What it says.
        error: EvaluatorError,
    },
    /// The CPU lacks the vector instructions that were asked for.
    #[error(transparent)]
    Simd(#[from] UnsupportedSimd),
}

impl Backend {
    pub(in crate::solver) fn at(site: Site) -> Self {
        Self {
            site,
            chunk: None,
            replay: Replay::Short,
            reason: None,
            more: None,
            listener: Box::new(|_| ()),
        }
    }

    /// The same, with at most so many boards scored, or bred, at once.
    pub fn chunk(self, boards: Option<NonZeroUsize>) -> Self {
        Self { chunk: boards, ..self.each(|part| part.chunk(boards)) }
    }

    /// The same, with another answer to whether a run whose device failed is done again on the CPU.
    pub fn replay(self, replay: Replay) -> Self {
        Self { replay, ..self.each(|part| part.replay(replay)) }
    }

    /// The same, with somebody who is told in a line which engine [`auto`](Self::auto) goes on with.
    pub fn tell(self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { listener: Box::new(listener), ..self }
    }

    /// Whether the CPU breeds and scores runs of this configuration, so that several side by side
    /// share nothing.
    pub fn is_on_cpu(&self, config: &Config) -> bool {
        match &self.site {
            Site::Cpu(_) => true,
            #[cfg(feature = "gpu")]
            Site::Automatic(..) => !Automatic::is_worth_a_gpu(config),
            Site::Several(parts) => parts.iter().all(|part| part.is_on_cpu(config)),
            _ => {
                let _ = config;
                false
            }
        }
    }

    /// What scores boards of this shape; where a GPU breeds, what a run that it cannot go on with
    /// is scored with.
    ///
    /// # Errors
    /// [`BackendError::Scoring`] with what the driver says.
    pub fn pipeline(&self, geometry: Geometry) -> Result<Pipeline, BackendError> {
        let chunk = self.chunk.map(NonZeroUsize::get);
        let evaluator: Box<dyn Evaluator> = match &self.site {
            Site::Cpu(level) => Box::new(CpuEvaluator::with_level(geometry, chunk, *level)?),
            Site::Own(_, evaluators) => evaluators(geometry),
            Site::Several(_) => return self.part(0).pipeline(geometry),
            #[cfg(feature = "gpu")]
            Site::Gpu(device) => {
                Box::new(GpuEvaluator::on(device, geometry, chunk).map_err(|error| {
                    BackendError::Scoring { adapter: device.adapter().name.clone(), error }
                })?)
            }
            #[cfg(feature = "gpu")]
            Site::Device(_) | Site::Automatic(..) => Box::new(CpuEvaluator::new(geometry, chunk)),
        };
        Ok(Pipeline::new(evaluator))
    }

    /// Does something with what makes the engine of a run on the threads of the current rayon pool;
    /// `pipeline` is one of [`pipeline`](Self::pipeline).
    pub fn with_engine<R>(
        &self,
        run: &Run<'_>,
        pipeline: &mut Pipeline,
        body: impl for<'e> FnOnce(Maker<'e>) -> R,
    ) -> R {
        #[cfg(feature = "gpu")]
        let this = self.part(0);
        #[cfg(feature = "gpu")]
        if let Site::Device(kernels) = &this.site {
            return body(Box::new(|| {
                let engine = GpuEngine::new(run, kernels, this.device_chunk());
                Ok(Box::new(Recovering::new(run, engine, pipeline, this.replay)?))
            }));
        }
        #[cfg(feature = "gpu")]
        if let Site::Automatic(kernels, breeds) = &this.site {
            let automatic = Automatic {
                kernels,
                breeds: *breeds,
                chunk: this.device_chunk(),
                replay: this.replay,
                tell: &*this.listener,
            };
            return automatic.with_engine(run, pipeline, body);
        }
        body(Box::new(|| Ok(Box::new(CpuEngine::new(run, pipeline)?))))
    }

    #[cfg(feature = "gpu")]
    fn device_chunk(&self) -> Option<u32> {
        self.chunk.map(|chunk| u32::try_from(chunk.get()).unwrap_or(u32::MAX))
    }
}

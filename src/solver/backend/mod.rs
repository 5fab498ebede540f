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

mod many;

use std::fmt;
use std::num::NonZeroUsize;

use thiserror::Error;

use super::BackendInfo;
#[cfg(feature = "gpu")]
use super::choice::Automatic;
#[cfg(feature = "gpu")]
use super::found::{Found, open};
use crate::board::Geometry;
#[cfg(feature = "gpu")]
use crate::device::{DeviceEngine, Kernels};
#[cfg(feature = "gpu")]
use crate::evolve::Recovering;
use crate::evolve::{Config, Engine, HostEngine, Observer, Outcome, Replay, Run, RunError};
#[cfg(feature = "gpu")]
use crate::gpu::{AdapterError, Device, DeviceError};
#[cfg(feature = "gpu")]
use crate::score::GpuEvaluator;
use crate::score::{CpuEvaluator, Evaluator, EvaluatorError, Pipeline, SimdLevel, UnsupportedSimd};

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
    Device(Kernels),
    /// Whichever is fastest; a GPU may score, and breed if that is said.
    #[cfg(feature = "gpu")]
    Automatic(Kernels, bool),
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
    /// The CPU breeds, and scores with the best vector instructions that it has. No graphics driver
    /// is loaded.
    pub fn cpu() -> Self {
        Self::at(Site::Cpu(SimdLevel::best()))
    }

    /// The CPU breeds, and scores with these vector instructions.
    ///
    /// # Errors
    /// When this machine does not have them.
    pub fn with_simd(level: SimdLevel) -> Result<Self, BackendError> {
        Ok(Self::at(Site::Cpu(level.checked()?)))
    }

    /// The fastest of what there is: the CPU, the CPU with a real GPU that scores, or the GPU. Each
    /// is measured on the first generations of a run and now and then later; a run of few children
    /// a generation stays on the CPU, many of them are divided between it and the GPU. [`reason`](Self::reason) says which GPU comes into question,
    /// or why none does.
    ///
    /// # Errors
    /// None today: where no GPU can be had the CPU is taken.
    pub fn auto() -> Result<Self, BackendError> {
        Ok(Self::automatic(true))
    }

    /// As [`auto`](Self::auto), but the CPU breeds in any case.
    ///
    /// # Errors
    /// None today.
    pub fn auto_scoring() -> Result<Self, BackendError> {
        Ok(Self::automatic(false))
    }

    #[cfg(feature = "gpu")]
    fn automatic(breeds: bool) -> Self {
        let Found { site, reason, more } = Found::here(breeds);
        Self { reason: Some(reason), more, ..Self::at(site) }
    }

    #[cfg(not(feature = "gpu"))]
    fn automatic(_: bool) -> Self {
        Self { reason: Some(BackendError::NoGpuFeature.to_string()), ..Self::cpu() }
    }

    /// As [`auto`](Self::auto), with the adapter that `id` names as for [`gpu`](Self::gpu), which may
    /// be a software driver.
    ///
    /// # Errors
    /// When there is none, or it does not open.
    pub fn automatic_on(id: Option<&str>) -> Result<Self, BackendError> {
        #[cfg(not(feature = "gpu"))]
        return no_feature(id);
        #[cfg(feature = "gpu")]
        Self::measuring(&open(id)?)
    }

    /// As [`auto`](Self::auto), with a device that is open.
    ///
    /// # Errors
    /// What its driver says.
    #[cfg(feature = "gpu")]
    pub fn measuring(device: &Device) -> Result<Self, BackendError> {
        Ok(Self::at(Site::Automatic(Kernels::new(device)?, true)))
    }

    /// The CPU breeds and an adapter scores: the one that `id` names (an index, part of its name,
    /// or its PCI bus id), else the best real GPU.
    ///
    /// # Errors
    /// When there is none, or it does not open.
    pub fn gpu(id: Option<&str>) -> Result<Self, BackendError> {
        #[cfg(not(feature = "gpu"))]
        return no_feature(id);
        #[cfg(feature = "gpu")]
        Ok(Self::scoring_on(open(id)?))
    }

    /// An adapter breeds and scores, and the boards never leave it; `id` as for
    /// [`gpu`](Self::gpu).
    ///
    /// # Errors
    /// When there is none, or it does not open.
    pub fn device(id: Option<&str>) -> Result<Self, BackendError> {
        #[cfg(not(feature = "gpu"))]
        return no_feature(id);
        #[cfg(feature = "gpu")]
        Self::evolving_on(&open(id)?)
    }

    /// As [`gpu`](Self::gpu), with a device that is open.
    #[cfg(feature = "gpu")]
    pub fn scoring_on(device: Device) -> Self {
        Self::at(Site::Gpu(device))
    }

    /// As [`device`](Self::device), with one that is open.
    ///
    /// # Errors
    /// What its driver says.
    #[cfg(feature = "gpu")]
    pub fn evolving_on(device: &Device) -> Result<Self, BackendError> {
        Ok(Self::at(Site::Device(Kernels::new(device)?)))
    }

    /// The CPU breeds, and evaluators of one's own score; reports call them by `name`. What they
    /// may score by, [`Evaluator`] says.
    pub fn own(
        name: impl Into<String>,
        evaluators: impl Fn(Geometry) -> Box<dyn Evaluator> + Send + Sync + 'static,
    ) -> Self {
        Self::at(Site::Own(name.into(), Box::new(evaluators)))
    }

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

    /// What [`auto`](Self::auto) found, and why it takes it or not.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// What only some want to know of its [`reason`](Self::reason).
    pub fn more(&self) -> Option<&str> {
        self.more.as_deref()
    }

    /// Its [`reason`](Self::reason), where runs of this configuration breed so many children a generation
    /// that a GPU comes into question.
    pub fn reason_for(&self, config: &Config) -> Option<&str> {
        #[cfg(feature = "gpu")]
        let matters = Automatic::is_worth_a_gpu(config);
        #[cfg(not(feature = "gpu"))]
        let matters = {
            let _ = config;
            false
        };
        self.reason().filter(|_| matters)
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

    /// The opened adapter, if one scores or breeds; of several the first.
    #[cfg(feature = "gpu")]
    pub fn adapter(&self) -> Option<&Device> {
        match &self.site {
            Site::Cpu(_) | Site::Own(..) => None,
            Site::Gpu(device) => Some(device),
            Site::Device(kernels) | Site::Automatic(kernels, _) => Some(kernels.device()),
            Site::Several(parts) => parts.first()?.adapter(),
        }
    }

    /// The backend as reports of a run of this configuration name it.
    pub fn info_of(&self, config: &Config, threads: usize) -> BackendInfo {
        if self.is_on_cpu(config) { BackendInfo::cpu(threads) } else { self.info(threads) }
    }

    /// The backend as reports name it, with so many threads.
    pub fn info(&self, threads: usize) -> BackendInfo {
        match &self.site {
            Site::Cpu(_) => BackendInfo::cpu(threads),
            Site::Own(name, _) => {
                let adapter = Some(name.clone());
                BackendInfo { backend: "own", adapter, driver: None, threads }
            }
            #[cfg(feature = "gpu")]
            Site::Gpu(device) => BackendInfo::on("gpu", device.adapter(), threads),
            #[cfg(feature = "gpu")]
            Site::Device(kernels) => BackendInfo::on("device", kernels.device().adapter(), threads),
            #[cfg(feature = "gpu")]
            Site::Automatic(kernels, _) => {
                BackendInfo::on("auto", kernels.device().adapter(), threads)
            }
            Site::Several(parts) => BackendInfo::of_all(parts, threads),
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

    /// Evolves on the threads of the current rayon pool; `pipeline` is one of
    /// [`pipeline`](Self::pipeline).
    ///
    /// # Errors
    /// [`RunError`] when it cannot begin or go on; running out of budget is no error.
    pub fn evolve(
        &self,
        run: &Run<'_>,
        pipeline: &mut Pipeline,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, RunError> {
        self.with_engine(run, pipeline, |make| run.evolve_on(make, observer))
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
                let engine = DeviceEngine::new(run, kernels, this.device_chunk());
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
        body(Box::new(|| Ok(Box::new(HostEngine::new(run, pipeline)?))))
    }

    #[cfg(feature = "gpu")]
    fn device_chunk(&self) -> Option<u32> {
        self.chunk.map(|chunk| u32::try_from(chunk.get()).unwrap_or(u32::MAX))
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chunk, replay, .. } = self;
        let mut shown = f.debug_struct("Backend");
        shown.field("info", &self.info(0)).field("chunk", chunk).field("replay", replay);
        shown.finish_non_exhaustive()
    }
}

#[cfg(not(feature = "gpu"))]
fn no_feature(_: Option<&str>) -> Result<Backend, BackendError> {
    Err(BackendError::NoGpuFeature)
}

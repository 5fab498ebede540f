//! Where runs happen: who breeds, and who scores.
//!
//! The CPU breeds and scores, or the CPU breeds and a GPU scores, or a GPU does both and the boards
//! never leave it. A run is the same on each, bit for bit; when a device fails, the CPU continues
//! it. Several backends can be one: each worker of an [`Executor`](super::Executor) has one of them, so that
//! runs are divided among them; a worker by itself has the first.
//!
//! ```
//! use evodoku::Backend;
//!
//! let backend = Backend::cpu();
//! assert_eq!(backend.info(1).backend, "cpu");
//! let both = Backend::multi(backend, [Backend::cpu()]);
//! assert_eq!(both.members().len(), 2);
//! ```

use std::num::NonZeroUsize;
use std::{fmt, slice};

use super::BackendError;
#[cfg(feature = "gpu")]
use super::adapter_selection::{AutoAdapter, open};
#[cfg(feature = "gpu")]
use super::engine_selection::{AutoEngine, FEWEST_CHILDREN, children, is_worth_a_gpu};
use crate::board::Geometry;
use crate::fitness::{CpuEvaluator, Evaluator, Pipeline, SimdLevel};
#[cfg(feature = "gpu")]
use crate::fitness::{EvaluatorError, GpuEvaluator};
#[cfg(feature = "gpu")]
use crate::ga::FallbackEngine;
use crate::ga::{BatchEngine, Config, CpuEngine, Engine, ReplayPolicy, Run, RunError};
#[cfg(feature = "gpu")]
use crate::gpu::Device;
#[cfg(feature = "gpu")]
use crate::gpu_engine::{GpuBatch, GpuEngine, PipelineCache, can_batch};

/// Where runs happen.
pub struct Backend {
    pub(super) kind: BackendKind,
    /// Boards that are scored, or bred, at once at most; none takes what suits the device.
    chunk: Option<NonZeroUsize>,
    /// Whether a run whose device failed is replayed on the CPU.
    pub(super) replay: ReplayPolicy,
    log: Log,
    /// Makes batch engines in the place of a GPU.
    #[cfg(test)]
    pub(super) batches: Option<BatchEngineFactory>,
}

#[cfg(test)]
type BatchEngineFactory = Box<dyn Fn(&Run<'_>) -> Option<Box<dyn BatchEngine>> + Send + Sync>;

pub(super) enum BackendKind {
    Cpu(SimdLevel),
    /// The CPU breeds, custom evaluators score.
    Custom(String, Evaluators),
    /// The CPU breeds, a GPU scores.
    #[cfg(feature = "gpu")]
    GpuScore(Device),
    /// A GPU breeds and scores.
    #[cfg(feature = "gpu")]
    Gpu(PipelineCache),
    /// Whichever is fastest.
    #[cfg(feature = "gpu")]
    Auto(AutoAdapter),
    /// Two at least, none of which is several.
    Multi(Vec<Backend>),
}

/// The pipelines that score boards of one shape.
pub(super) struct Pipelines {
    /// On the device that scores where the CPU breeds; on the CPU where a GPU breeds, for a run that the GPU
    /// cannot continue.
    pub own: Pipeline,
    /// The two more of [`auto`](Backend::auto), once a run is worth a GPU: on the GPU, and on the CPU for a run
    /// that the GPU cannot continue.
    #[cfg(feature = "gpu")]
    auto: Option<(Result<Pipeline, EvaluatorError>, Pipeline)>,
}

/// Called with a line on each decision of a backend.
type Log = Box<dyn Fn(&str) + Send + Sync>;

/// Makes evaluators of boards of a shape.
type Evaluators = Box<dyn Fn(Geometry) -> Box<dyn Evaluator> + Send + Sync>;

/// Constructors.
impl Backend {
    /// The CPU breeds, and scores with the best vector instructions that it has. No graphics driver
    /// is loaded.
    pub fn cpu() -> Self {
        Self::of(BackendKind::Cpu(SimdLevel::best()))
    }

    /// The CPU breeds, and scores with these vector instructions.
    ///
    /// # Errors
    /// When this machine does not have them.
    pub fn cpu_with_simd(level: SimdLevel) -> Result<Self, BackendError> {
        Ok(Self::of(BackendKind::Cpu(level.checked()?)))
    }

    /// The CPU breeds, and custom evaluators score; reports call them by `name`. [`Evaluator`] says what
    /// scores they may give.
    pub fn custom(
        name: impl Into<String>,
        evaluators: impl Fn(Geometry) -> Box<dyn Evaluator> + Send + Sync + 'static,
    ) -> Self {
        Self::of(BackendKind::Custom(name.into(), Box::new(evaluators)))
    }

    /// The fastest of what there is: the CPU, the CPU with a real GPU that scores, or the GPU. Each
    /// carries out the first generations of a run, and the fastest continues it. A run of fewer than 256 children a
    /// generation stays on the CPU; many of them are divided between the CPU and the GPU. No GPU is looked
    /// for before a run has children enough.
    pub fn auto() -> Self {
        #[cfg(feature = "gpu")]
        return Self::of(BackendKind::Auto(AutoAdapter::default()));
        #[cfg(not(feature = "gpu"))]
        Self::cpu()
    }

    /// As [`auto`](Self::auto), with the adapter that `id` names as for [`gpu`](Self::gpu), which may
    /// be a software driver.
    ///
    /// # Errors
    /// When there is none, or it does not open.
    pub fn auto_on_id(id: Option<&str>) -> Result<Self, BackendError> {
        #[cfg(not(feature = "gpu"))]
        return no_feature(id);
        #[cfg(feature = "gpu")]
        Self::auto_on(&open(id)?)
    }

    /// The CPU breeds and an adapter scores: the one that `id` names (an index, part of its name,
    /// or its PCI bus id), else the best real GPU.
    ///
    /// # Errors
    /// When there is none, or it does not open.
    pub fn gpu_score(id: Option<&str>) -> Result<Self, BackendError> {
        #[cfg(not(feature = "gpu"))]
        return no_feature(id);
        #[cfg(feature = "gpu")]
        Ok(Self::gpu_score_on(open(id)?))
    }

    /// An adapter breeds and scores, and the boards never leave it; `id` as for
    /// [`gpu_score`](Self::gpu_score).
    ///
    /// # Errors
    /// When there is none, or it does not open.
    pub fn gpu(id: Option<&str>) -> Result<Self, BackendError> {
        #[cfg(not(feature = "gpu"))]
        return no_feature(id);
        #[cfg(feature = "gpu")]
        Self::gpu_on(&open(id)?)
    }

    /// As [`auto`](Self::auto), with a device that is open.
    ///
    /// # Errors
    /// The error of its driver.
    #[cfg(feature = "gpu")]
    pub fn auto_on(device: &Device) -> Result<Self, BackendError> {
        Ok(Self::of(BackendKind::Auto(AutoAdapter::on(PipelineCache::new(device)?))))
    }

    /// As [`gpu_score`](Self::gpu_score), with a device that is open.
    #[cfg(feature = "gpu")]
    pub fn gpu_score_on(device: Device) -> Self {
        Self::of(BackendKind::GpuScore(device))
    }

    /// As [`gpu`](Self::gpu), with a device that is open.
    ///
    /// # Errors
    /// The error of its driver.
    #[cfg(feature = "gpu")]
    pub fn gpu_on(device: &Device) -> Result<Self, BackendError> {
        Ok(Self::of(BackendKind::Gpu(PipelineCache::new(device)?)))
    }

    /// Several backends as one: the first and the others, which should be of its kind.
    pub fn multi(first: Self, others: impl IntoIterator<Item = Self>) -> Self {
        let mut all = first.into_members();
        all.extend(others.into_iter().flat_map(Self::into_members));
        match all.len() {
            1 => all.swap_remove(0),
            _ => Self::of(BackendKind::Multi(all)),
        }
    }

    fn of(kind: BackendKind) -> Self {
        Self {
            kind,
            chunk: None,
            replay: ReplayPolicy::Short,
            log: Box::new(|_| ()),
            #[cfg(test)]
            batches: None,
        }
    }

    /// Sets how many boards are scored, or bred, at once at most; none takes what suits the device.
    pub fn chunk(self, boards: Option<NonZeroUsize>) -> Self {
        Self { chunk: boards, ..self.map(|member| member.chunk(boards)) }
    }

    /// Sets whether a run whose device failed is done again on the CPU.
    pub fn replay_policy(self, replay: ReplayPolicy) -> Self {
        Self { replay, ..self.map(|member| member.replay_policy(replay)) }
    }

    /// Sets the function that is called with each decision of [`auto`](Self::auto): which engine it does not try, and
    /// why, and with which one it continues.
    pub fn on_decision(self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { log: Box::new(log), ..self }
    }
}

#[cfg(not(feature = "gpu"))]
fn no_feature(_: Option<&str>) -> Result<Backend, BackendError> {
    Err(BackendError::NoGpuFeature)
}

/// Several as one.
impl Backend {
    /// The backends that runs are divided among: itself, if it is not several.
    pub fn members(&self) -> &[Self] {
        match &self.kind {
            BackendKind::Multi(members) => members,
            _ => slice::from_ref(self),
        }
    }

    /// The one that a worker with this number has.
    pub fn member(&self, worker: usize) -> &Self {
        let members = self.members();
        &members[worker % members.len()]
    }

    fn into_members(self) -> Vec<Self> {
        match self.kind {
            BackendKind::Multi(members) => members,
            _ => vec![self],
        }
    }

    /// The same change to each of several.
    fn map(mut self, change: impl Fn(Self) -> Self) -> Self {
        if let BackendKind::Multi(members) = self.kind {
            self.kind = BackendKind::Multi(members.into_iter().map(change).collect());
        }
        self
    }
}

/// How runs are carried out.
impl Backend {
    /// Whether the CPU breeds and scores runs of this configuration, so that several side by side
    /// share nothing.
    pub fn is_on_cpu(&self, config: &Config) -> bool {
        self.members().iter().all(|member| match &member.kind {
            BackendKind::Cpu(_) => true,
            #[cfg(feature = "gpu")]
            BackendKind::Auto(adapter) => !is_worth_a_gpu(config) || adapter.kernels().is_none(),
            _ => false,
        })
    }

    /// Whether a GPU has runs in batches wherever the backend is asked to carry out many.
    pub fn is_gpu(&self) -> bool {
        self.member(0).kind.name() == "gpu"
    }

    /// Whether the backend is [`auto`](Self::auto).
    pub fn is_auto(&self) -> bool {
        self.kind.name() == "auto"
    }

    /// Whether so many runs of these configurations are carried out in batches: on a GPU that breeds
    /// always, and with [`auto`](Self::auto) on a real GPU and the cores where all of them together have
    /// children enough for one. Runs that have a time limit are never batched.
    pub fn batches<'c>(&self, configs: impl IntoIterator<Item = &'c Config>, runs: usize) -> bool {
        match &self.member(0).kind {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu(_) => true,
            #[cfg(feature = "gpu")]
            BackendKind::Auto(adapter) => {
                let fits = |config: &Config| {
                    let all = (runs as u64).saturating_mul(children(config).into());
                    config.time_limit == 0.0 && all >= FEWEST_CHILDREN.into()
                };
                runs > 1 && configs.into_iter().all(fits) && adapter.kernels().is_some()
            }
            _ => false,
        }
    }

    /// Whether runs of two configurations go into one batch on boards of one shape.
    pub fn can_batch(&self, one: &Config, other: &Config) -> bool {
        #[cfg(feature = "gpu")]
        if let BackendKind::Gpu(_) | BackendKind::Auto(_) = &self.member(0).kind {
            return can_batch(one, other);
        }
        false
    }

    /// An engine that carries out up to `most` runs like this one in a batch; none where a run has the backend to
    /// itself, which then reports the error that keeps it from starting.
    pub(super) fn batch_engine(&self, run: &Run<'_>, most: usize) -> Option<Box<dyn BatchEngine>> {
        #[cfg(test)]
        if let Some(batches) = &self.batches {
            return batches(run);
        }
        let kernels = match &self.member(0).kind {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu(kernels) => kernels,
            #[cfg(feature = "gpu")]
            BackendKind::Auto(adapter) => adapter.kernels()?,
            _ => return None,
        };
        #[cfg(feature = "gpu")]
        Some(Box::new(GpuBatch::new(run, kernels, self.device_chunk(), most)?))
    }

    /// Creates the pipelines that score boards of this shape.
    ///
    /// # Errors
    /// [`BackendError::Scoring`] with the error of the driver.
    pub(super) fn pipelines(&self, geometry: Geometry) -> Result<Pipelines, BackendError> {
        let member = self.member(0);
        let evaluator = match &member.kind {
            #[cfg(feature = "gpu")]
            BackendKind::Gpu(_) | BackendKind::Auto(_) => member.cpu_evaluator(geometry),
            _ => member.evaluator(geometry)?,
        };
        Ok(Pipelines {
            own: Pipeline::new(evaluator),
            #[cfg(feature = "gpu")]
            auto: None,
        })
    }

    /// Creates an evaluator of boards of this shape: on the GPU, if there is one, else on the CPU.
    ///
    /// # Errors
    /// [`BackendError::Scoring`] with the error of the driver.
    pub fn evaluator(&self, geometry: Geometry) -> Result<Box<dyn Evaluator>, BackendError> {
        let member = self.member(0);
        let chunk = member.chunk.map(NonZeroUsize::get);
        #[cfg(feature = "gpu")]
        if let Some(device) = member.adapter() {
            let evaluator = GpuEvaluator::on(device, geometry, chunk).map_err(|error| {
                BackendError::Scoring { adapter: device.adapter().name.clone(), error }
            })?;
            return Ok(Box::new(evaluator));
        }
        match &member.kind {
            BackendKind::Cpu(level) => {
                Ok(Box::new(CpuEvaluator::with_level(geometry, chunk, *level)?))
            }
            BackendKind::Custom(_, evaluators) => Ok(evaluators(geometry)),
            _ => Ok(member.cpu_evaluator(geometry)),
        }
    }

    fn cpu_evaluator(&self, geometry: Geometry) -> Box<dyn Evaluator> {
        Box::new(CpuEvaluator::new(geometry, self.chunk.map(NonZeroUsize::get)))
    }

    /// The engine of a run on the threads of the current rayon pool; `pipelines` are those of its boards.
    ///
    /// # Errors
    /// [`RunError`] when the run cannot start.
    pub(super) fn engine<'e>(
        &'e self,
        run: &Run<'e>,
        pipelines: &'e mut Pipelines,
    ) -> Result<Box<dyn Engine + 'e>, RunError> {
        #[cfg(feature = "gpu")]
        match &self.kind {
            BackendKind::Gpu(kernels) => {
                let engine = GpuEngine::new(run, kernels, self.device_chunk());
                let engine = FallbackEngine::new(run, engine, &mut pipelines.own, self.replay)?;
                return Ok(Box::new(engine));
            }
            BackendKind::Auto(adapter) if is_worth_a_gpu(run.config) => {
                if let Some(kernels) = adapter.kernels() {
                    return self.auto_engine(run, kernels, pipelines);
                }
            }
            _ => {}
        }
        Ok(Box::new(CpuEngine::new(run, &mut pipelines.own)?))
    }

    #[cfg(feature = "gpu")]
    fn auto_engine<'e>(
        &'e self,
        run: &Run<'e>,
        kernels: &'e PipelineCache,
        Pipelines { own, auto }: &'e mut Pipelines,
    ) -> Result<Box<dyn Engine + 'e>, RunError> {
        let (scoring, spare) = auto.get_or_insert_with(|| {
            let (geometry, chunk) = (run.space.geometry(), self.chunk.map(NonZeroUsize::get));
            let scoring = GpuEvaluator::on(&kernels.device, geometry, chunk);
            let spare = CpuEvaluator::new(geometry, None);
            let scoring = scoring.map(|evaluator| Pipeline::new(Box::new(evaluator)));
            (scoring, Pipeline::new(Box::new(spare)))
        });
        let bred = GpuEngine::new(run, kernels, self.device_chunk())
            .and_then(|engine| FallbackEngine::new(run, Ok(engine), spare, self.replay));
        let scored = scoring.as_mut().map_err(|error| error.clone().into());
        Ok(Box::new(AutoEngine::new(run, own, scored, bred, kernels, &*self.log)?))
    }

    #[cfg(feature = "gpu")]
    fn device_chunk(&self) -> Option<u32> {
        self.chunk.map(|chunk| u32::try_from(chunk.get()).unwrap_or(u32::MAX))
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, chunk, replay, .. } = self;
        let mut shown = f.debug_struct("Backend");
        shown.field("kind", &kind.name()).field("chunk", chunk).field("replay", replay);
        shown.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

//! Backends as they are asked for: the CPU, an adapter, evaluators of one's own, or the fastest that there is.

use super::{Backend, BackendError, Site};
use crate::board::Geometry;
use crate::fitness::{Evaluator, SimdLevel};
#[cfg(feature = "gpu")]
use crate::gpu::Device;
#[cfg(feature = "gpu")]
use crate::gpu_engine::PipelineCache;
#[cfg(feature = "gpu")]
use crate::solver::found::{Found, open};

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
    /// a generation stays on the CPU, many of them are divided between it and the GPU.
    /// [`reason`](Self::reason) says which GPU comes into question,
    /// or why none does.
    pub fn auto() -> Self {
        Self::automatic(true)
    }

    /// As [`auto`](Self::auto), but the CPU breeds in any case.
    pub fn auto_scoring() -> Self {
        Self::automatic(false)
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
        Ok(Self::at(Site::Automatic(PipelineCache::new(device)?, true)))
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
        Ok(Self::at(Site::Device(PipelineCache::new(device)?)))
    }

    /// The CPU breeds, and evaluators of one's own score; reports call them by `name`. What they
    /// may score by, [`Evaluator`] says.
    pub fn own(
        name: impl Into<String>,
        evaluators: impl Fn(Geometry) -> Box<dyn Evaluator> + Send + Sync + 'static,
    ) -> Self {
        Self::at(Site::Own(name.into(), Box::new(evaluators)))
    }
}

#[cfg(not(feature = "gpu"))]
fn no_feature(_: Option<&str>) -> Result<Backend, BackendError> {
    Err(BackendError::NoGpuFeature)
}

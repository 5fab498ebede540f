//! What is told of a backend: in reports, in a line, and why it was taken.

use std::fmt;

use super::{Backend, Site};
use crate::ga::Config;
#[cfg(feature = "gpu")]
use crate::gpu::Device;
use crate::solver::BackendInfo;
#[cfg(feature = "gpu")]
use crate::solver::choice::Automatic;

impl Backend {
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

    /// What it is called in a line.
    pub(in crate::solver) fn name(&self) -> String {
        self.info(0).adapter.unwrap_or_else(|| "the CPU".to_owned())
    }

    /// Tells whoever listens.
    pub(in crate::solver) fn say(&self, line: &str) {
        (self.listener)(line);
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

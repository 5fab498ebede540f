//! The compiled kernels of one device, which later runs use again.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::dispatch_params::{BINDINGS, TASK_STRIDE};
use super::local_search::SearchPlan;
use super::operator_support::OperatorShaders;
use super::shader::{Kernel, Shader, kernels};
use crate::ga::{Config, Run, RunError};
use crate::gpu::{
    COMPILE_TIMEOUT, Device, DeviceError, KernelLayout, compile, compile_all, encoder, workgroups,
};
use crate::util::lock;

/// Most pipelines that are kept: tuning needs ever new ones.
const MOST_KEPT: usize = 512;

/// A device, and the kernels that were compiled on it.
pub struct PipelineCache {
    /// The device.
    pub device: Device,
    pub(super) layout: KernelLayout,
    compiled: Mutex<HashMap<String, wgpu::ComputePipeline>>,
    /// Changes the text of a kernel before it is compiled.
    rewrite: fn(String) -> String,
}

/// A kernel that can be dispatched.
#[derive(Clone, Debug)]
pub(super) struct DispatchPipeline {
    pub pipeline: wgpu::ComputePipeline,
    /// Slots of a workgroup.
    slots: u32,
    workgroups_per_dimension: u32,
}

/// The kernels of a configuration.
#[derive(Clone, Debug)]
pub(super) struct PipelineSet {
    kernels: HashMap<Kernel, DispatchPipeline>,
}

impl PipelineCache {
    /// Creates an empty cache for a device.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn new(device: &Device) -> Result<Self, DeviceError> {
        let layout = device.guarded(|device| KernelLayout::new(device, "evolution", &BINDINGS))?;
        let device = device.clone();
        Ok(Self { device, layout, compiled: Mutex::default(), rewrite: |source| source })
    }

    /// Sets a function that rewrites the text of kernels before they are compiled, for tests.
    #[doc(hidden)]
    pub fn rewritten(self, rewrite: fn(String) -> String) -> Self {
        Self { rewrite, ..self }
    }

    /// Returns the kernels of a run, and compiles those that it does not have yet.
    ///
    /// # Errors
    /// An error of the driver, or [`RunError::Interrupted`] when the run is to end first.
    pub(super) fn compile(
        &self,
        run: &Run<'_>,
        config: &Config,
        operators: &OperatorShaders,
        search: Option<&SearchPlan>,
    ) -> Result<PipelineSet, RunError> {
        let memory = search.map(|search| &search.memory);
        let adapter = self.device.adapter();
        let kernels = kernels(run.space.geometry(), config, operators, adapter, memory)?;
        let pipelines = self.pipelines(&kernels, run.interrupted)?;
        let per_dimension = adapter.limits.max_compute_workgroups_per_dimension;
        let dispatched = kernels.into_iter().zip(pipelines).map(|((kernel, shader), pipeline)| {
            let (slots, workgroups_per_dimension) = (shader.slots, per_dimension);
            (kernel, DispatchPipeline { pipeline, slots, workgroups_per_dimension })
        });
        Ok(PipelineSet { kernels: dispatched.collect() })
    }

    /// The pipelines of kernels, in the same order.
    fn pipelines(
        &self,
        kernels: &[(Kernel, Shader)],
        interrupted: &AtomicBool,
    ) -> Result<Vec<wgpu::ComputePipeline>, RunError> {
        let source = |shader: &Shader| (self.rewrite)(shader.source.clone());
        let sources: Vec<String> = kernels.iter().map(|(_, shader)| source(shader)).collect();
        // A thread that panicked during the lock left the map valid.
        let mut compiled = lock(&self.compiled);
        let entries = kernels.iter().map(|(_, shader)| shader.entry);
        let missing = sources.iter().zip(entries).filter(|(text, _)| !compiled.contains_key(*text));
        let missing: Vec<(String, &str)> =
            missing.map(|(text, entry)| (text.clone(), entry)).collect();
        // Engines have clones of the pipelines that they use.
        if compiled.len() + missing.len() > MOST_KEPT {
            compiled.retain(|text, _| sources.contains(text));
        }
        let makes = missing.iter().cloned().map(|(text, entry)| {
            let layout = self.layout.clone();
            move |device: &Device| device.guarded(|device| layout.pipeline(device, entry, &text))
        });
        let made = compile_all(&self.device, interrupted, makes.collect())?;
        let made = made.ok_or(RunError::Interrupted)?;
        compiled.extend(missing.into_iter().map(|(text, _)| text).zip(made));
        Ok(sources.iter().map(|text| compiled[text].clone()).collect())
    }
}

impl DispatchPipeline {
    /// Records a dispatch of `tasks` tasks, of which number `first` is the first, over `count` slots
    /// of each.
    pub(super) fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bindings: &wgpu::BindGroup,
        first: usize,
        tasks: u32,
        count: u32,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bindings, &[first as u32 * TASK_STRIDE as u32]);
        let all = count.div_ceil(self.slots);
        let [x, y] = workgroups(all, self.workgroups_per_dimension);
        pass.dispatch_workgroups(x, y, tasks);
    }
}

impl PipelineSet {
    /// Dispatches each kernel over nothing, with buffers of the engine: some drivers compile a
    /// kernel when it first runs, and no later wait is to be as long as that may take.
    ///
    /// # Errors
    /// An error of the driver, or [`RunError::Interrupted`] when the run is to end first.
    pub(super) fn warm_up(
        &self,
        device: &Device,
        bindings: &wgpu::BindGroup,
        interrupted: &AtomicBool,
    ) -> Result<(), RunError> {
        // Nothing is waited for, whenever the driver compiles.
        if !device.waits() {
            return Ok(());
        }
        let (kernels, bindings) = (self.kernels.clone(), bindings.clone());
        let warm = move |device: &Device| {
            let mut encoder = encoder(device, "warm-up");
            for kernel in kernels.values() {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(&kernel.pipeline);
                pass.set_bind_group(0, &bindings, &[0]);
                pass.dispatch_workgroups(0, 0, 0);
            }
            device.finish_within(device.queue().submit([encoder.finish()]), COMPILE_TIMEOUT)
        };
        compile(device, interrupted, warm)?.ok_or(RunError::Interrupted)
    }

    /// A kernel that the configuration needs.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] when it does not.
    pub(super) fn get(&self, kernel: Kernel) -> Result<&DispatchPipeline, DeviceError> {
        let missing = || DeviceError::Driver(format!("the kernel {kernel:?} was not compiled"));
        self.kernels.get(&kernel).ok_or_else(missing)
    }
}

//! Compiled kernels on one device, kept from run to run.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::dispatch_params::{BINDINGS, TASK_STRIDE};
use super::kernel::Kernel;
use super::local_search::SearchPlan;
use super::operator_support::OperatorShaders;
use super::shader::{Shader, breeders, choices};
use crate::ga::{Config, Run, RunError};
use crate::gpu::{Device, DeviceError, KernelLayout, compile};

/// Pipelines that are kept at most: a tuning asks for others again and again.
const MOST_KEPT: usize = 512;

/// A device, and the kernels that were compiled on it.
pub struct PipelineCache {
    device: Device,
    layout: KernelLayout,
    compiled: Mutex<HashMap<String, wgpu::ComputePipeline>>,
    /// Changes the text of a kernel before it is compiled.
    rewrite: fn(String) -> String,
}

/// A kernel that can be dispatched.
#[derive(Clone, Debug)]
pub(super) struct DispatchPipeline {
    pub pipeline: wgpu::ComputePipeline,
    /// Slots that a workgroup takes.
    slots: u32,
    workgroups_per_dimension: u32,
}

/// The kernels of a configuration.
#[derive(Clone, Debug)]
pub(super) struct PipelineSet {
    kernels: HashMap<Kernel, DispatchPipeline>,
}

impl PipelineCache {
    /// Nothing is compiled yet.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn new(device: &Device) -> Result<Self, DeviceError> {
        let layout = device.guarded(|device| KernelLayout::new(device, "evolution", &BINDINGS))?;
        let device = device.clone();
        Ok(Self { device, layout, compiled: Mutex::default(), rewrite: |source| source })
    }

    /// Rewrites the text of kernels before they are compiled, for tests of what they must not
    /// depend on.
    #[doc(hidden)]
    pub fn rewritten(self, rewrite: fn(String) -> String) -> Self {
        Self { rewrite, ..self }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn layout(&self) -> &KernelLayout {
        &self.layout
    }

    /// Compiles what a run needs and is not there yet.
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
        let geometry = run.space.geometry();
        let limits = &self.device.adapter().limits;
        let memory = search.map(|search| &search.memory);
        let choices = choices(geometry, config, operators, limits, memory);
        let breeders = breeders(geometry, config, limits);
        let mut kernels = HashMap::new();
        for kind in Kernel::needed(operators) {
            let shader = Shader::new(kind, &choices, breeders)?;
            let shader = Shader { source: (self.rewrite)(shader.source), ..shader };
            kernels.insert(kind, self.kernel(shader, run.interrupted)?);
        }
        Ok(PipelineSet { kernels })
    }

    fn kernel(
        &self,
        shader: Shader,
        interrupted: &AtomicBool,
    ) -> Result<DispatchPipeline, RunError> {
        // A thread that panicked while it held the lock left the map whole.
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let slots = shader.slots;
        let pipeline = match compiled.get(&shader.source) {
            Some(pipeline) => pipeline.clone(),
            None => {
                let (source, layout) = (shader.source.clone(), self.layout.clone());
                let make = move |device: &Device| {
                    device.guarded(|device| layout.pipeline(device, shader.entry, &shader.source))
                };
                let made = compile(&self.device, interrupted, make)?;
                let pipeline = made.ok_or(RunError::Interrupted)?;
                // Those at work stay with their engines.
                if compiled.len() >= MOST_KEPT {
                    compiled.clear();
                }
                compiled.insert(source, pipeline.clone());
                pipeline
            }
        };
        let workgroups_per_dimension = self.device.adapter().limits.workgroups_per_dimension;
        Ok(DispatchPipeline { pipeline, slots, workgroups_per_dimension })
    }
}

impl DispatchPipeline {
    /// Records a dispatch of `tasks` tasks, of which number `first` is the first, over `count` slots
    /// of each.
    pub(super) fn dispatch(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        bindings: &wgpu::BindGroup,
        first: usize,
        tasks: u32,
        count: u32,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bindings, &[first as u32 * TASK_STRIDE as u32]);
        let [x, y] = self.workgroups(count);
        pass.dispatch_workgroups(x, y, tasks);
    }

    /// Workgroups for `count` slots, in a second dimension once the first is full.
    fn workgroups(&self, count: u32) -> [u32; 2] {
        let all = count.div_ceil(self.slots);
        let x = all.min(self.workgroups_per_dimension).max(1);
        [x, all.div_ceil(x)]
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
        let (kernels, bindings) = (self.kernels.clone(), bindings.clone());
        let warm = move |device: &Device| {
            let label = wgpu::CommandEncoderDescriptor { label: Some("warm-up") };
            let mut encoder = device.handle().create_command_encoder(&label);
            for kernel in kernels.values() {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(&kernel.pipeline);
                pass.set_bind_group(0, &bindings, &[0]);
                pass.dispatch_workgroups(0, 0, 0);
            }
            device.finish_compiling(device.queue().submit([encoder.finish()]))
        };
        compile(device, interrupted, warm)?.ok_or(RunError::Interrupted)
    }

    /// A kernel that the configuration needs.
    ///
    /// # Errors
    /// [`DeviceError::Driver`] when it does not.
    pub(super) fn get(&self, kind: Kernel) -> Result<&DispatchPipeline, DeviceError> {
        self.kernels.get(&kind).ok_or_else(|| {
            DeviceError::Driver(format!("the kernel '{}' was not compiled", kind.entry()))
        })
    }
}

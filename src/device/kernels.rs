//! Compiled kernels on one device, kept from run to run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::shader::{Shader, Shaders};
use super::task::TASK_BYTES;
use crate::board::Geometry;
use crate::evolve::{Config, RunError};
use crate::gpu::Device;
use crate::score::EvaluatorError;

/// Storage buffers that kernels share: `shaders/task.wgsl`.
pub(super) const READ_BINDINGS: [u32; 3] = [1, 2, 3];
pub(super) const WRITE_BINDINGS: [u32; 5] = [4, 5, 6, 7, 8];

/// A device, and every kernel that was compiled on it.
pub struct Kernels {
    device: Device,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    compiled: Mutex<HashMap<String, wgpu::ComputePipeline>>,
}

/// A kernel that can be dispatched.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    /// Slots that a workgroup takes.
    slots: u32,
    workgroups_per_dimension: u32,
}

/// The kernels of a configuration.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    pub initialise: Kernel,
    pub breed: Kernel,
    /// A round of a search, and what becomes of the children.
    pub search: Option<[Kernel; 2]>,
    /// Which children get a slot, where not each has its own.
    pub keep: Option<Kernel>,
    pub statistics: Kernel,
    pub best: Kernel,
    pub distinct: Kernel,
    pub emigrate: Kernel,
    pub immigrate: Kernel,
    /// The four steps of a plan, where one is needed.
    pub plan: Option<[Kernel; 4]>,
}

impl Kernels {
    /// Nothing is compiled yet.
    ///
    /// # Errors
    /// What the driver says.
    pub fn new(device: &Device) -> Result<Self, EvaluatorError> {
        let (layout, pipeline_layout) = device.guarded(|device| {
            let layout = bind_group_layout(device);
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("evolution"),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            (layout, pipeline_layout)
        })?;
        let device = device.clone();
        Ok(Self { device, layout, pipeline_layout, compiled: Mutex::default() })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// Compiles what a configuration needs and is not there yet.
    pub(super) fn compile(
        &self,
        geometry: Geometry,
        config: &Config,
    ) -> Result<Compiled, RunError> {
        let limits = self.device.adapter().limits;
        let shaders = Shaders::new(geometry, config, limits.workgroup_memory_bytes)?;
        Ok(Compiled {
            initialise: self.kernel(&shaders.initialise)?,
            breed: self.kernel(&shaders.breed)?,
            search: match &shaders.search {
                None => None,
                Some([round, settle]) => Some([self.kernel(round)?, self.kernel(settle)?]),
            },
            keep: match &shaders.keep {
                None => None,
                Some(keep) => Some(self.kernel(keep)?),
            },
            statistics: self.kernel(&shaders.statistics)?,
            best: self.kernel(&shaders.best)?,
            distinct: self.kernel(&shaders.distinct)?,
            emigrate: self.kernel(&shaders.emigrate)?,
            immigrate: self.kernel(&shaders.immigrate)?,
            plan: match &shaders.plan {
                None => None,
                Some([count, scan, start, place]) => Some([
                    self.kernel(count)?,
                    self.kernel(scan)?,
                    self.kernel(start)?,
                    self.kernel(place)?,
                ]),
            },
        })
    }

    fn kernel(&self, shader: &Shader) -> Result<Kernel, EvaluatorError> {
        // A thread that panicked while it held the lock left the map whole.
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let pipeline = match compiled.get(&shader.source) {
            Some(pipeline) => pipeline.clone(),
            None => {
                let pipeline = self.device.guarded(|device| self.pipeline(device, shader))?;
                compiled.insert(shader.source.clone(), pipeline.clone());
                pipeline
            }
        };
        let workgroups_per_dimension = self.device.adapter().limits.workgroups_per_dimension;
        Ok(Kernel { pipeline, slots: shader.slots, workgroups_per_dimension })
    }

    fn pipeline(&self, device: &wgpu::Device, shader: &Shader) -> wgpu::ComputePipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(shader.entry),
            source: wgpu::ShaderSource::Wgsl(shader.source.as_str().into()),
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(shader.entry),
            layout: Some(&self.pipeline_layout),
            module: &module,
            entry_point: Some(shader.entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
    }
}

impl Kernel {
    /// Workgroups for `count` slots, in a second dimension once the first is full.
    pub(super) fn workgroups(&self, count: u32) -> [u32; 2] {
        let all = count.div_ceil(self.slots);
        let x = all.min(self.workgroups_per_dimension).max(1);
        [x, all.div_ceil(x)]
    }
}

fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    use wgpu::BufferBindingType::{Storage, Uniform};
    let entry = |binding, ty, dynamic| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: dynamic,
            min_binding_size: if dynamic { wgpu::BufferSize::new(TASK_BYTES) } else { None },
        },
        count: None,
    };
    let storage = |bindings: &[u32], read_only| -> Vec<wgpu::BindGroupLayoutEntry> {
        bindings.iter().map(|at| entry(*at, Storage { read_only }, false)).collect()
    };
    let task = vec![entry(0, Uniform, true)];
    let entries = [task, storage(&READ_BINDINGS, true), storage(&WRITE_BINDINGS, false)].concat();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("evolution"),
        entries: &entries,
    })
}

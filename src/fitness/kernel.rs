//! The compiled kernel, and the buffer that all chunks share.

use std::sync::atomic::AtomicBool;

use wgpu::{BufferUsages, Features};

use super::EvaluatorError;
use super::chunk::score_bytes;
use super::shader::{BINDINGS, ScoreShader};
use crate::gpu::{Device, DeviceError, KernelLayout, buffer, compile, workgroups};

/// The kernel and its constants, shared by all chunks.
#[derive(Debug)]
pub(super) struct ScorePipeline {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: KernelLayout,
    /// As many unwritten scores as a chunk has boards.
    pub(super) unwritten: wgpu::Buffer,
    /// Nanoseconds per tick, on a device with timestamps.
    pub(super) tick: Option<f32>,
    workgroup_boards: usize,
    workgroups_per_dimension: u32,
}

impl ScorePipeline {
    /// Compiles `shader` for chunks of `chunk_len` boards.
    pub(super) fn new(
        device: &Device,
        shader: &ScoreShader,
        chunk_len: usize,
    ) -> Result<Self, EvaluatorError> {
        let source = shader.source.clone();
        // It compiles within seconds on any driver, so an interrupt waits for it.
        let compiled = compile(device, &AtomicBool::new(false), move |device| {
            device.guarded(|device| {
                let layout = KernelLayout::new(device, "score", &BINDINGS);
                (layout.pipeline(device, "score", &source), layout)
            })
        })?;
        let (pipeline, layout) = compiled
            .ok_or_else(|| DeviceError::Driver("the scoring kernel was not compiled".to_owned()))?;
        let size = score_bytes(chunk_len);
        let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let unwritten = device.guarded(|device| buffer(device, "unwritten scores", size, usage))?;
        device.queue().write_buffer(&unwritten, 0, &vec![u8::MAX; size as usize]);
        let adapter = device.adapter();
        let has_timestamps = adapter.features.contains(Features::TIMESTAMP_QUERY);
        Ok(Self {
            pipeline,
            layout,
            unwritten,
            tick: has_timestamps.then(|| device.queue().get_timestamp_period()),
            workgroup_boards: shader.workgroup_boards,
            workgroups_per_dimension: adapter.limits.max_compute_workgroups_per_dimension,
        })
    }

    /// Workgroups for `boards` boards, in two dimensions where one does not hold them.
    pub(super) fn workgroups(&self, boards: usize) -> [u32; 2] {
        workgroups(boards.div_ceil(self.workgroup_boards) as u32, self.workgroups_per_dimension)
    }
}

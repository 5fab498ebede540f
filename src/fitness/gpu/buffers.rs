//! Boards and their scores on the device, bound to the kernel.

use wgpu::{BufferUsages, CommandEncoder};

use super::kernel::{ScorePipeline, score_bytes};
use super::timestamps::DeviceClock;
use crate::board::Geometry;
use crate::fitness::EvaluatorError;
use crate::fitness::shader::BINDINGS;
use crate::gpu::{Device, bind_group, buffer};

/// Bytes that hold the number of boards.
pub(super) const COUNT_BYTES: u64 = 16;

/// Bytes that the kernel reads at once at most.
const QUAD_BYTES: u64 = 16;

/// The buffers that the kernel reads and writes.
#[derive(Debug)]
pub(super) struct ChunkBuffers {
    pub(super) boards: wgpu::Buffer,
    pub(super) count: wgpu::Buffer,
    pub(super) scores: wgpu::Buffer,
    bindings: wgpu::BindGroup,
}

impl ChunkBuffers {
    /// Buffers for `boards` boards.
    pub(super) fn new(
        device: &Device,
        kernel: &ScorePipeline,
        geometry: Geometry,
        boards: usize,
    ) -> Result<Self, EvaluatorError> {
        // The kernel may read four words at a time.
        let board_bytes = ((boards * geometry.stride()) as u64).next_multiple_of(QUAD_BYTES);
        let bound = device.guarded(|device| {
            use BufferUsages as Use;
            let score_usage = Use::STORAGE | Use::COPY_SRC | Use::COPY_DST;
            let scores = buffer(device, "scores", score_bytes(boards), score_usage);
            let boards = buffer(device, "boards", board_bytes, Use::STORAGE | Use::COPY_DST);
            let count = buffer(device, "count", COUNT_BYTES, Use::UNIFORM | Use::COPY_DST);
            let buffers = [&boards, &scores, &count];
            let label = "boards and scores";
            let bindings = bind_group(device, label, &kernel.layout, &BINDINGS, &buffers, 1);
            Self { boards, count, scores, bindings }
        })?;
        Ok(bound)
    }

    /// Records the kernel over the first `boards` boards, between two timestamps of `clock`.
    pub(super) fn dispatch(
        &self,
        encoder: &mut CommandEncoder,
        kernel: &ScorePipeline,
        clock: Option<&DeviceClock>,
        boards: usize,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("score"),
            timestamp_writes: clock.map(|clock| clock.writes(1, Some(2))),
        });
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        let [x, y] = kernel.workgroups(boards);
        pass.dispatch_workgroups(x, y, 1);
    }
}

/// The number of boards, as the staging buffer holds it before the boards.
pub(super) fn count_bytes(boards: usize) -> [u8; COUNT_BYTES as usize] {
    let mut bytes = [0; COUNT_BYTES as usize];
    bytes[..4].copy_from_slice(&(boards as u32).to_le_bytes());
    bytes
}

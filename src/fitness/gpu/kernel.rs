//! The compiled kernel, and the buffer that all chunks share.

use std::sync::atomic::AtomicBool;

use wgpu::BufferUsages;

use crate::fitness::EvaluatorError;
use crate::fitness::shader::{BINDINGS, ScoreShader};
use crate::gpu::{Device, compile, layout, mapping, pipeline};

/// Bytes of a score; a word on the device holds two.
const SCORE_BYTES: u64 = 2;

/// The kernel and its constants, shared by all chunks.
#[derive(Debug)]
pub(super) struct ScorePipeline {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
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
        let made = compile(device, &AtomicBool::new(false), move |device| {
            device.guarded(|device| {
                let layout = layout(device, "chunk", &BINDINGS);
                let bound = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                    label: Some("score"),
                    bind_group_layouts: &[Some(&layout)],
                    immediate_size: 0,
                });
                let pipeline = pipeline(device, &bound, "score", &source);
                (layout, pipeline)
            })
        })?;
        let (layout, pipeline) = made.ok_or_else(|| {
            EvaluatorError::Driver("the scoring kernel was not compiled".to_owned())
        })?;
        let size = score_bytes(chunk_len);
        let unwritten = device.guarded(|device| {
            let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("unwritten scores"),
                size,
                usage,
                mapped_at_creation: true,
            })
        })?;
        let mut view = unwritten.slice(..).get_mapped_range_mut().map_err(mapping)?;
        view.slice(..).fill(u8::MAX);
        drop(view);
        unwritten.unmap();
        let info = device.adapter();
        Ok(Self {
            pipeline,
            layout,
            unwritten,
            tick: info.limits.timestamps.then(|| device.queue().get_timestamp_period()),
            workgroup_boards: shader.workgroup_boards,
            workgroups_per_dimension: info.limits.workgroups_per_dimension,
        })
    }

    /// Workgroups for `boards` boards, in two dimensions where one does not hold them.
    pub(super) fn workgroups(&self, boards: usize) -> [u32; 2] {
        workgroups(boards.div_ceil(self.workgroup_boards) as u32, self.workgroups_per_dimension)
    }
}

/// Bytes of the scores of `boards` boards: whole words.
pub(super) fn score_bytes(boards: usize) -> u64 {
    (boards as u64 * SCORE_BYTES).next_multiple_of(4)
}

/// Replaces `scores` by the scores of `boards` boards, which the device stores in `bytes`.
pub(super) fn decode(bytes: &[u8], boards: usize, scores: &mut Vec<u16>) {
    scores.clear();
    let words = bytes.as_chunks().0.iter().take(boards);
    scores.extend(words.map(|word| u16::from_le_bytes(*word)));
}

/// `all` workgroups in as few rows as possible, all of the same length.
fn workgroups(all: u32, per_dimension: u32) -> [u32; 2] {
    let rows = all.div_ceil(per_dimension.max(1));
    [all.div_ceil(rows.max(1)), rows]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workgroups_continue_in_the_second_dimension() {
        for (all, shape) in [(1, [1, 1]), (3, [3, 1]), (4, [2, 2]), (9, [3, 3]), (10, [3, 4])] {
            assert_eq!(workgroups(all, 3), shape, "{all} workgroups");
        }
        assert_eq!(workgroups(0, 3), [0, 0]);
    }
}

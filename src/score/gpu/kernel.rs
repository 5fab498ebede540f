//! The compiled kernel, and what all chunks share.

use wgpu::BufferUsages;

use crate::gpu::{Device, mapping};
use crate::score::shader::WORKGROUP;
use crate::score::{EvaluatorError, UNWRITTEN};

/// Bytes of a score on the device, which knows no smaller number.
const SCORE_BYTES: u64 = 4;

/// What all chunks share.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
    /// As many unwritten scores as a chunk has.
    pub(super) unwritten: wgpu::Buffer,
    /// Nanoseconds a tick, on a device that tells the time.
    pub(super) tick: Option<f32>,
    workgroups_per_dimension: u32,
}

impl Kernel {
    /// Compiles `shader` for chunks of `chunk_len` boards.
    pub(super) fn new(
        device: &Device,
        shader: &str,
        chunk_len: usize,
    ) -> Result<Self, EvaluatorError> {
        let (layout, pipeline) = device.guarded(|device| {
            let layout = bind_group_layout(device);
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("score"),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("score"),
                source: wgpu::ShaderSource::Wgsl(shader.into()),
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("score"),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some("score"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            });
            (layout, pipeline)
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
            workgroups_per_dimension: info.limits.workgroups_per_dimension,
        })
    }

    /// Workgroups for `count` boards, in a second dimension once the first is full.
    pub(super) fn workgroups(&self, count: usize) -> [u32; 2] {
        workgroups(count, self.workgroups_per_dimension)
    }
}

/// Bytes of the scores of `boards` boards.
pub(super) fn score_bytes(boards: usize) -> u64 {
    boards as u64 * SCORE_BYTES
}

/// Puts the scores of `boards` boards, as the device holds them, in place of `scores`.
pub(super) fn decode(bytes: &[u8], boards: usize, scores: &mut Vec<u16>) {
    let word = |bytes: &[u8; 4]| {
        // A word that no score can be stays one that no score can be.
        u16::try_from(u32::from_le_bytes(*bytes)).unwrap_or(UNWRITTEN)
    };
    scores.clear();
    scores.extend(bytes.as_chunks().0[..boards].iter().map(word));
}

fn workgroups(count: usize, per_dimension: u32) -> [u32; 2] {
    let all = count.div_ceil(WORKGROUP as usize) as u32;
    let x = all.min(per_dimension).max(1);
    [x, all.div_ceil(x)]
}

/// How the bindings of `shaders/score.wgsl` are used: boards, scores, count.
fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    use wgpu::BufferBindingType::{Storage, Uniform};
    let entry = |(binding, ty)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    };
    let types = [(0, Storage { read_only: true }), (1, Storage { read_only: false }), (2, Uniform)];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("chunk"),
        entries: &types.map(entry),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workgroups_continue_in_the_second_dimension() {
        for (count, shape) in
            [(1, [1, 1]), (64, [1, 1]), (65, [2, 1]), (192, [3, 1]), (193, [3, 2])]
        {
            assert_eq!(workgroups(count, 3), shape, "{count} boards");
        }
        assert_eq!(workgroups(0, 3), [1, 0]);
    }
}

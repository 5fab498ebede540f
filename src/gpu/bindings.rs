//! The buffers of kernels, declared once for the text of the kernels and for the layout of their pipelines.

use std::fmt::Write;

use wgpu::BufferBindingType::{Storage, Uniform};

/// How a kernel uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads a few words, the same in all threads.
    Uniform,
    /// It reads a list of items of this many bytes; each dispatch sets the item at which its list begins.
    Moving(u64),
    /// It reads.
    Read,
    /// It reads and writes.
    Write,
}

/// A buffer that kernels are bound to. Its binding number is its position in the list of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    /// Its name in WGSL.
    pub name: &'static str,
    /// Its type in WGSL.
    pub kind: &'static str,
    /// How kernels use it.
    pub access: Access,
}

/// The declarations of `bindings` in WGSL.
pub(crate) fn declare(bindings: &[Binding]) -> String {
    let mut text = String::new();
    for (number, Binding { name, kind, access }) in bindings.iter().enumerate() {
        let space = match access {
            Access::Uniform => "uniform",
            Access::Read | Access::Moving(_) => "storage, read",
            Access::Write => "storage, read_write",
        };
        let _ = writeln!(text, "@group(0) @binding({number}) var<{space}> {name}: {kind};");
    }
    text
}

/// The bindings of a group of kernels on one device, as their pipelines and bind groups need them.
#[derive(Clone, Debug)]
pub(crate) struct KernelLayout {
    bindings: &'static [Binding],
    group: wgpu::BindGroupLayout,
    pipeline: wgpu::PipelineLayout,
}

impl KernelLayout {
    pub(crate) fn new(device: &wgpu::Device, label: &str, bindings: &'static [Binding]) -> Self {
        let entry = |(number, binding): (u32, &Binding)| wgpu::BindGroupLayoutEntry {
            binding: number,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding.access {
                    Access::Uniform => Uniform,
                    access => Storage { read_only: access != Access::Write },
                },
                has_dynamic_offset: matches!(binding.access, Access::Moving(_)),
                min_binding_size: binding.item_bytes(1),
            },
            count: None,
        };
        let entries: Vec<_> = (0..).zip(bindings).map(entry).collect();
        let label = Some(label);
        let group = wgpu::BindGroupLayoutDescriptor { label, entries: &entries };
        let group = device.create_bind_group_layout(&group);
        let pipeline = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&group)],
            immediate_size: 0,
        });
        Self { bindings, group, pipeline }
    }

    /// Binds `buffers` in the order of the bindings; of a [moving](Access::Moving) one `window` items at a time.
    pub(crate) fn bind(
        &self,
        device: &wgpu::Device,
        buffers: &[&wgpu::Buffer],
        window: u64,
    ) -> wgpu::BindGroup {
        let mut entries = Vec::with_capacity(buffers.len());
        for (number, (binding, buffer)) in (0..).zip(self.bindings.iter().zip(buffers)) {
            let size = binding.item_bytes(window);
            let resource =
                wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
            entries.push(wgpu::BindGroupEntry { binding: number, resource });
        }
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.group,
            entries: &entries,
        })
    }

    /// The pipeline of the kernel `source`, whose entry point is `entry`.
    pub(crate) fn pipeline(
        &self,
        device: &wgpu::Device,
        entry: &str,
        source: &str,
    ) -> wgpu::ComputePipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&self.pipeline),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Kernels write what they read.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
    }
}

impl Binding {
    /// Bytes of `count` items of a moving binding; `None` for the others, which are bound whole.
    fn item_bytes(&self, count: u64) -> Option<wgpu::BufferSize> {
        match self.access {
            Access::Moving(bytes) => wgpu::BufferSize::new(bytes * count),
            _ => None,
        }
    }
}

/// Divides `all` workgroups into as few rows as possible, all of the same length: the first two dimensions of a
/// dispatch on an adapter that takes `per_dimension` in each.
pub(crate) fn workgroups(all: u32, per_dimension: u32) -> [u32; 2] {
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

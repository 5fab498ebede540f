//! Bindings of a kernel, declared once for its text and for its layout.

use std::fmt::Write;

/// How a kernel reaches a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// A few words that all threads read alike.
    Uniform,
    /// Read alone, a list of items of so many bytes: each dispatch says where its own begins.
    Moving(u64),
    /// Read alone.
    Read,
    /// Read and written.
    Write,
}

/// A buffer that a kernel is bound to. Its number is its place in the list of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    /// Its contents.
    pub about: &'static str,
    /// Its name in WGSL.
    pub name: &'static str,
    /// Its type in WGSL.
    pub kind: &'static str,
    /// How it is reached.
    pub access: Access,
}

/// The declarations for a kernel.
pub(crate) fn declare(bindings: &[Binding]) -> String {
    let mut text = String::new();
    for (number, Binding { about, name, kind, access }) in bindings.iter().enumerate() {
        let space = match access {
            Access::Uniform => "uniform",
            Access::Read | Access::Moving(_) => "storage, read",
            Access::Write => "storage, read_write",
        };
        let _ = writeln!(text, "// {about}");
        let _ = writeln!(text, "@group(0) @binding({number}) var<{space}> {name}: {kind};");
    }
    text
}

/// The layout for a pipeline.
pub(crate) fn layout(
    device: &wgpu::Device,
    label: &str,
    bindings: &[Binding],
) -> wgpu::BindGroupLayout {
    use wgpu::BufferBindingType::{Storage, Uniform};
    let entry = |(number, binding): (usize, &Binding)| wgpu::BindGroupLayoutEntry {
        binding: number as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match binding.access {
                Access::Uniform => Uniform,
                access => Storage { read_only: access != Access::Write },
            },
            has_dynamic_offset: matches!(binding.access, Access::Moving(_)),
            min_binding_size: match binding.access {
                Access::Moving(bytes) => wgpu::BufferSize::new(bytes),
                _ => None,
            },
        },
        count: None,
    };
    let entries: Vec<_> = bindings.iter().enumerate().map(entry).collect();
    let label = Some(label);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries })
}

/// Ties buffers to the bindings of a layout, in their order; `window` items of one that moves are
/// bound at a time.
pub(crate) fn bind_group(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    bindings: &[Binding],
    buffers: &[&wgpu::Buffer],
    window: u64,
) -> wgpu::BindGroup {
    let mut entries = Vec::with_capacity(bindings.len());
    for (number, (binding, buffer)) in (0..).zip(bindings.iter().zip(buffers)) {
        let size = match binding.access {
            Access::Moving(bytes) => wgpu::BufferSize::new(bytes * window),
            _ => None,
        };
        let resource = wgpu::BufferBinding { buffer, offset: 0, size };
        let resource = wgpu::BindingResource::Buffer(resource);
        entries.push(wgpu::BindGroupEntry { binding: number, resource });
    }
    let label = Some(label);
    device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries: &entries })
}

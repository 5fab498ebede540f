//! A kernel run once, from words to words.

use evodoku::gpu_engine::Device;
use libtest_mimic::Failed;

/// What a kernel with the bindings `input` and `output` writes, of which each thread writes four
/// words.
pub fn run_kernel(
    device: &Device,
    source: &str,
    input: &[u32],
    words: usize,
) -> Result<Vec<u32>, Failed> {
    use wgpu::BufferUsages as Use;
    let (gpu, queue) = (device.handle(), device.queue());
    let buffer = |size: usize, usage| {
        let size = size as u64 * 4;
        let mapped_at_creation = false;
        gpu.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation })
    };
    let read = buffer(input.len(), Use::STORAGE | Use::COPY_DST);
    let written = buffer(words, Use::STORAGE | Use::COPY_SRC);
    let back = buffer(words, Use::MAP_READ | Use::COPY_DST);
    let pipeline = device.guarded(|gpu| {
        let module = gpu.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        gpu.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        })
    })?;
    let entry = |(binding, buffer)| wgpu::BindGroupEntry {
        binding,
        resource: wgpu::Buffer::as_entire_binding(buffer),
    };
    let bindings = gpu.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[(0, &read), (1, &written)].map(entry),
    });
    queue.write_buffer(&read, 0, bytemuck::cast_slice(input));
    let mut encoder = gpu.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &bindings, &[]);
    pass.dispatch_workgroups(words as u32 / 4, 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&written, 0, &back, 0, back.size());
    let submission = queue.submit([encoder.finish()]);
    back.slice(..).map_async(wgpu::MapMode::Read, |_| ());
    device.finish(submission)?;
    let view = back.slice(..).get_mapped_range()?;
    Ok(bytemuck::pod_collect_to_vec(&view))
}

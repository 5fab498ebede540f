//! The memory of one island: its population twice, and what is told of it.

use wgpu::BufferUsages as Use;

use super::kernels::Kernels;
use super::task::TASK_BYTES;
use crate::score::EvaluatorError;

/// Bytes of a fitness on the device, which knows no smaller number.
const FITNESS_BYTES: u64 = 4;

/// Buffers that all islands share.
#[derive(Debug)]
pub(super) struct Shared {
    /// One task after the other, [`TASK_STRIDE`](super::task::TASK_STRIDE) apart.
    pub tasks: wgpu::Buffer,
    pub tables: wgpu::Buffer,
    /// Ones, for fitness that is not written yet.
    pub unwritten: wgpu::Buffer,
    /// Individuals on their way from island to island.
    travellers: wgpu::Buffer,
}

/// One island.
#[derive(Debug)]
pub(super) struct Island {
    pub population: u32,
    pub block: wgpu::Buffer,
    fitness: [wgpu::Buffer; 2],
    bindings: [wgpu::BindGroup; 2],
    /// Which of the two populations is bred from.
    old: usize,
}

impl Shared {
    /// Makes them, for up to `tasks` bytes of tasks.
    pub(super) fn new(
        kernels: &Kernels,
        tasks: u64,
        tables: &[u32],
        most_population: u32,
        traveller_bytes: u64,
    ) -> Result<Self, EvaluatorError> {
        let table_bytes: &[u8] = bytemuck::cast_slice(tables);
        let ones = vec![u8::MAX; most_population as usize * FITNESS_BYTES as usize];
        let made = kernels.device().guarded(|device| {
            let filled = |label, size: usize, usage| {
                buffer(device, label, size as u64, usage | Use::COPY_DST)
            };
            Self {
                tasks: buffer(device, "tasks", tasks, Use::UNIFORM | Use::COPY_DST),
                tables: filled("tables", table_bytes.len(), Use::STORAGE),
                unwritten: filled("unwritten fitness", ones.len(), Use::COPY_SRC),
                travellers: buffer(device, "travellers", traveller_bytes, Use::STORAGE),
            }
        })?;
        let queue = kernels.device().queue();
        queue.write_buffer(&made.tables, 0, table_bytes);
        queue.write_buffer(&made.unwritten, 0, &ones);
        kernels.device().check()?;
        Ok(made)
    }
}

impl Island {
    /// Makes the buffers of `population` individuals, and ties them to the kernels' bindings.
    pub(super) fn new(
        kernels: &Kernels,
        shared: &Shared,
        population: u32,
        stride: usize,
        block_bytes: u64,
        plan_bytes: u64,
    ) -> Result<Self, EvaluatorError> {
        let board_bytes = u64::from(population) * stride as u64;
        let fitness_bytes = u64::from(population) * FITNESS_BYTES;
        kernels.device().guarded(|device| {
            let boards = [0, 1].map(|_| buffer(device, "boards", board_bytes, Use::STORAGE));
            let fitness_usage = Use::STORAGE | Use::COPY_DST;
            let fitness = [0, 1].map(|_| buffer(device, "fitness", fitness_bytes, fitness_usage));
            let block_usage = Use::STORAGE | Use::COPY_DST | Use::COPY_SRC;
            let block = buffer(device, "block", block_bytes, block_usage);
            let plan = buffer(device, "plan", plan_bytes, Use::STORAGE | Use::COPY_DST);
            let bindings = [0, 1].map(|old| {
                let new = 1 - old;
                let storage = [
                    (1, &shared.tables),
                    (2, &boards[old]),
                    (3, &fitness[old]),
                    (4, &boards[new]),
                    (5, &fitness[new]),
                    (6, &block),
                    (7, &plan),
                    (8, &shared.travellers),
                ];
                let task = wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: &shared.tasks,
                        offset: 0,
                        size: wgpu::BufferSize::new(TASK_BYTES),
                    }),
                };
                let entries = storage.map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding,
                    resource: buffer.as_entire_binding(),
                });
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("island"),
                    layout: kernels.layout(),
                    entries: &[vec![task], entries.to_vec()].concat(),
                })
            });
            Self { population, block, fitness, bindings, old: 0 }
        })
    }

    /// The bindings of the generation that is being bred.
    pub(super) fn bindings(&self) -> &wgpu::BindGroup {
        &self.bindings[self.old]
    }

    /// Prepares the next generation: its fitness is not written yet, its block is zero.
    pub(super) fn clear(&self, encoder: &mut wgpu::CommandEncoder, shared: &Shared) {
        let fitness = &self.fitness[1 - self.old];
        encoder.copy_buffer_to_buffer(&shared.unwritten, 0, fitness, 0, fitness.size());
        encoder.clear_buffer(&self.block, 0, None);
    }

    /// Makes the generation that was bred the one that is bred from.
    pub(super) fn swap(&mut self) {
        self.old = 1 - self.old;
    }
}

pub(super) fn buffer(device: &wgpu::Device, label: &str, size: u64, usage: Use) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

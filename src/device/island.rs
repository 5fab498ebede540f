//! The memory of one island: its population twice, and what is told of it.

use wgpu::BufferUsages as Use;

use super::kernels::Kernels;
use super::task::BINDINGS;
use crate::gpu::{DeviceError, bind_group, buffer};

/// Bytes of a fitness on the device, which knows no smaller number.
pub(super) const FITNESS_BYTES: u64 = 4;

/// Buffers that all islands share.
#[derive(Debug)]
pub(super) struct SharedBuffers {
    /// One task after the other.
    pub tasks: wgpu::Buffer,
    pub tables: wgpu::Buffer,
    /// Ones, for fitness that is not written yet.
    pub unwritten: wgpu::Buffer,
    /// Individuals on their way from island to island.
    pub travellers: wgpu::Buffer,
}

/// One island.
#[derive(Debug)]
pub(super) struct IslandBuffers {
    pub population: u32,
    pub block: wgpu::Buffer,
    populations: [wgpu::Buffer; 2],
    bindings: [wgpu::BindGroup; 2],
    /// Which of the two populations is bred from.
    old: usize,
}

impl SharedBuffers {
    /// Makes them, for up to `tasks` bytes of tasks.
    pub(super) fn new(
        kernels: &Kernels,
        tasks: u64,
        tables: &[u32],
        most_population: u32,
        traveller_bytes: u64,
    ) -> Result<Self, DeviceError> {
        let table_bytes: &[u8] = bytemuck::cast_slice(tables);
        let ones = vec![u8::MAX; most_population as usize * FITNESS_BYTES as usize];
        let made = kernels.device().guarded(|device| {
            let filled = |label, size, usage| buffer(device, label, size, usage | Use::COPY_DST);
            Self {
                tasks: buffer(device, "tasks", tasks, Use::STORAGE | Use::COPY_DST),
                tables: filled("tables", table_bytes.len() as u64, Use::STORAGE),
                unwritten: filled("unwritten fitness", ones.len() as u64, Use::COPY_SRC),
                travellers: filled("travellers", traveller_bytes, Use::STORAGE | Use::COPY_SRC),
            }
        })?;
        let queue = kernels.device().queue();
        queue.write_buffer(&made.tables, 0, table_bytes);
        queue.write_buffer(&made.unwritten, 0, &ones);
        kernels.device().check()?;
        Ok(made)
    }
}

impl IslandBuffers {
    /// Makes the buffers of `population` individuals, and ties them to the kernels' bindings.
    pub(super) fn new(
        kernels: &Kernels,
        shared: &SharedBuffers,
        population: u32,
        stride: usize,
        block_bytes: u64,
        plan_bytes: u64,
    ) -> Result<Self, DeviceError> {
        let board_bytes = u64::from(population) * stride as u64;
        let population_bytes = board_bytes + u64::from(population) * FITNESS_BYTES;
        kernels.device().guarded(|device| {
            let usage = Use::STORAGE | Use::COPY_DST | Use::COPY_SRC;
            let populations = [0, 1].map(|_| buffer(device, "population", population_bytes, usage));
            let block = buffer(device, "block", block_bytes, usage);
            let plan = buffer(device, "plan", plan_bytes, Use::STORAGE | Use::COPY_DST);
            let bindings = [0, 1].map(|old| {
                let buffers = [
                    &shared.tasks,
                    &shared.tables,
                    &populations[old],
                    &populations[1 - old],
                    &block,
                    &plan,
                    &shared.travellers,
                ];
                bind_group(device, "island", kernels.layout(), &BINDINGS, &buffers, 1)
            });
            Self { population, block, populations, bindings, old: 0 }
        })
    }

    /// The bindings of the generation that is being bred.
    pub(super) fn bindings(&self) -> &wgpu::BindGroup {
        &self.bindings[self.old]
    }

    /// What the next generation is bred from: boards, then their fitness.
    pub(super) fn individuals(&self) -> &wgpu::Buffer {
        &self.populations[self.old]
    }

    /// Prepares the next generation: its fitness is not written yet, its block is zero.
    pub(super) fn clear(&self, encoder: &mut wgpu::CommandEncoder, shared: &SharedBuffers) {
        let next = &self.populations[1 - self.old];
        let bytes = u64::from(self.population) * FITNESS_BYTES;
        let fitness = next.size() - bytes;
        encoder.copy_buffer_to_buffer(&shared.unwritten, 0, next, fitness, bytes);
        encoder.clear_buffer(&self.block, 0, None);
    }

    /// Makes the generation that was bred the one that is bred from.
    pub(super) fn swap(&mut self) {
        self.old = 1 - self.old;
    }
}

//! The memory of an ensemble: one buffer of each kind, with a region for every seat.

use wgpu::BufferUsages as Use;

use super::super::island::FITNESS_BYTES;
use super::super::kernels::Kernels;
use super::super::task::{BINDINGS, TASK_STRIDE};
use super::PARTS;
use super::room::Room;
use crate::gpu::{DeviceError, bind_group, buffer};

/// All memory, a region a seat.
#[derive(Debug)]
pub(super) struct Buffers {
    pub tasks: wgpu::Buffer,
    pub tables: wgpu::Buffer,
    pub populations: [wgpu::Buffer; 2],
    pub block: wgpu::Buffer,
    /// Ones, for fitness that is not written yet.
    pub unwritten: wgpu::Buffer,
    pub readback: wgpu::Buffer,
    pub bindings: [wgpu::BindGroup; 2],
}

impl Buffers {
    /// Makes them for so many seats of a room each.
    ///
    /// # Errors
    /// What the driver says, as of lack of memory.
    pub(super) fn new(
        kernels: &Kernels,
        room: &Room,
        population: u32,
        seats: usize,
    ) -> Result<Self, DeviceError> {
        let count = seats as u64;
        let fitness_bytes = count * u64::from(population) * FITNESS_BYTES;
        let made = kernels.device().guarded(|device| {
            let words = |label, words: u64, usage| {
                buffer(device, label, count * 4 * words, Use::STORAGE | usage)
            };
            let task_bytes = (2 * count + PARTS as u64) * TASK_STRIDE;
            let tasks = buffer(device, "tasks", task_bytes, Use::STORAGE | Use::COPY_DST);
            let tables = words("tables", room.tables, Use::COPY_DST);
            let copied = Use::COPY_DST | Use::COPY_SRC;
            let populations = [0, 1].map(|_| words("populations", room.population, copied));
            let block = words("blocks", room.block, copied);
            let plan = words("plans", room.plan, Use::COPY_DST);
            let travellers = words("travellers", 1, Use::COPY_DST);
            let bindings = [0, 1].map(|old| {
                let (old, new) = (&populations[old], &populations[1 - old]);
                let buffers = [&tasks, &tables, old, new, &block, &plan, &travellers];
                bind_group(device, "ensemble", kernels.layout(), &BINDINGS, &buffers, count)
            });
            let unwritten =
                buffer(device, "unwritten fitness", fitness_bytes, Use::COPY_SRC | Use::COPY_DST);
            let readable = Use::MAP_READ | Use::COPY_DST;
            let readback = buffer(device, "readback", count * 4 * room.block, readable);
            Self { tasks, tables, populations, block, unwritten, readback, bindings }
        })?;
        let ones = vec![u8::MAX; fitness_bytes as usize];
        kernels.device().queue().write_buffer(&made.unwritten, 0, &ones);
        kernels.device().check()?;
        Ok(made)
    }
}

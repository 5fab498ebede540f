//! The state of a run, read from the memory of a device and written to it.

use std::iter;
use std::ops::Range;

use wgpu::{BufferUsages, MapMode};

use super::engine::DeviceEngine;
use crate::ga::{IslandSnapshot, PopulationSnapshot, RunError};
use crate::gpu::{Device, DeviceError, UploadRing, Watch, buffer, mapping};

/// Bytes that are read at a time.
const PART: u64 = 16 << 20;

impl DeviceEngine<'_> {
    /// What the next generation is bred from.
    pub(super) fn read_state(&self) -> Result<PopulationSnapshot, DeviceError> {
        let mut islands = Vec::with_capacity(self.islands.len());
        self.read_islands(&mut |boards, fitness| {
            islands.push(IslandSnapshot { boards: boards.to_vec(), fitness: fitness.to_vec() });
        })?;
        Ok(PopulationSnapshot { islands })
    }

    /// The same, of which no more than an island is in memory at a time.
    pub(super) fn read_islands(
        &self,
        take: &mut dyn FnMut(&[u8], &[u16]),
    ) -> Result<(), DeviceError> {
        for island in &self.islands {
            let from = island.individuals();
            let words = read(&self.device, from, 0..from.size())?;
            let (boards, fitness) =
                words.split_at(island.population as usize * self.block.board_words());
            let fitness: Vec<u16> = fitness.iter().map(|fitness| *fitness as u16).collect();
            take(bytemuck::cast_slice(boards), &fitness);
        }
        Ok(())
    }

    /// Takes in who comes from elsewhere.
    pub(super) fn receive(&self, come: IslandSnapshot) -> Result<(), RunError> {
        let state = PopulationSnapshot { islands: vec![come] };
        state.check(self.geometry, &self.fixed, iter::once(self.migrants as usize))?;
        let words: Vec<u32> = state.islands.iter().flat_map(|come| self.travellers(come)).collect();
        let berths = self.islands.len() as u64;
        let at = berths * 4 * words.len() as u64;
        let queue = self.device.queue();
        queue.write_buffer(&self.shared.travellers, at, bytemuck::cast_slice(&words));
        Ok(self.device.check()?)
    }

    /// Individuals as kernels have them on their way: the fitness of each, then its board.
    fn travellers(&self, state: &IslandSnapshot) -> Vec<u32> {
        let boards = state.boards.chunks_exact(self.geometry.stride());
        let individuals = state.fitness.iter().zip(boards);
        let words = individuals.flat_map(|(fitness, board)| {
            let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            iter::once(u32::from(*fitness)).chain(board.chunks_exact(4).map(word))
        });
        words.collect()
    }

    /// The same the other way round.
    pub(super) fn individuals(&self, words: &[u32]) -> IslandSnapshot {
        let (mut boards, mut fitness) = (Vec::new(), Vec::new());
        for individual in words.chunks_exact(1 + self.block.board_words()) {
            fitness.push(individual[0] as u16);
            boards.extend_from_slice(bytemuck::cast_slice(&individual[1..]));
        }
        IslandSnapshot { boards, fitness }
    }

    /// Makes a state what the next generation is bred from.
    pub(super) fn write_state(&self, state: &PopulationSnapshot) -> Result<(), DeviceError> {
        let mut ring = UploadRing::new(&self.device)?;
        for (island, state) in self.islands.iter().zip(&state.islands) {
            let words: Vec<u32> = state.fitness.iter().map(|fitness| (*fitness).into()).collect();
            let bytes = [&state.boards, bytemuck::cast_slice(&words)].concat();
            ring.upload(&bytes, island.individuals())?;
        }
        Ok(())
    }
}

/// The words of these bytes of a buffer, once the device is done with it.
///
/// # Errors
/// What the driver says.
pub(super) fn read(
    device: &Device,
    from: &wgpu::Buffer,
    bytes: Range<u64>,
) -> Result<Vec<u32>, DeviceError> {
    let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
    let all = bytes.end.saturating_sub(bytes.start);
    let part = PART.min(all);
    let to = device.guarded(|device| buffer(device, "state", part, usage))?;
    let mut words = Vec::with_capacity((all / 4) as usize);
    for at in bytes.clone().step_by(PART as usize) {
        let bytes = part.min(bytes.end - at);
        let label = wgpu::CommandEncoderDescriptor { label: Some("state") };
        let mut encoder = device.handle().create_command_encoder(&label);
        encoder.copy_buffer_to_buffer(from, at, &to, 0, bytes);
        let index = device.queue().submit([encoder.finish()]);
        let watch = Watch::default();
        watch.map(&to, MapMode::Read, bytes);
        device.wait(&index, &watch)?;
        let view = to.slice(..bytes).get_mapped_range().map_err(mapping)?;
        words.extend_from_slice(bytemuck::cast_slice(&view));
        drop(view);
        to.unmap();
    }
    Ok(words)
}

//! The state of a run, read from the memory of a device and written to it.

use wgpu::{BufferUsages, MapMode};

use super::engine::DeviceEngine;
use crate::evolve::{IslandState, State};
use crate::gpu::{DeviceError, UploadRing, Watch, buffer, mapping};

/// Bytes that are read at a time.
const PART: u64 = 16 << 20;

impl DeviceEngine {
    /// What the next generation is bred from.
    pub(super) fn read_state(&self) -> Result<State, DeviceError> {
        let islands = self.islands.iter().map(|island| {
            let words = self.read(island.individuals())?;
            let (boards, fitness) =
                words.split_at(island.population as usize * self.block.board_words());
            let fitness = fitness.iter().map(|fitness| *fitness as u16).collect();
            Ok(IslandState { boards: bytemuck::cast_slice(boards).to_vec(), fitness })
        });
        Ok(State { islands: islands.collect::<Result<_, DeviceError>>()? })
    }

    /// Makes a state what the next generation is bred from.
    pub(super) fn write_state(&self, state: &State) -> Result<(), DeviceError> {
        let mut ring = UploadRing::new(&self.device)?;
        for (island, state) in self.islands.iter().zip(&state.islands) {
            let words: Vec<u32> = state.fitness.iter().map(|fitness| (*fitness).into()).collect();
            let bytes = [&state.boards, bytemuck::cast_slice(&words)].concat();
            ring.upload(&bytes, island.individuals())?;
        }
        Ok(())
    }

    /// The words of a buffer, once the device is done with it.
    fn read(&self, from: &wgpu::Buffer) -> Result<Vec<u32>, DeviceError> {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let part = PART.min(from.size());
        let to = self.device.guarded(|device| buffer(device, "state", part, usage))?;
        let mut words = Vec::with_capacity((from.size() / 4) as usize);
        for at in (0..from.size()).step_by(PART as usize) {
            let bytes = part.min(from.size() - at);
            let label = wgpu::CommandEncoderDescriptor { label: Some("state") };
            let mut encoder = self.device.handle().create_command_encoder(&label);
            encoder.copy_buffer_to_buffer(from, at, &to, 0, bytes);
            let index = self.device.queue().submit([encoder.finish()]);
            let watch = Watch::default();
            watch.map(&to, MapMode::Read, bytes);
            self.device.wait(&index, &watch)?;
            let view = to.slice(..bytes).get_mapped_range().map_err(mapping)?;
            words.extend_from_slice(bytemuck::cast_slice(&view));
            drop(view);
            to.unmap();
        }
        Ok(words)
    }
}

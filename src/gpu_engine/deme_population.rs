//! The populations of demes in the memory of a device, read and written by the host.

use std::ops::Range;

use super::deme_engine::DemeEngine;
use super::layout::RunLayout;
use crate::ga::IslandSnapshot;
use crate::gpu::{Device, DeviceError, Readback, encoder};

/// Bytes that are read at a time.
const READ_BYTES: u64 = 16 << 20;

impl DemeEngine {
    /// The bytes of the boards and of the fitness of a region, in the populations of its set.
    fn individuals(&self, region: usize) -> [Range<u64>; 2] {
        let RunLayout { individuals, board, .. } = self.layout;
        let owner = self.owners[region].as_ref();
        let population = u64::from(owner.map_or(0, |owner| owner.population));
        let (in_set, at) = (self.in_set as u64, (region % self.in_set) as u64);
        let individuals = u64::from(individuals);
        let fitness = individuals * (in_set * board + at);
        let boards = individuals * at * board;
        [boards..boards + population * board, fitness..fitness + population]
            .map(|words| 4 * words.start..4 * words.end)
    }

    /// The buffer of the population that the next generation of a region is bred from.
    fn population(&self, region: usize) -> &wgpu::Buffer {
        &self.buffers.sets[region / self.in_set].populations[self.old]
    }

    /// Passes the population of a region to `take`: packed boards, and the fitness of each.
    ///
    /// # Errors
    /// An error of the driver.
    pub(super) fn for_each_island(
        &self,
        region: usize,
        take: &mut dyn FnMut(&[u8], &[u16]),
    ) -> Result<(), DeviceError> {
        let [boards, fitness] = self.individuals(region);
        let from = self.population(region);
        let boards = read(&self.device, from, boards)?;
        let fitness = read(&self.device, from, fitness)?;
        let fitness: Vec<u16> = fitness.iter().map(|fitness| *fitness as u16).collect();
        take(bytemuck::cast_slice(&boards), &fitness);
        Ok(())
    }

    /// Replaces the population that the next generation of a region is bred from.
    ///
    /// # Errors
    /// An error of the driver.
    pub(super) fn write(&self, region: usize, state: &IslandSnapshot) -> Result<(), DeviceError> {
        let words: Vec<u32> = state.fitness.iter().map(|fitness| (*fitness).into()).collect();
        let parts = [&*state.boards, bytemuck::cast_slice(&words)];
        let to = self.population(region);
        for (at, bytes) in self.individuals(region).into_iter().zip(parts) {
            self.device.queue().write_buffer(to, at.start, bytes);
        }
        // The driver keeps a copy until it has written the region: one copy at a time.
        self.device.finish(self.device.queue().submit([]))
    }

    /// Submits copies of the fitness of all individuals, a readback a region.
    ///
    /// # Errors
    /// An error of the driver.
    pub(super) fn request_fitness(&self) -> Result<Vec<Readback>, DeviceError> {
        let request = |region: usize| {
            let [_, fitness] = self.individuals(region);
            let bytes = fitness.end - fitness.start;
            let mut readback = self.device.guarded(|device| Readback::new(device, bytes))?;
            let mut encoder = encoder(&self.device, "fitness");
            let from = self.population(region);
            encoder.copy_buffer_to_buffer(from, fitness.start, &readback.buffer, 0, bytes);
            readback.submit(&self.device, encoder, bytes);
            Ok(readback)
        };
        (0..self.owners.len()).map(request).collect()
    }
}

/// Reads a range of bytes of a buffer, as words.
///
/// # Errors
/// An error of the driver.
fn read(device: &Device, from: &wgpu::Buffer, bytes: Range<u64>) -> Result<Vec<u32>, DeviceError> {
    let all = bytes.end.saturating_sub(bytes.start);
    let part = READ_BYTES.min(all);
    let mut readback = device.guarded(|device| Readback::new(device, part))?;
    let mut words = Vec::with_capacity((all / 4) as usize);
    for at in bytes.clone().step_by(READ_BYTES as usize) {
        let bytes = part.min(bytes.end - at);
        let mut encoder = encoder(device, "state");
        encoder.copy_buffer_to_buffer(from, at, &readback.buffer, 0, bytes);
        readback.submit(device, encoder, bytes);
        readback.read(device, |bytes| words.extend_from_slice(bytemuck::cast_slice(bytes)))?;
    }
    Ok(words)
}

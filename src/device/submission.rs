//! Submissions: what is handed to the device at once, and what comes back.
//!
//! A submission holds as many slots as the [`SlotPace`](super::pace::SlotPace) allows: a part of a
//! generation, or several generations whose blocks come back together. Which generations may
//! follow each other without a word from the host is known beforehand; what comes after a solution
//! is not looked at. What is recorded the [`Cursor`](super::cursor::Cursor) says.

use std::time::{Duration, Instant};

use wgpu::MapMode;

use super::cursor::{Assignment, Order, Workload};
use super::engine::DeviceEngine;
use super::task::{Record, TaskWords};
use crate::ga::diversity::REGISTERS;
use crate::ga::{GenerationKind, GenerationRequest, GenerationStats, IslandSnapshot, RunError};
use crate::gpu::{DeviceError, mapping};
use crate::random::GenerationRng;

/// What was submitted.
pub(super) struct Submitted {
    index: wgpu::SubmissionIndex,
    start: Instant,
    work: Workload,
}

/// New boards cost something else than children.
fn pace_of(source: GenerationKind) -> usize {
    usize::from(source == GenerationKind::Parents)
}

impl DeviceEngine<'_> {
    /// Records and submits as many slots as the pace allows, from where the run stands.
    pub(super) fn submit(
        &mut self,
        wanted: &GenerationRequest<'_>,
    ) -> Result<Submitted, DeviceError> {
        let start = Instant::now();
        let slots = self.paces[pace_of(self.cursor.source())].slots();
        let wants_distinct = |generation| wanted.wants_distinct(generation);
        let work = self.cursor.workload(slots, wanted.generations, wants_distinct);
        let label = wgpu::CommandEncoderDescriptor { label: Some("generations") };
        let mut encoder = self.device.handle().create_command_encoder(&label);
        let mut told = 0;
        for order in &work.orders {
            self.record(order, &work.tasks, &mut encoder, &mut told)?;
        }
        let queue = self.device.queue();
        let records: Vec<Record> = work.tasks.iter().map(|task| self.task(task)).collect();
        queue.write_buffer(&self.shared.tasks, 0, bytemuck::cast_slice(&records));
        let index = queue.submit([encoder.finish()]);
        // Something is always mapped: that it can be says that the work is done.
        self.readable.map(&self.readback, MapMode::Read, told.max(wgpu::MAP_ALIGNMENT));
        self.device.check()?;
        Ok(Submitted { index, start, work })
    }

    /// Records an order; `told` are the bytes of blocks that come back so far.
    fn record(
        &mut self,
        order: &Order,
        tasks: &[Assignment],
        encoder: &mut wgpu::CommandEncoder,
        told: &mut u64,
    ) -> Result<(), DeviceError> {
        match *order {
            Order::Clear => {
                self.islands.iter().for_each(|island| island.clear(encoder, &self.shared));
            }
            Order::Dispatch { kernel, task, count } => {
                let kernel = self.kernels.get(kernel)?;
                let bindings = self.islands[tasks[task].island].bindings();
                kernel.dispatch(encoder, bindings, task, 1, count);
            }
            Order::Tell { island, has_registers } => {
                let bytes = self.block.bytes(has_registers);
                let block = &self.islands[island].block;
                encoder.copy_buffer_to_buffer(block, 0, &self.readback, *told, bytes);
                *told += bytes;
            }
            Order::Leave => {
                let bytes = self.berth_bytes();
                let at = (self.islands.len() as u64 - 1) * bytes;
                let travellers = &self.shared.travellers;
                encoder.copy_buffer_to_buffer(travellers, at, &self.readback, *told, bytes);
                *told += bytes;
            }
            Order::Swap => self.islands.iter_mut().for_each(|island| island.swap()),
        }
        Ok(())
    }

    fn task(&self, task: &Assignment) -> Record {
        let island = (self.first + task.island) as u32;
        // Who comes from elsewhere stands behind those who leave the islands here.
        let last = self.islands.len() - usize::from(self.channel.is_none());
        let population = self.islands[task.island].population;
        let mut record = Record::of(TaskWords {
            key: [self.seed as u32, (self.seed >> 32) as u32],
            generation: task.generation,
            island,
            population,
            fitness: population * self.block.board_words() as u32,
            first: task.slots.start,
            count: task.slots.len() as u32,
            migrants: self.migrants,
            origin: task.island.checked_sub(1).unwrap_or(last) as u32,
            berth: task.island as u32,
            ..TaskWords::default()
        });
        if task.has_parents {
            let seed = GenerationRng::new(self.seed, task.generation).on_island(island);
            record.draw_plan(&self.config, &seed);
        }
        record
    }

    /// Bytes of those who leave an island.
    fn berth_bytes(&self) -> u64 {
        u64::from(self.migrants) * 4 * (1 + self.block.board_words() as u64)
    }

    /// Waits for a submission, and adds what it tells to the summaries; gives who leaves for
    /// elsewhere.
    pub(super) fn collect(
        &mut self,
        submitted: &Submitted,
    ) -> Result<Option<IslandSnapshot>, RunError> {
        self.device.wait(&submitted.index, &self.readable)?;
        let (elapsed, work) = (submitted.start.elapsed(), &submitted.work);
        let slots =
            work.completed.iter().map(|generation| generation.spent).sum::<u32>() + work.rest;
        if slots > 0 {
            self.paces[pace_of(work.source)].note(slots, elapsed);
        }
        let share = |part: u32| elapsed.mul_f64(f64::from(part) / f64::from(slots.max(1)));

        let islands = self.islands.len() as u64;
        let bytes = |has_registers| islands * self.block.bytes(has_registers);
        let told: u64 = work.completed.iter().map(|told| bytes(told.has_registers)).sum();
        let told = told + if work.leaves { self.berth_bytes() } else { 0 };
        let view = self.readback.slice(..told.max(wgpu::MAP_ALIGNMENT)).get_mapped_range();
        let view = view.map_err(mapping)?;
        let mut words: &[u32] = bytemuck::cast_slice(&view);
        for told in &work.completed {
            let mut summary =
                GenerationStats { evaluations: told.evaluations, ..GenerationStats::default() };
            let mut registers = vec![0; REGISTERS];
            for island in &self.islands {
                let len = self.block.bytes(told.has_registers) as usize / size_of::<u32>();
                let (block, others) = words.split_at(len);
                words = others;
                self.block.add(block, island.population, &mut summary)?;
                if told.has_registers {
                    self.block.merge_registers(block, &mut registers);
                }
            }
            summary.registers = told.has_registers.then_some(registers);
            summary.times.score.kernel =
                std::mem::replace(&mut self.spent, Duration::ZERO) + share(told.spent);
            self.summaries.push(summary);
        }
        self.spent += share(work.rest);
        let berth = self.berth_bytes() as usize / size_of::<u32>();
        let leave = work.leaves.then(|| self.individuals(&words[..berth]));
        drop(view);
        self.readback.unmap();
        Ok(leave)
    }
}

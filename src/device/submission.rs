//! Submissions: what is handed to the device at once, and what comes back.
//!
//! A submission holds as many slots as the [`Pace`](super::pace::Pace) allows: a part of a
//! generation, or several generations whose blocks come back together. Which generations may
//! follow each other without a word from the host is known beforehand; what comes after a solution
//! is not looked at.

use std::time::{Duration, Instant};

use wgpu::MapMode;

use super::engine::{DeviceEngine, ISLAND_TASKS};
use super::keep;
use super::kernels::Kernel;
use super::statistics::distinct;
use super::task::{TASK_STRIDE, Task};
use crate::evolve::diversity::REGISTERS;
use crate::evolve::{Source, Summary, Wanted};
use crate::random::Seed;
use crate::score::EvaluatorError;

/// What was submitted.
pub(super) struct Submitted {
    index: wgpu::SubmissionIndex,
    start: Instant,
    source: Source,
    /// Generations that it completes, in order.
    told: Vec<Told>,
    /// Slots that it fills of the generation after those.
    rest: u32,
}

/// A generation whose blocks come back.
struct Told {
    /// Whether the registers come along.
    registers: bool,
    /// Slots that were filled.
    slots: u32,
}

/// New boards cost something else than children.
fn pace_of(source: Source) -> usize {
    usize::from(source == Source::Parents)
}

impl DeviceEngine {
    /// Records and submits as many slots as the pace allows, from where the engine stands;
    /// `generation` and `source` move on with it.
    pub(super) fn submit(
        &mut self,
        wanted: &Wanted<'_>,
        generation: &mut u32,
        source: &mut Source,
    ) -> Result<Submitted, EvaluatorError> {
        let start = Instant::now();
        let bred = *source;
        let mut left = self.paces[pace_of(bred)].slots();
        let mut told: Vec<Told> = Vec::new();
        let (mut offset, mut rest) = (0, 0);
        let label = wgpu::CommandEncoderDescriptor { label: Some("generations") };
        let mut encoder = self.device.handle().create_command_encoder(&label);
        self.tasks.clear();
        while left > 0 && self.has_room(told.len()) {
            if (self.island, self.slot, self.round) == (0, 0, 0) {
                // A generation is cut only if it is too long for a submission.
                if !told.is_empty() && left < self.config.population {
                    break;
                }
                for island in &self.islands {
                    island.clear(&mut encoder, &self.shared);
                }
            }
            let cost = self.breed(&mut encoder, *generation, bred, left);
            (left, rest) = (left.saturating_sub(cost), rest + cost);
            if self.island < self.islands.len() {
                continue;
            }
            if self.migration.is_due(*generation, bred) {
                self.migrate(&mut encoder, *generation);
            }
            let registers = wanted.wants_distinct(*generation);
            for island in 0..self.islands.len() {
                offset += self.tell(&mut encoder, island, registers, offset);
                self.islands[island].swap();
            }
            told.push(Told { registers, slots: std::mem::take(&mut rest) });
            self.island = 0;
            *generation += 1;
            *source = Source::Parents;
            // New boards and children have paces of their own.
            if told.len() == wanted.generations as usize || bred != Source::Parents {
                break;
            }
        }
        let queue = self.device.queue();
        queue.write_buffer(&self.shared.tasks, 0, &self.tasks);
        let index = queue.submit([encoder.finish()]);
        // Something is always mapped: that it can be says that the work is done.
        self.readable.map(&self.readback, MapMode::Read, offset.max(wgpu::MAP_ALIGNMENT));
        self.device.check()?;
        Ok(Submitted { index, start, source: bred, told, rest })
    }

    /// Whether another generation fits the submission.
    fn has_room(&self, generations: usize) -> bool {
        let islands = self.islands.len();
        let tasks = self.tasks.len() / TASK_STRIDE as usize;
        tasks + ISLAND_TASKS * islands <= self.most_tasks
            && (generations + 1) * islands <= self.most_blocks
    }

    /// Goes on with the island that is next for about as long as `most` slots take, and moves on
    /// where it is complete; returns how many slots, or rounds of slots, that were.
    fn breed(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        generation: u32,
        source: Source,
        most: u32,
    ) -> u32 {
        let (at, first) = (self.island, self.slot);
        let population = self.islands[at].population;
        let bred = source == Source::Parents;
        let children = self.children(at, source);
        let search = self.search.filter(|_| bred);
        let longest = search.map_or(u32::MAX, |search| search.children);
        let begins = self.round == 0;
        if begins {
            self.batch = most.min(longest).min(children - first);
        }
        let count = self.batch;
        let mut task = self.task(generation, at);
        (task.first, task.count) = (first, count);
        if bred {
            let seed = Seed::new(self.seed, generation).on_island(at as u32);
            task.draw_plan(&self.config, &seed);
        }
        let place = self.note(&task);
        let mut cost = 0;
        if begins {
            if let (0, true, Some(steps)) = (first, bred, &self.kernels.plan) {
                let counts = [population, self.block.bins() as u32, 1, population];
                for (step, count) in steps.iter().zip(counts) {
                    self.dispatch(encoder, step, at, place, count);
                }
            }
            let kernel = if bred { &self.kernels.breed } else { &self.kernels.initialise };
            self.dispatch(encoder, kernel, at, place, count);
            cost += count;
        }
        if let (Some(search), Some([round, settle])) = (search, &self.kernels.search) {
            let affordable = (most.saturating_sub(cost) / count).max(1);
            let last = search.rounds.min(self.round.saturating_add(affordable));
            for _ in self.round..last {
                self.dispatch(encoder, round, at, place, count);
                cost += count;
            }
            self.round = last;
            if last < search.rounds {
                return cost;
            }
            self.dispatch(encoder, settle, at, place, count);
            self.round = 0;
        }
        self.slot += count;
        if self.slot == children {
            if let (true, Some(keep)) = (bred, self.kernels.keep.clone()) {
                (task.first, task.count) = (0, children);
                let place = self.note(&task);
                self.dispatch(encoder, &keep, at, place, children);
            }
            (self.island, self.slot) = (at + 1, 0);
        }
        cost
    }

    /// Slots of an island that are filled in a generation: by children, or by new boards.
    fn children(&self, island: usize, source: Source) -> u32 {
        let population = self.islands[island].population;
        match source {
            Source::Initialiser | Source::Restart => population,
            Source::Parents => keep::offspring(&self.config, population),
        }
    }

    /// Has individuals travel between the islands: all leave before any arrives.
    fn migrate(&mut self, encoder: &mut wgpu::CommandEncoder, generation: u32) {
        let (last, migrants) = (self.islands.len() - 1, self.migration.migrants);
        for arrive in [false, true] {
            for at in 0..=last {
                let origin = at.checked_sub(1).unwrap_or(last) as u32;
                let task = Task { migrants, origin, ..self.task(generation, at) };
                let place = self.note(&task);
                let kernel = if arrive { &self.kernels.immigrate } else { &self.kernels.emigrate };
                self.dispatch(encoder, kernel, at, place, migrants);
            }
        }
    }

    /// What a task of an island always says.
    fn task(&self, generation: u32, island: usize) -> Task {
        Task {
            key: [self.seed as u32, (self.seed >> 32) as u32],
            generation,
            island: island as u32,
            population: self.islands[island].population,
            ..Task::default()
        }
    }

    /// Notes a task, and returns where it lies.
    fn note(&mut self, task: &Task) -> u32 {
        let place = self.tasks.len();
        self.tasks.extend_from_slice(bytemuck::bytes_of(task));
        self.tasks.resize(place + TASK_STRIDE as usize, 0);
        place as u32
    }

    /// Runs a kernel over `count` slots of an island.
    fn dispatch(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        kernel: &Kernel,
        island: usize,
        task: u32,
        count: u32,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, self.islands[island].bindings(), &[task]);
        let [x, y] = kernel.workgroups(count);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Sums up the generation of an island, and has its block copied to `offset`; returns the
    /// bytes of that.
    fn tell(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        at: usize,
        registers: bool,
        offset: u64,
    ) -> u64 {
        let task = self.task(0, at);
        let place = self.note(&task);
        let population = task.population;
        self.dispatch(encoder, &self.kernels.statistics, at, place, population);
        self.dispatch(encoder, &self.kernels.best, at, place, 1);
        if registers {
            self.dispatch(encoder, &self.kernels.distinct, at, place, population);
        }
        let bytes = self.block.bytes(registers);
        let block = &self.islands[at].block;
        encoder.copy_buffer_to_buffer(block, 0, &self.readback, offset, bytes);
        bytes
    }

    /// Waits for a submission, and adds what it tells to the summaries.
    pub(super) fn collect(&mut self, submitted: &Submitted) -> Result<(), EvaluatorError> {
        self.device.wait(&submitted.index, &self.readable)?;
        let elapsed = submitted.start.elapsed();
        let slots: u32 = submitted.told.iter().map(|told| told.slots).sum::<u32>() + submitted.rest;
        self.paces[pace_of(submitted.source)].note(slots, elapsed);
        let share = |part: u32| elapsed.mul_f64(f64::from(part) / f64::from(slots.max(1)));

        let islands = self.islands.len() as u64;
        let bytes: u64 =
            submitted.told.iter().map(|told| islands * self.block.bytes(told.registers)).sum();
        let view = self.readback.slice(..bytes.max(wgpu::MAP_ALIGNMENT)).get_mapped_range();
        let view = view.map_err(|error| EvaluatorError::Driver(error.to_string()))?;
        let mut words: &[u32] = bytemuck::cast_slice(&view);
        for told in &submitted.told {
            let mut summary = Summary::default();
            let mut registers = [0; REGISTERS];
            for (at, island) in self.islands.iter().enumerate() {
                let children = self.children(at, submitted.source);
                let len = self.block.bytes(told.registers) as usize / size_of::<u32>();
                let (block, others) = words.split_at(len);
                words = others;
                self.block.add(block, island.population, &mut summary)?;
                summary.evaluations += u64::from(children);
                if told.registers {
                    self.block.merge_registers(block, &mut registers);
                }
            }
            summary.distinct = told.registers.then(|| distinct(&registers));
            summary.times.score.kernel =
                std::mem::replace(&mut self.spent, Duration::ZERO) + share(told.slots);
            self.summaries.push(summary);
        }
        self.spent += share(submitted.rest);
        drop(view);
        self.readback.unmap();
        Ok(())
    }
}

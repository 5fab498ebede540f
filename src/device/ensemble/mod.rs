//! Many runs on a device at once, each in a region of its own of a few large buffers.
//!
//! A dispatch is about all runs that do the same in this generation: its third dimension counts
//! them, and the task of each says where in the buffers its population, its tables and its plan
//! lie. Nothing else differs from the engine of a [single run](super::DeviceEngine): the kernels
//! are the same ones. For each run and generation a task of 256 bytes goes to the device and a block
//! comes back.
//!
//! Runs go together whose boards have one shape and whose kernels are the same: parameters that
//! follow from the puzzle (steps, tenure, children, distance) and budgets may differ from run to
//! run. Those with islands, and those whose children are too many to be searched at once, have the
//! device to themselves.

mod buffers;
mod room;
mod sequence;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::time::Instant;

use rayon::prelude::*;
use wgpu::MapMode;

use self::buffers::Buffers;
use self::room::Room;
use self::sequence::{Course, Member, Order, Sequence};
use super::island::FITNESS_BYTES;
use super::kernels::{Compiled, Kernels};
use super::pace::SlotPace;
use super::search::SearchPlan;
use super::state::read;
use super::statistics::BlockLayout;
use super::tables::TableLayout;
use super::task::{Record, TASK_STRIDE, TaskWords};
use super::twins::Twins;
use super::{keep, loops};
use crate::board::{Geometry, SearchSpace};
use crate::ga::breeder::Breeder;
use crate::ga::islands::sizes;
use crate::ga::{
    BatchEngine, Config, CustomOperators, GenerationKind, GenerationStats, PopulationSnapshot, Run,
    RunError, SlotRequest,
};
use crate::gpu::{AdapterInfo, Device, DeviceError, Watch, mapping};
use crate::random::GenerationRng;

/// Parts of runs that a submission is about at most: the end of one and the beginning of another.
const PARTS: usize = 2;

/// Runs in the memory of a device.
pub struct DeviceEnsemble {
    device: Device,
    kernels: Compiled,
    geometry: Geometry,
    /// What the kernels are for.
    kind: Config,
    /// The searches that they are for: those of a blank board.
    search: Option<SearchPlan>,
    room: Room,
    seats: Vec<Option<Occupant>>,
    buffers: Buffers,
    block: BlockLayout,
    course: Course,
    readable: Watch,
    /// How fast new boards are drawn, and how fast children are bred.
    paces: [SlotPace; 2],
    /// Which of the two populations is bred from.
    old: usize,
    sequence: Sequence,
    /// Who takes part in the generation: its seat and its task.
    members: Vec<(usize, Record)>,
    /// Which of them each that is due is.
    due: Vec<usize>,
    summaries: Vec<GenerationStats>,
}

/// A run in a seat.
#[derive(Debug)]
struct Occupant {
    seed: u64,
    config: Config,
    offspring: u32,
    rounds: u32,
}

impl DeviceEnsemble {
    /// An ensemble for runs like this one, of at most `most`, which breeds at most `chunk` slots a
    /// submission; nothing where such a run has the device to itself.
    ///
    /// # Errors
    /// [`RunError`] when the device has no twin of an operator or too little memory.
    pub fn new(
        run: &Run<'_>,
        kernels: &Kernels,
        chunk: Option<u32>,
        most: usize,
    ) -> Result<Option<Self>, RunError> {
        let (geometry, config) = (run.space.geometry(), run.config);
        let adapter = kernels.device().adapter();
        if sizes(geometry, config)?.len() > 1 || !run.operators.names().is_empty() {
            return Ok(None);
        }
        let twins = Twins::of(config)?;
        Breeder::new(run.space, config, run.operators)?;
        let Ok(search) = SearchPlan::new(adapter, &SearchSpace::blank(geometry), config) else {
            return Ok(None);
        };
        let Some(room) = Room::new(adapter, run.space, config, search.as_ref()) else {
            return Ok(None);
        };
        let seats = room.seats(adapter).min(most as u64) as usize;
        if seats < 2 {
            return Ok(None);
        }
        let compiled = kernels.compile(run, config, &twins, search.as_ref())?;
        let block = BlockLayout::new(geometry);
        let buffers = Buffers::new(kernels, &room, config.population, seats)?;
        compiled.warm_up(kernels.device(), &buffers.bindings[0], run.interrupted)?;
        let course = Course {
            ranks: twins.ranks.then_some(block.bins() as u32),
            searches: twins.searches,
            keeps_distance: twins.keeps_distance,
        };
        let children = keep::offspring(config, config.population).saturating_mul(seats as u32);
        let bred = match twins.searches {
            true => SlotPace::careful(chunk, children),
            false => SlotPace::new(chunk),
        };
        Ok(Some(Self {
            device: kernels.device().clone(),
            kernels: compiled,
            geometry,
            kind: kind(config),
            search,
            room,
            seats: std::iter::repeat_with(|| None).take(seats).collect(),
            buffers,
            block,
            course,
            readable: Watch::default(),
            paces: [SlotPace::new(chunk), bred],
            old: 0,
            sequence: Sequence::new(course, Vec::new()),
            members: Vec::new(),
            due: Vec::new(),
            summaries: Vec::new(),
        }))
    }

    fn adapter(&self) -> &AdapterInfo {
        self.device.adapter()
    }

    /// The tables of a run and who occupies a seat with it, if it is of the kind that is here.
    fn occupant(&self, run: &Run<'_>) -> Option<(Occupant, Vec<u32>)> {
        let (space, config) = (run.space, run.config);
        let alike = space.geometry() == self.geometry
            && kind(config) == self.kind
            && run.operators.names().is_empty();
        if !alike || loops::check(self.adapter(), space, config).is_err() {
            return None;
        }
        Breeder::new(space, config, CustomOperators::none()).ok()?;
        let offspring = keep::offspring(config, config.population);
        let search = match &self.search {
            Some(blank) => Some(blank.of_puzzle(self.adapter(), space, config)?),
            None => None,
        };
        let fits = Room::plan(self.geometry, config, search)? <= self.room.plan;
        let search = match search {
            Some(search) => Some(search.of_children(offspring)?),
            None => None,
        };
        let tables = TableLayout::new(self.geometry, config).fill(space, config, search.as_ref());
        let rounds = search.map_or(0, |search| search.rounds);
        let occupant = Occupant { seed: run.seed, config: config.clone(), offspring, rounds };
        (fits && tables.len() as u64 <= self.room.tables).then_some((occupant, tables))
    }

    /// Where the boards and the fitness of a seat lie in a population, in bytes.
    fn region(&self, seat: usize) -> [Range<u64>; 2] {
        let (seats, seat) = (self.seats.len() as u64, seat as u64);
        let (fitness, boards) = (self.room.fitness, self.room.population - self.room.fitness);
        let first = seats * boards + seat * fitness;
        [seat * boards..(seat + 1) * boards, first..first + fitness]
            .map(|words| 4 * words.start..4 * words.end)
    }

    /// Gives a seat the population that its run goes on from; false when that is none of the run.
    fn import(&self, seat: usize, run: &Run<'_>, state: &PopulationSnapshot) -> bool {
        let sizes = std::iter::once(run.config.population as usize);
        let [island] = &*state.islands else { return false };
        if state.check(self.geometry, &run.space.fixed, sizes).is_err() {
            return false;
        }
        let words: Vec<u32> = island.fitness.iter().map(|fitness| (*fitness).into()).collect();
        let parts = [&*island.boards, bytemuck::cast_slice(&words)];
        for (at, bytes) in self.region(seat).into_iter().zip(parts) {
            let queue = self.device.queue();
            queue.write_buffer(&self.buffers.populations[self.old], at.start, bytes);
        }
        true
    }

    /// What is to be done for a seat in a generation.
    fn task(&self, due: &SlotRequest) -> Option<(Record, Member)> {
        let Occupant { seed, config, offspring, rounds } = self.seats.get(due.seat)?.as_ref()?;
        let has_parents = due.source == GenerationKind::Parents;
        let population = config.population;
        let slots = if has_parents { *offspring } else { population };
        let seat = due.seat as u32;
        let mut record = Record::of(TaskWords {
            key: [*seed as u32, (*seed >> 32) as u32],
            generation: due.generation,
            population,
            count: slots,
            first_slot: seat * population,
            fitness: (self.seats.len() * self.block.board_words()) as u32 * population,
            tables: seat * self.room.tables as u32,
            plan: seat * self.room.plan as u32,
            block: seat * self.room.block as u32,
            ..TaskWords::default()
        });
        if has_parents {
            record.draw_plan(config, &GenerationRng::new(*seed, due.generation));
        }
        Some((record, Member { has_parents, population, slots, rounds: *rounds }))
    }

    /// Records and submits a part of the generation, and waits for it.
    fn submit(&mut self) -> Result<bool, RunError> {
        let start = Instant::now();
        let pace = usize::from(self.sequence.has_parents());
        let work = self.sequence.workload(self.paces[pace].slots());
        let label = wgpu::CommandEncoderDescriptor { label: Some("ensemble") };
        let mut encoder = self.device.handle().create_command_encoder(&label);
        let mut parts: Vec<Record> = Vec::new();
        for order in &work.orders {
            self.record(order, &mut encoder, &mut parts)?;
        }
        let queue = self.device.queue();
        let first_part = self.seats.len() as u64 * TASK_STRIDE;
        queue.write_buffer(&self.buffers.tasks, first_part, bytemuck::cast_slice(&parts));
        let index = queue.submit([encoder.finish()]);
        let bytes = if work.completes { self.used() * 4 * self.room.block } else { 0 };
        let bytes = bytes.max(wgpu::MAP_ALIGNMENT);
        // Something is always mapped: that it can be says that the work is done.
        self.readable.map(&self.buffers.readback, MapMode::Read, bytes);
        self.device.check()?;
        self.device.wait(&index, &self.readable)?;
        self.paces[usize::from(work.has_parents)].note(work.spent, start.elapsed());
        let told = if work.completes { self.tell(bytes) } else { Ok(()) };
        self.buffers.readback.unmap();
        told.map(|()| work.completes)
    }

    fn record(
        &mut self,
        order: &Order,
        encoder: &mut wgpu::CommandEncoder,
        parts: &mut Vec<Record>,
    ) -> Result<(), DeviceError> {
        let Buffers { populations, block, unwritten, readback, bindings, .. } = &self.buffers;
        let bindings = &bindings[self.old];
        match order {
            Order::Clear => {
                let next = &populations[1 - self.old];
                let bytes = self.used() * u64::from(self.kind.population) * FITNESS_BYTES;
                let fitness = next.size() - unwritten.size();
                encoder.copy_buffer_to_buffer(unwritten, 0, next, fitness, bytes);
                encoder.clear_buffer(block, 0, Some(self.used() * 4 * self.room.block));
            }
            Order::All { kernel, members, count } => {
                let kernel = self.kernels.get(*kernel)?;
                let tasks = members.len() as u32;
                kernel.dispatch(encoder, bindings, members.start, tasks, *count);
            }
            Order::Part { kernel, member, slots } => {
                let (_, mut record) = self.members[*member];
                (record.task.first, record.task.count) = (slots.start, slots.len() as u32);
                let kernel = self.kernels.get(*kernel)?;
                let task = self.seats.len() + parts.len();
                kernel.dispatch(encoder, bindings, task, 1, slots.len() as u32);
                parts.push(record);
            }
            Order::Tell => {
                let bytes = self.used() * 4 * self.room.block;
                encoder.copy_buffer_to_buffer(block, 0, readback, 0, bytes);
                self.old = 1 - self.old;
            }
        }
        Ok(())
    }

    /// Seats up to the last that takes part.
    fn used(&self) -> u64 {
        self.members.iter().map(|(seat, _)| *seat as u64 + 1).max().unwrap_or(0)
    }

    /// Sums up what came back.
    fn tell(&mut self, bytes: u64) -> Result<(), RunError> {
        let view = self.buffers.readback.slice(..bytes).get_mapped_range().map_err(mapping)?;
        let words: &[u32] = bytemuck::cast_slice(&view);
        let len = self.room.block as usize;
        self.summaries.clear();
        for member in &self.due {
            let (seat, record) = &self.members[*member];
            let TaskWords { population, count, .. } = record.task;
            let mut summary =
                GenerationStats { evaluations: count.into(), ..GenerationStats::default() };
            self.block.add(&words[seat * len..][..len], population, &mut summary)?;
            self.summaries.push(summary);
        }
        Ok(())
    }
}

impl BatchEngine for DeviceEnsemble {
    fn seats(&self) -> usize {
        self.seats.len()
    }

    fn take(&mut self, runs: &[(usize, Run<'_>)]) -> Vec<bool> {
        let occupants: Vec<_> = runs.par_iter().map(|(_, run)| self.occupant(run)).collect();
        let seated = runs.iter().zip(occupants).map(|((seat, run), occupant)| {
            let Some((occupant, tables)) = occupant else { return false };
            if run.from.is_some_and(|from| !self.import(*seat, run, &from.state)) {
                return false;
            }
            let at = *seat as u64 * 4 * self.room.tables;
            let tables = bytemuck::cast_slice(&tables);
            self.device.queue().write_buffer(&self.buffers.tables, at, tables);
            self.seats[*seat] = Some(occupant);
            true
        });
        seated.collect()
    }

    fn begin(&mut self, due: &[SlotRequest]) {
        let is_due =
            |source: GenerationKind, of_parents| (source == GenerationKind::Parents) == of_parents;
        let mut members = Vec::with_capacity(due.len());
        self.members.clear();
        self.due.clear();
        self.due.resize(due.len(), 0);
        // New boards come first.
        for of_parents in [false, true] {
            for (place, due) in
                due.iter().enumerate().filter(|due| is_due(due.1.source, of_parents))
            {
                let Some((record, member)) = self.task(due) else { continue };
                self.due[place] = self.members.len();
                self.members.push((due.seat, record));
                members.push(member);
            }
        }
        self.sequence = Sequence::new(self.course, members);
        let records: Vec<Record> = self.members.iter().map(|(_, record)| *record).collect();
        self.device.queue().write_buffer(&self.buffers.tasks, 0, bytemuck::cast_slice(&records));
    }

    fn step(&mut self) -> Result<bool, RunError> {
        self.submit()
    }

    fn summaries(&self) -> &[GenerationStats] {
        &self.summaries
    }

    fn for_each_island(
        &mut self,
        seat: usize,
        take: &mut dyn FnMut(&[u8], &[u16]),
    ) -> Result<(), RunError> {
        let from = &self.buffers.populations[self.old];
        let [boards, fitness] = self.region(seat).map(|bytes| read(&self.device, from, bytes));
        let fitness: Vec<u16> = fitness?.iter().map(|fitness| *fitness as u16).collect();
        take(bytemuck::cast_slice(&boards?), &fitness);
        Ok(())
    }
}

/// Whether runs of two configurations go together on boards of one shape.
pub fn goes_together(one: &Config, other: &Config) -> bool {
    kind(one) == kind(other)
}

/// A configuration without what is data to the kernels: equal ones have the same kernels and
/// layouts.
fn kind(config: &Config) -> Config {
    Config {
        tabu_steps: 0,
        tenure_share: 0,
        proposals: 0,
        eta_proposals: 0,
        unassigned_share: 0,
        distance: 0,
        offspring: 0,
        pool: 0,
        restart_after: 0,
        max_generations: 0,
        max_work: 0,
        distinct_every: 0,
        time_limit: 0.0,
        ..config.clone()
    }
}

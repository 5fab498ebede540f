//! The generation loop on the device: what is submitted, and what comes back.
//!
//! A submission holds as many slots as the [`Pace`] allows: a part of a generation, or several
//! generations whose blocks come back together. Which generations may follow each other without a
//! word from the host is known beforehand; what comes after a solution is not looked at.

use std::time::{Duration, Instant};

use wgpu::{BufferUsages, MapMode};

use super::island::{Island, Shared};
use super::kernels::{Compiled, Kernel, Kernels};
use super::pace::Pace;
use super::plan::Plan;
use super::statistics::{Block, distinct};
use super::tables::Sections;
use super::task::{TASK_STRIDE, Task};
use super::twins::Unsupported;
use crate::board::Geometry;
use crate::evolve::breeder::{Breeder, Source};
use crate::evolve::diversity::REGISTERS;
use crate::evolve::{Config, Engine, Run, RunError, Summary, Wanted};
use crate::gpu::{Device, Watch};
use crate::random::Seed;
use crate::score::EvaluatorError;

/// Dispatches of slots in a submission at most.
const MOST_TASKS: usize = 64;
/// A buffer may not be empty.
const NO_PLAN_BYTES: u64 = 16;

/// A population in the memory of a device.
pub struct DeviceEngine {
    device: Device,
    seed: u64,
    config: Config,
    kernels: Compiled,
    shared: Shared,
    islands: Vec<Island>,
    block: Block,
    readback: wgpu::Buffer,
    readable: Watch,
    /// How fast new boards are drawn, and how fast children are bred.
    paces: [Pace; 2],
    /// Where the generation that is being bred stands.
    island: usize,
    slot: u32,
    /// What is known of it.
    spent: Duration,
    partial: Summary,
    registers: [u8; REGISTERS],
    tasks: Vec<u8>,
    summaries: Vec<Summary>,
}

/// What a submission does.
struct Submitted {
    index: wgpu::SubmissionIndex,
    start: Instant,
    source: Source,
    /// Slots that it fills.
    slots: u32,
    /// Generations of islands that it completes, in order.
    told: Vec<Told>,
    /// Slots after the last that it completes.
    rest: u32,
}

/// A generation of an island whose block comes back.
struct Told {
    island: usize,
    /// Whether its registers come along.
    registers: bool,
    /// Slots that it took of the submission.
    slots: u32,
}

impl DeviceEngine {
    /// An engine for `run`, which breeds at most `chunk` slots a submission.
    ///
    /// # Errors
    /// [`RunError`] when the device has no twin of an operator or too little memory.
    pub fn new(run: &Run<'_>, kernels: &Kernels, chunk: Option<u32>) -> Result<Self, RunError> {
        let (geometry, config) = (run.space.geometry(), run.config);
        let compiled = kernels.compile(geometry, config)?;
        // The host's operators refuse what does not go together.
        Breeder::new(run.space, config)?;
        let block = Block::new(geometry);
        let plan = Plan::new(block.bins(), config.population);
        let plan_bytes = if compiled.plan.is_some() { plan.bytes() } else { NO_PLAN_BYTES };
        check_limits(kernels.device(), geometry, config.population, &block, plan_bytes)?;
        let tables = Sections::new(geometry, config).fill(run.space, config);
        let task_bytes = MOST_TASKS as u64 * TASK_STRIDE;
        let shared = Shared::new(kernels, task_bytes, &tables, config.population)?;
        let islands = vec![Island::new(
            kernels,
            &shared,
            config.population,
            geometry.stride(),
            block.bytes(true),
            plan_bytes,
        )?];
        let device = kernels.device().clone();
        let readback = device.guarded(|device| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: MOST_TASKS as u64 * block.bytes(true),
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        Ok(Self {
            device,
            seed: run.seed,
            config: config.clone(),
            kernels: compiled,
            shared,
            islands,
            block,
            readback,
            readable: Watch::default(),
            paces: [Pace::new(chunk), Pace::new(chunk)],
            island: 0,
            slot: 0,
            spent: Duration::ZERO,
            partial: Summary::default(),
            registers: [0; REGISTERS],
            tasks: Vec::with_capacity(task_bytes as usize),
            summaries: Vec::new(),
        })
    }

    /// Records and submits as many slots as the pace allows, from where the engine stands;
    /// `generation` and `source` move on with it.
    fn submit(
        &mut self,
        wanted: &Wanted<'_>,
        generation: &mut u32,
        source: &mut Source,
    ) -> Result<Submitted, EvaluatorError> {
        let start = Instant::now();
        let bred = *source;
        let mut left = self.paces[pace_of(bred)].slots();
        let (mut slots, mut offset, mut complete) = (0, 0, 0);
        let mut told: Vec<Told> = Vec::new();
        let mut rest = 0;
        let label = wgpu::CommandEncoderDescriptor { label: Some("generations") };
        let mut encoder = self.device.handle().create_command_encoder(&label);
        self.tasks.clear();
        while left > 0 && self.tasks.len() < MOST_TASKS * TASK_STRIDE as usize {
            let population = self.islands[self.island].population;
            if self.slot == 0 {
                // A generation is cut only if it is too long for a submission.
                if slots > 0 && left < population {
                    break;
                }
                self.islands[self.island].clear(&mut encoder, &self.shared);
            }
            let count = left.min(population - self.slot);
            let task = self.task(*generation, bred, count);
            if let (0, Source::Parents, Some(steps)) = (self.slot, bred, &self.kernels.plan) {
                for (step, count) in
                    steps.iter().zip([population, self.block.bins() as u32, 1, population])
                {
                    self.dispatch(&mut encoder, step, task, count);
                }
            }
            let kernel = match bred {
                Source::Parents => &self.kernels.breed,
                Source::Initialiser | Source::Restart => &self.kernels.initialise,
            };
            self.dispatch(&mut encoder, kernel, task, count);
            self.slot += count;
            (left, slots, rest) = (left - count, slots + count, rest + count);
            if self.slot < population {
                continue;
            }
            let registers = wanted.wants_distinct(*generation);
            offset += self.tell(&mut encoder, task, registers, offset);
            told.push(Told { island: self.island, registers, slots: std::mem::take(&mut rest) });
            self.islands[self.island].swap();
            (self.slot, self.island) = (0, self.island + 1);
            if self.island == self.islands.len() {
                self.island = 0;
                complete += 1;
                *generation += 1;
                *source = Source::Parents;
                // New boards and children have paces of their own.
                if complete == wanted.generations || bred != Source::Parents {
                    break;
                }
            }
        }
        let queue = self.device.queue();
        queue.write_buffer(&self.shared.tasks, 0, &self.tasks);
        let index = queue.submit([encoder.finish()]);
        // Something is always mapped: that it can be says that the work is done.
        self.readable.map(&self.readback, MapMode::Read, offset.max(wgpu::MAP_ALIGNMENT));
        self.device.check()?;
        Ok(Submitted { index, start, source: bred, slots, told, rest })
    }

    /// Notes a task, and returns where it lies.
    fn task(&mut self, generation: u32, source: Source, count: u32) -> u32 {
        let island = &self.islands[self.island];
        let seed = Seed::new(self.seed, generation).on_island(self.island as u32);
        let mut task = Task {
            key: [self.seed as u32, (self.seed >> 32) as u32],
            generation,
            island: self.island as u32,
            population: island.population,
            first: self.slot,
            count,
            ..Task::default()
        };
        if source == Source::Parents {
            task.draw_plan(&self.config, &seed);
        }
        let offset = self.tasks.len();
        self.tasks.extend_from_slice(bytemuck::bytes_of(&task));
        self.tasks.resize(offset + TASK_STRIDE as usize, 0);
        offset as u32
    }

    /// Runs a kernel over `count` slots.
    fn dispatch(&self, encoder: &mut wgpu::CommandEncoder, kernel: &Kernel, task: u32, count: u32) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, self.islands[self.island].bindings(), &[task]);
        let [x, y] = kernel.workgroups(count);
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Sums up the generation of the island, and has its block copied to `offset`; returns the
    /// bytes of that.
    fn tell(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        task: u32,
        registers: bool,
        offset: u64,
    ) -> u64 {
        let island = &self.islands[self.island];
        self.dispatch(encoder, &self.kernels.statistics, task, island.population);
        self.dispatch(encoder, &self.kernels.best, task, 1);
        if registers {
            self.dispatch(encoder, &self.kernels.distinct, task, island.population);
        }
        let bytes = self.block.bytes(registers);
        encoder.copy_buffer_to_buffer(&island.block, 0, &self.readback, offset, bytes);
        bytes
    }

    /// Waits for a submission, and adds what it tells to the summaries.
    fn collect(&mut self, submitted: &Submitted) -> Result<(), EvaluatorError> {
        self.device.wait(&submitted.index, &self.readable)?;
        let elapsed = submitted.start.elapsed();
        self.paces[pace_of(submitted.source)].note(submitted.slots, elapsed);
        let share = |slots: u32| elapsed.mul_f64(f64::from(slots) / f64::from(submitted.slots));
        let bytes: u64 = submitted.told.iter().map(|told| self.block.bytes(told.registers)).sum();
        let view = self.readback.slice(..bytes.max(wgpu::MAP_ALIGNMENT)).get_mapped_range();
        let view = view.map_err(|error| EvaluatorError::Driver(error.to_string()))?;
        let words: &[u32] = bytemuck::cast_slice(&view);
        let mut at = 0;
        for told in &submitted.told {
            let words = &words[at..];
            at += self.block.bytes(told.registers) as usize / size_of::<u32>();
            let population = self.islands[told.island].population;
            self.block.add(words, population, &mut self.partial)?;
            self.partial.evaluations += u64::from(population);
            if told.registers {
                self.block.merge_registers(words, &mut self.registers);
            }
            self.spent += share(told.slots);
            if told.island + 1 == self.islands.len() {
                let mut summary = std::mem::take(&mut self.partial);
                summary.distinct = told.registers.then(|| distinct(&self.registers));
                summary.times.score.kernel = std::mem::take(&mut self.spent);
                self.registers.fill(0);
                self.summaries.push(summary);
            }
        }
        self.spent += share(submitted.rest);
        drop(view);
        self.readback.unmap();
        Ok(())
    }
}

/// Refuses an island that the device cannot hold or count.
fn check_limits(
    device: &Device,
    geometry: Geometry,
    population: u32,
    block: &Block,
    plan_bytes: u64,
) -> Result<(), Unsupported> {
    let adapter = device.adapter();
    let binding = adapter.limits.storage_binding_bytes.min(adapter.limits.buffer_bytes);
    // The best slot and the circumference of a wheel are words.
    let products = u64::from(population) * block.bins() as u64;
    for (what, needed, most) in [
        ("a buffer of boards", u64::from(population) * geometry.stride() as u64, binding),
        ("a buffer of ranks", plan_bytes, binding),
        ("population times fitness", products, u32::MAX.into()),
    ] {
        if needed > most {
            let adapter = adapter.name.clone();
            return Err(Unsupported::Island { adapter, population, geometry, what, needed, most });
        }
    }
    Ok(())
}

/// New boards cost something else than children.
fn pace_of(source: Source) -> usize {
    usize::from(source == Source::Parents)
}

impl Engine for DeviceEngine {
    fn advance(&mut self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        self.summaries.clear();
        let (mut generation, mut source) = (wanted.generation, wanted.source);
        while self.summaries.is_empty() {
            if (wanted.stop)() {
                return Ok(false);
            }
            let submitted = self.submit(wanted, &mut generation, &mut source)?;
            self.collect(&submitted)?;
        }
        Ok(true)
    }

    fn summaries(&self) -> &[Summary] {
        &self.summaries
    }
}

//! Rates of this machine by population, of one thread of WebAssembly and of the GPU, as `evodoku bench` measures them; and
//! the scores of both, compared.
//!
//! A page reads its clock in steps of up to 0.1 ms, so a sample is the mean of as many repetitions as take [`SAMPLE`].

use std::collections::BTreeMap;
use std::time::Duration;

use evodoku::board::{Geometry, Presolve, Puzzle};
use evodoku::fitness::{GpuEvaluator, SimdLevel};
use evodoku::ga::{Preset, RunSettings};
use evodoku::gpu_engine::{Device, supported_presets};
use evodoku::internals::{Quantiles, Sample, Samples, StoppingRule, break_even};
use evodoku::random::{GenerationRng, StreamStage};
use evodoku::{Backend, Evolution, Solver};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_time::Instant;

use crate::catalogue::parse;
use crate::{adapter, refused};

/// The least time of a sample.
const SAMPLE: Duration = Duration::from_millis(20);
/// The time of a task.
const BUDGET: Duration = Duration::from_secs(2);
/// Passes of the kernel alone.
const KERNEL_PASSES: usize = 15;
/// The smallest population.
const LEAST: u32 = 1_000;
/// The presets whose generations are measured.
const PRESETS: [Preset; 2] = [Preset::Boxes, Preset::Cellular];
/// The seed of all boards.
const SEED: u64 = 1;

/// A thing to be measured.
#[derive(Clone, Copy)]
struct Task {
    /// A generation of this preset; else scoring.
    preset: Option<Preset>,
    /// Where: on the GPU, or on one thread with these instructions.
    simd: Option<SimdLevel>,
    population: u32,
}

/// What a task came to.
struct Measured {
    task: Task,
    /// Boards of a repetition: the population, or the children of a generation.
    boards: u32,
    samples: usize,
    seconds: Quantiles,
    /// Median seconds of the GPU's kernel over boards that are on it already.
    kernel_alone: Option<f64>,
}

/// Measures rates, task by task, and compares scores.
#[wasm_bindgen]
pub struct Bench {
    shape: Geometry,
    tasks: Vec<Task>,
    /// Legal boards of the largest population; smaller ones are the first of them.
    boards: Vec<u8>,
    device: Option<Device>,
    gpu: Option<GpuEvaluator>,
    measured: Vec<Measured>,
}

#[wasm_bindgen]
impl Bench {
    /// Prepares the measuring of boards of a puzzle's shape, in populations up to `largest`, on the CPU and on the GPU if it
    /// is open.
    ///
    /// # Errors
    /// What is wrong with the puzzle, or with the GPU.
    pub async fn of(puzzle: &str, largest: u32) -> Result<Bench, JsError> {
        let shape = parse(puzzle)?.puzzle.geometry;
        let device = adapter::device();
        let gpu = match &device {
            Some(device) => {
                Some(GpuEvaluator::on_async(device, shape, None).await.map_err(refused)?)
            }
            None => None,
        };
        let mut tasks = Vec::new();
        let populations = (0..).map(|power| LEAST.saturating_mul(10u32.saturating_pow(power)));
        let mut populations: Vec<u32> = populations.take_while(|size| *size < largest).collect();
        populations.push(largest.max(LEAST));
        for population in populations {
            let on_gpu = device.is_some().then_some(None);
            let levels = SimdLevel::available().into_iter().map(Some).chain(on_gpu);
            tasks.extend(levels.map(|simd| Task { preset: None, simd, population }));
            for preset in PRESETS {
                let bred = Task { preset: Some(preset), simd: Some(SimdLevel::best()), population };
                let on_gpu = device.is_some() && supported_presets().contains(&preset);
                tasks.push(bred);
                tasks.extend(on_gpu.then_some(Task { simd: None, ..bred }));
            }
        }
        Ok(Self { shape, tasks, boards: Vec::new(), device, gpu, measured: Vec::new() })
    }

    /// The number of tasks.
    pub fn count(&self) -> usize {
        self.tasks.len()
    }

    /// What a task measures, in words.
    pub fn task(&self, number: usize) -> String {
        let Task { preset, simd, population } = self.tasks[number];
        let what = preset
            .map_or_else(|| "scoring".to_owned(), |preset| format!("a generation of {preset}"));
        let on = simd.map_or_else(|| "the GPU".to_owned(), |simd| format!("one thread, {simd}"));
        format!("{what}, {population} boards, on {on}")
    }

    /// Carries a task out, and returns its record as the export of `evodoku bench` has it.
    ///
    /// # Errors
    /// What the device says.
    pub async fn measure(&mut self, number: usize) -> Result<String, JsError> {
        let task = self.tasks[number];
        // Samples are long enough by themselves, and `repeat` keeps the budget.
        let rule = StoppingRule { warm_up: 1, shortest: Duration::ZERO, ..StoppingRule::default() };
        let mut samples = Samples::new(rule);
        let mut kernel_alone = None;
        let mut boards = task.population;
        match task.preset {
            Some(preset) => {
                let settings = settings(preset, task.population);
                let mut evolution = self.evolution(settings, task.simd)?;
                let config = evolution.config();
                boards = config.replacement.offspring(config);
                // Generation 0 is drawn, not bred, and a driver may compile at the first of each kind.
                self.advance(&mut evolution, 3).await?;
                repeat(&mut samples, async |count| self.advance(&mut evolution, count).await)
                    .await?;
            }
            None => {
                let size = task.population as usize;
                if self.boards.is_empty() {
                    let largest = self.tasks.iter().map(|task| task.population).max();
                    self.boards = self.legal(largest.unwrap_or(0), SEED)?;
                }
                let bytes = &self.boards[..size * self.shape.stride()];
                let mut scores = vec![0; size];
                match (task.simd, &mut self.gpu) {
                    (None, Some(gpu)) => {
                        repeat(&mut samples, async |count| {
                            for _ in 0..count {
                                gpu.score_async(bytes, &mut scores).await.map_err(refused)?;
                            }
                            Ok(())
                        })
                        .await?;
                        let times = gpu.kernel_times(bytes, &mut scores, KERNEL_PASSES).await;
                        let times = times.map_err(refused)?.into_iter();
                        let spread = Quantiles::of(times.map(|time| time.as_secs_f64()));
                        kernel_alone = spread.map(|spread| spread.median);
                    }
                    (simd, _) => {
                        let level = simd.unwrap_or(SimdLevel::best());
                        repeat(&mut samples, async |count| {
                            for _ in 0..count {
                                level.score(self.shape, bytes, &mut scores);
                            }
                            Ok(())
                        })
                        .await?;
                    }
                }
            }
        }
        let seconds = samples.seconds().ok_or_else(|| refused("nothing was measured"))?;
        let measured = Measured { task, boards, samples: samples.count(), seconds, kernel_alone };
        let record = measured.record(self.shape);
        self.measured.push(measured);
        Ok(record.to_string())
    }

    /// All that was measured so far, in the format of `evodoku bench --export-json`; `machine` is a JSON object of the members
    /// that only the page knows.
    ///
    /// # Errors
    /// When `machine` is none.
    pub fn export(&self, machine: &str) -> Result<String, JsError> {
        let Value::Object(mut all) = json!({
            "kind": "bench",
            "version": env!("CARGO_PKG_VERSION"),
            "results_version": evodoku::RESULTS_VERSION,
            "seed": SEED,
            "shape": self.shape.to_string(),
            "time_budget_seconds": BUDGET.as_secs_f64() * self.tasks.len() as f64,
            "complete": self.measured.len() == self.tasks.len(),
            "device_copy_bytes_per_second": null,
            "break_even": self.break_evens(),
            "results": Value::from_iter(self.measured.iter().map(|it| it.record(self.shape))),
        }) else {
            return Err(refused("no object"));
        };
        let machine: serde_json::Map<String, Value> =
            serde_json::from_str(machine).map_err(refused)?;
        all.extend(machine);
        serde_json::to_string_pretty(&all).map_err(refused)
    }

    /// Scores `count` boards on the CPU and on the GPU: of any bytes, or legal ones. Returns how many scores differ. Each
    /// `number` has other boards.
    ///
    /// # Errors
    /// What the device says, or that there is none.
    pub async fn mismatches(
        &mut self,
        legal: bool,
        number: u32,
        count: u32,
    ) -> Result<u32, JsError> {
        let boards = match legal {
            true => self.legal(count, number.into())?,
            false => any_bytes(self.shape, count, number.into()),
        };
        let [mut by_cpu, mut by_gpu] = [(); 2].map(|()| vec![0; count as usize]);
        SimdLevel::best().score(self.shape, &boards, &mut by_cpu);
        let gpu = self.gpu.as_mut().ok_or_else(|| refused("no GPU is open"))?;
        gpu.score_async(&boards, &mut by_gpu).await.map_err(refused)?;
        Ok(by_cpu.iter().zip(&by_gpu).filter(|(cpu, gpu)| cpu != gpu).count() as u32)
    }
}

impl Bench {
    /// A run on a puzzle without a solution, which nothing ends.
    fn evolution(
        &self,
        settings: RunSettings,
        simd: Option<SimdLevel>,
    ) -> Result<Evolution, JsError> {
        let backend = match (simd, &self.device) {
            (None, Some(device)) => Backend::gpu_on(device).map_err(refused)?,
            _ => Backend::cpu(),
        };
        let solver = Solver::from_settings(settings).on(backend).seed(SEED);
        solver.evolve(&Puzzle::unsolvable(self.shape)).map_err(refused)
    }

    /// Carries out so many generations.
    async fn advance(&self, evolution: &mut Evolution, generations: u32) -> Result<(), JsError> {
        let next = |evolution: &Evolution| match evolution.last_generation() {
            Some(_) => evolution.counters().generation + 1,
            None => 0,
        };
        let end = next(evolution) + generations;
        while next(evolution) < end {
            let before = next(evolution);
            evolution.step(end - before, &mut ()).map_err(refused)?;
            if let (true, Some(device)) = (next(evolution) == before, &self.device) {
                device.completion().await;
            }
        }
        Ok(())
    }

    /// Boards that keep the givens and hold every missing value of a box once.
    fn legal(&self, count: u32, seed: u64) -> Result<Vec<u8>, JsError> {
        let solver =
            Solver::from_settings(settings(Preset::Boxes, count)).on(Backend::cpu()).seed(seed);
        let mut evolution = solver.evolve(&Puzzle::unsolvable(self.shape)).map_err(refused)?;
        evolution.step(1, &mut ()).map_err(refused)?;
        let mut boards = Vec::new();
        let mut take = |island: &[u8], _: &[u16]| boards.extend_from_slice(island);
        evolution.for_each_island(&mut take).map_err(refused)?;
        Ok(boards)
    }

    /// The break-even of scoring, then of a generation of each preset.
    fn break_evens(&self) -> Vec<Value> {
        let of = |preset: Option<Preset>| {
            let mut rates: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
            for one in self.measured.iter().filter(|one| one.task.preset == preset) {
                let rates = rates.entry(one.task.population).or_default();
                let rate = &mut rates[usize::from(one.task.simd.is_none())];
                *rate = rate.max(one.rate());
            }
            rates.retain(|_, [cpu, gpu]| *cpu > 0.0 && *gpu > 0.0);
            let found = break_even(&rates)?;
            let of = preset
                .map_or_else(|| "scoring".to_owned(), |preset| format!("a generation of {preset}"));
            Some(json!({ "of": of, "population": found.ok(), "not_up_to": found.err() }))
        };
        [None].into_iter().chain(PRESETS.map(Some)).filter_map(of).collect()
    }
}

impl Measured {
    /// Boards a second, by the median.
    fn rate(&self) -> f64 {
        f64::from(self.boards) / self.seconds.median.max(1e-12)
    }

    /// The columns of `evodoku bench`.
    fn record(&self, shape: Geometry) -> Value {
        let Task { preset, simd, population } = self.task;
        let on = if simd.is_some() { "cpu" } else { "gpu" };
        let rate = self.rate().round() as u64;
        let Quantiles { best, lower_quartile, median, upper_quartile, worst } = self.seconds;
        json!({
            "what": if preset.is_some() { "generation" } else { "score" },
            "evaluator": on,
            "engine": preset.map(|_| on),
            "simd": simd.filter(|_| preset.is_none()).map(|simd| simd.to_string()),
            "threads": simd.map(|_| 1),
            "shape": shape.to_string(),
            "preset": preset.map(|preset| preset.to_string()),
            "population": population,
            "boards_per_second": rate,
            "bytes_per_second": preset.is_none().then(|| (self.rate() * shape.stride() as f64).round() as u64),
            "limit_bytes_per_second": null,
            "breed_seconds": null,
            "upload_seconds": null,
            "kernel_seconds": null,
            "readback_seconds": null,
            "kernel_alone_seconds": self.kernel_alone,
            "children_per_second": preset.map(|_| rate),
            "samples": self.samples,
            "seconds": median,
            "seconds_best": best,
            "seconds_lower_quartile": lower_quartile,
            "seconds_upper_quartile": upper_quartile,
            "seconds_worst": worst,
        })
    }
}

/// A preset that nothing ends, and that never restarts.
fn settings(preset: Preset, population: u32) -> RunSettings {
    let mut settings = RunSettings::of(preset);
    let set = &mut settings.overrides;
    (set.population, set.presolve) = (Some(population), Some(Presolve::None));
    (set.restart_after, set.max_generations, set.max_work) = (Some(0), Some(0), Some(0));
    settings
}

/// Boards of bytes of any value, their padding zeros.
fn any_bytes(shape: Geometry, count: u32, seed: u64) -> Vec<u8> {
    let rng = GenerationRng::new(seed, 0);
    let mut boards = vec![0; count as usize * shape.stride()];
    for (slot, board) in boards.chunks_exact_mut(shape.stride()).enumerate() {
        let mut draws = rng.draws(StreamStage::Initialise, slot as u32);
        board[..shape.cells()].iter_mut().for_each(|byte| *byte = draws.word() as u8);
    }
    boards
}

/// Adds samples until the rule is met or the time is over: each is the mean time of as many repetitions as take [`SAMPLE`].
async fn repeat(
    samples: &mut Samples,
    mut work: impl AsyncFnMut(u32) -> Result<(), JsError>,
) -> Result<(), JsError> {
    let begun = Instant::now();
    let mut count = 1;
    loop {
        let start = Instant::now();
        work(count).await?;
        let time = start.elapsed();
        if time < SAMPLE && count < 1 << 20 {
            let wanted = SAMPLE.as_secs_f64() / time.as_secs_f64().max(1e-5);
            count = (f64::from(count) * wanted.clamp(1.2, 10.0)).ceil() as u32;
        } else if samples.add(Sample::of(time / count))
            || (begun.elapsed() > BUDGET && samples.count() > 0)
        {
            return Ok(());
        }
    }
}

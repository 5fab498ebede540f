//! Which engine carries a run out where any could: `auto`.
//!
//! A run is the same on every engine, so that nothing but time decides. Each carries out some of the first
//! generations, and the fastest carries out the rest. Engines that take 9, 4 and 5 ms a generation: all are
//! measured for 64 generations or 100 ms, whichever ends first, and the second carries out the rest.
//!
//! The first generation of each is not measured: pipelines are compiled and the population is handed
//! over then. An engine whose device failed is not taken.

use std::time::Duration;

use crate::fitness::Pipeline;
use crate::ga::{
    Config, CpuEngine, Engine, EngineStatus, GenerationRequest, GenerationStats, IslandSink,
    PopulationSnapshot, Run, RunError,
};
use crate::gpu_engine::PipelineCache;
use crate::util::clock::Instant;
use crate::util::{memory, quantity};

/// Fewer children a generation leave most of a GPU idle whatever they cost.
pub const FEWEST_CHILDREN: u32 = 256;

/// An engine is measured for so long, but not for more generations than [`MOST_MEASURED`].
const MEASURED: Duration = Duration::from_millis(100);
const MOST_MEASURED: u32 = 64;
/// Generations at a time meanwhile: a device can submit several at once.
const AT_A_TIME: u32 = 16;

/// Children of a generation.
pub fn children(config: &Config) -> u32 {
    config.replacement.offspring(config)
}

/// Whether a GPU comes into question for a run of this configuration.
pub fn is_worth_a_gpu(config: &Config) -> bool {
    children(config) >= FEWEST_CHILDREN
}

/// Engines of one run, of which the fastest continues it.
pub struct AutoEngine<'a> {
    engines: Vec<(String, Box<dyn Engine + 'a>)>,
    /// The number of the engine that carried out the last generation.
    current: usize,
    /// Until an engine is taken.
    trial: Option<EngineTrial>,
    /// Time of all steps.
    spent: Duration,
    log: &'a (dyn Fn(&str) + Sync),
}

impl<'a> AutoEngine<'a> {
    /// The CPU with `pipeline`, the CPU with the GPU's `scoring`, and the GPU, as far as they could be made.
    ///
    /// # Errors
    /// When the CPU cannot carry out the run.
    pub fn new(
        run: &Run<'a>,
        pipeline: &'a mut Pipeline,
        scoring: Result<&'a mut Pipeline, RunError>,
        gpu: Result<impl Engine + 'a, RunError>,
        kernels: &PipelineCache,
        log: &'a (dyn Fn(&str) + Sync),
    ) -> Result<Self, RunError> {
        let adapter = &kernels.device.adapter().name;
        let cpu = CpuEngine::new(run, pipeline)?;
        let scored = scoring.and_then(|pipeline| {
            // A second population in addition to the first.
            memory::check("auto", 2 * run.memory_needed())?;
            CpuEngine::new(run, pipeline).map(|engine| Box::new(engine) as Box<dyn Engine>)
        });
        let mut engines: Vec<(String, Box<dyn Engine + 'a>)> =
            vec![("the CPU".to_owned(), Box::new(cpu))];
        let gpu = gpu.map(|engine| Box::new(engine) as _);
        let others = [(format!("the CPU (scored on {adapter})"), scored), (adapter.clone(), gpu)];
        for (name, engine) in others {
            match engine {
                Ok(engine) => engines.push((name, engine)),
                Err(error) => log(&format!("auto does not try {name}: {error}")),
            }
        }
        let trial = Some(EngineTrial::new(engines.len()));
        Ok(Self { engines, current: 0, trial, spent: Duration::ZERO, log })
    }

    fn engine(&self) -> &dyn Engine {
        &*self.engines[self.current].1
    }

    fn engine_mut(&mut self) -> &mut (dyn Engine + 'a) {
        &mut *self.engines[self.current].1
    }

    /// Hands the population over to an engine before a generation.
    fn switch_to(&mut self, engine: usize, generation: u32) -> Result<(), RunError> {
        if engine != self.current && generation > 0 {
            let state = self.engine_mut().snapshot()?;
            self.engines[engine].1.restore(&state)?;
        }
        self.current = engine;
        Ok(())
    }

    /// Leaves the others for the fastest engine, and says so.
    fn take_fastest(&mut self, seconds: &[f64], generation: u32) -> Result<(), RunError> {
        let by_time = |a: &usize, b: &usize| seconds[*a].total_cmp(&seconds[*b]);
        let fastest = (0..seconds.len()).min_by(by_time).unwrap_or(0);
        self.switch_to(fastest, generation)?;
        let time = |seconds: f64| {
            if seconds.is_finite() { quantity::time(seconds) } else { "failed".to_owned() }
        };
        let (name, engine) = self.engines.remove(fastest);
        let mut text =
            format!("auto continues with {name}: {} per generation", time(seconds[fastest]));
        let others = (0..seconds.len()).filter(|other| *other != fastest);
        for (other, (name, _)) in others.zip(&self.engines) {
            text += &format!("; {name} {}", time(seconds[other]));
        }
        (self.engines, self.current) = (vec![(name, engine)], 0);
        (self.log)(&text);
        Ok(())
    }
}

impl Engine for AutoEngine<'_> {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        let mut generations = wanted.generations;
        let has_failed = self.engine().status().degraded_by.is_some();
        if let Some(trial) = &mut self.trial {
            match trial.next(self.spent, wanted.generation, has_failed) {
                Some((engine, most)) => {
                    self.switch_to(engine, wanted.generation)?;
                    generations = generations.min(most);
                }
                None => {
                    let seconds = std::mem::take(&mut trial.seconds);
                    self.trial = None;
                    self.take_fastest(&seconds, wanted.generation)?;
                }
            }
        }
        let start = Instant::now();
        let stepped = self.engine_mut().step(&GenerationRequest { generations, ..*wanted });
        self.spent += start.elapsed();
        stepped
    }

    fn summaries(&self) -> &[GenerationStats] {
        self.engine().summaries()
    }

    fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
        self.engine_mut().for_each_island(take)
    }

    fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
        self.engine_mut().restore(state)
    }

    fn status(&self) -> EngineStatus<'_> {
        self.engine().status()
    }
}

/// Engines are measured one after the other. There is no clock in here: the caller passes the time.
struct EngineTrial {
    engines: usize,
    /// Seconds a generation of those that were measured.
    seconds: Vec<f64>,
    /// Whether the next one had its first generation.
    is_warm: bool,
    /// When, and with which generation, its measurement began.
    began: Option<(Duration, u32)>,
}

impl EngineTrial {
    fn new(engines: usize) -> Self {
        Self { engines, seconds: Vec::with_capacity(engines), is_warm: false, began: None }
    }

    /// The engine that carries out `generation`, and how many from then on at most, when it is `now`
    /// and the engine at work has failed or not; nothing once all were measured.
    fn next(&mut self, now: Duration, generation: u32, has_failed: bool) -> Option<(usize, u32)> {
        let measured =
            self.began.map(|(began, first)| (now.saturating_sub(began), generation - first));
        let seconds = match measured {
            _ if has_failed && self.is_warm => Some(f64::INFINITY),
            Some((time, done)) if done > 0 && (time >= MEASURED || done >= MOST_MEASURED) => {
                Some(time.as_secs_f64() / f64::from(done))
            }
            _ => None,
        };
        if let Some(seconds) = seconds {
            self.seconds.push(seconds);
            (self.is_warm, self.began) = (false, None);
        }
        let engine = self.seconds.len();
        if engine == self.engines {
            return None;
        }
        if !self.is_warm {
            self.is_warm = true;
            return Some((engine, 1));
        }
        self.began.get_or_insert((now, generation));
        Some((engine, AT_A_TIME))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::board::{Geometry, SearchSpace};
    use crate::fitness::EvaluatorError;
    use crate::ga::{GenerationKind, Preset};

    /// The measurements of engines that take so many seconds a generation, the first of each a second
    /// more; one that takes none fails.
    fn measured(cost: &[f64]) -> (Vec<f64>, f64) {
        let (mut trial, mut now, mut generation, mut last) =
            (EngineTrial::new(cost.len()), 0.0, 0, None);
        while let Some((engine, most)) = trial.next(
            Duration::from_secs_f64(now),
            generation,
            last.is_some_and(|engine: usize| cost[engine] == 0.0),
        ) {
            now += f64::from(u8::from(last != Some(engine))) + f64::from(most) * cost[engine];
            generation += most;
            last = Some(engine);
        }
        (trial.seconds, now)
    }

    #[test]
    fn each_engine_is_measured_without_its_first_generation() {
        let (seconds, all) = measured(&[0.009, 0.004, 0.0001]);
        for (found, expected) in seconds.iter().zip([0.009, 0.004, 0.0001]) {
            assert!((found - expected).abs() < 1e-6, "{seconds:?}");
        }
        assert!(all < 3.0 + 3.0 * 0.3, "{all}");
    }

    #[test]
    fn an_engine_that_failed_is_the_slowest_of_all() {
        let (seconds, _) = measured(&[0.009, 0.0, 0.001]);
        assert_eq!(seconds[1], f64::INFINITY);
        assert!(seconds[0] < 1.0 && seconds[2] < seconds[0]);
    }

    #[test]
    fn a_measurement_ends_at_its_bounds_and_not_before_a_generation_is_complete() {
        let milliseconds = Duration::from_millis;
        let next = |trial: &mut EngineTrial, now, generation| {
            trial.next(milliseconds(now), generation, false)
        };
        let [mut by_time, mut by_count, mut interrupted] = [(); 3].map(|()| EngineTrial::new(1));
        for trial in [&mut by_time, &mut by_count, &mut interrupted] {
            assert_eq!(next(trial, 0, 0), Some((0, 1)));
            assert_eq!(next(trial, 500, 1), Some((0, AT_A_TIME)));
        }
        assert_eq!(next(&mut by_time, 599, 2), Some((0, AT_A_TIME)));
        assert_eq!(next(&mut by_time, 600, 3), None);
        assert_eq!(by_time.seconds, [0.05]);
        assert_eq!(next(&mut by_count, 501, 1 + 63), Some((0, AT_A_TIME)));
        assert_eq!(next(&mut by_count, 532, 1 + 64), None);
        assert_eq!(by_count.seconds, [0.0005]);
        // A step was interrupted: it took time, and its generation is requested again.
        assert_eq!(next(&mut interrupted, 620, 1), Some((0, AT_A_TIME)));
        assert_eq!(next(&mut interrupted, 700, 2), None);
        assert_eq!(interrupted.seconds, [0.2]);
    }

    /// What engines were asked for, in order.
    type Requests = Arc<Mutex<Vec<String>>>;

    /// An engine that breeds nothing. Its population is one board of one cell: its name.
    struct MockEngine {
        name: u8,
        has_failed: Option<EvaluatorError>,
        requests: Requests,
        summaries: Vec<GenerationStats>,
    }

    impl MockEngine {
        fn record(&self, what: std::fmt::Arguments<'_>) {
            let name = char::from(self.name);
            self.requests.lock().unwrap().push(format!("{name} {what}"));
        }
    }

    impl Engine for MockEngine {
        fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
            let (first, count) = (wanted.generation, wanted.generations);
            self.record(format_args!("carries out {count} from {first}"));
            self.summaries = vec![GenerationStats::default(); count as usize];
            Ok(count < 100)
        }

        fn summaries(&self) -> &[GenerationStats] {
            &self.summaries
        }

        fn for_each_island(&mut self, take: IslandSink<'_>) -> Result<(), RunError> {
            take(&[self.name], &[0]);
            Ok(())
        }

        fn restore(&mut self, state: &PopulationSnapshot) -> Result<(), RunError> {
            let from = char::from(state.islands[0].boards[0]);
            self.record(format_args!("continues from {from}"));
            Ok(())
        }

        fn status(&self) -> EngineStatus<'_> {
            EngineStatus { degraded_by: self.has_failed.as_ref(), ..EngineStatus::default() }
        }
    }

    #[test]
    fn engines_take_over_from_each_other_and_the_fastest_continues() {
        let (requests, lines) = (Requests::default(), Mutex::new(Vec::new()));
        let log = |line: &str| lines.lock().unwrap().push(line.to_owned());
        let failed = || Some(EvaluatorError::DeviceLost("unplugged".into()));
        let engines =
            [(b'a', failed()), (b'b', None), (b'c', failed())].map(|(name, has_failed)| {
                let requests = Arc::clone(&requests);
                let mock = MockEngine { name, has_failed, requests, summaries: Vec::new() };
                (char::from(name).to_string(), Box::new(mock) as Box<dyn Engine>)
            });
        let (engines, trial) = (Vec::from(engines), Some(EngineTrial::new(3)));
        let mut auto = AutoEngine { engines, current: 0, trial, spent: Duration::ZERO, log: &log };
        let step = |auto: &mut AutoEngine<'_>, generation, generations| {
            let (source, stop) = (GenerationKind::Parents, &|| false);
            let (distinct_every, below) = (0, 0);
            let all =
                GenerationRequest { generation, source, generations, distinct_every, below, stop };
            let stepped = auto.step(&all).unwrap();
            (generation + auto.summaries().len() as u32, stepped)
        };
        assert_eq!(step(&mut auto, 0, 99), (1, true));
        assert!(auto.status().degraded_by.is_some());
        let mut generation = 1;
        while auto.trial.is_some() {
            // A run that needs fewer generations gets no more.
            let most = if generation == 2 { 5 } else { 99 };
            generation = step(&mut auto, generation, most).0;
        }
        assert!(auto.status().degraded_by.is_none());
        assert_eq!(step(&mut auto, generation, 100), (generation + 100, false));
        let snapshot = auto.snapshot().unwrap();
        assert_eq!(snapshot.islands[0].boards, b"b");
        auto.restore(&snapshot).unwrap();
        assert_eq!(
            *requests.lock().unwrap(),
            [
                "a carries out 1 from 0",
                "b continues from a",
                "b carries out 1 from 1",
                "b carries out 5 from 2",
                "b carries out 16 from 7",
                "b carries out 16 from 23",
                "b carries out 16 from 39",
                "b carries out 16 from 55",
                "c continues from b",
                "c carries out 1 from 71",
                "b continues from c",
                "b carries out 99 from 72",
                "b carries out 100 from 171",
                "b continues from b",
            ]
        );
        let lines = lines.lock().unwrap();
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert!(line.starts_with("auto continues with b: "), "{line}");
        assert!(line.ends_with(" per generation; a failed; c failed"), "{line}");
    }

    #[test]
    fn a_gpu_comes_into_question_from_256_children_on() {
        let space = SearchSpace::blank(Geometry::new(3, 3).unwrap());
        let memetic = Config::of(Preset::Memetic, &space);
        for (offspring, expected) in [(255, false), (256, true), (300, true)] {
            let config = Config { population: 300, offspring, ..memetic.clone() };
            assert_eq!((children(&config), is_worth_a_gpu(&config)), (offspring, expected));
        }
    }
}

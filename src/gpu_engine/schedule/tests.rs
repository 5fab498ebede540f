//! Generations without a device: what is bred when, however submissions divide it.

use proptest::prelude::*;

use super::*;
use crate::ga::islands::Migration;
use crate::ga::{Config, Preset, presets};

/// A plan for islands of these sizes.
fn plan(populations: &[u32], migrants: u32) -> RunPlan {
    let config = Config {
        population: populations.iter().sum(),
        islands: populations.len() as u32,
        migration_interval: 2,
        migrants,
        ..presets::config(Preset::Boxes)
    };
    RunPlan {
        largest: populations.iter().copied().max().unwrap_or(0),
        ranks: None,
        search_batch: None,
        keeps_distance: false,
        migration: Migration::new(&config, populations),
        has_channel: false,
        most_tasks: 9 * populations.len(),
        most_generations: 4,
    }
}

/// A submission of so many slots.
fn slots(slots: u32) -> SubmissionSize {
    SubmissionSize { slots, rounds: u32::MAX }
}

/// Demes of as many children as individuals.
fn demes(populations: &[u32], generation: u32, source: GenerationKind) -> Vec<Deme> {
    let has_parents = source == GenerationKind::Parents;
    let deme = |population: &u32| Deme {
        generation,
        has_parents,
        population: *population,
        offspring: *population,
        rounds: 0,
    };
    populations.iter().map(deme).collect()
}

/// Generations put together again from the commands of all submissions.
struct Bred {
    plan: RunPlan,
    /// Dispatches of the generation that is being bred: kernel, task, count.
    dispatches: Vec<(Kernel, TaskRange, u32)>,
    cleared: bool,
    told: bool,
    generations: Vec<Vec<(Kernel, TaskRange, u32)>>,
}

impl Bred {
    fn new(plan: RunPlan) -> Self {
        let (dispatches, generations) = (Vec::new(), Vec::new());
        Self { plan, dispatches, cleared: false, told: false, generations }
    }

    /// Carries a submission out, and holds it to its room.
    fn carry_out(&mut self, list: &CommandList) {
        assert!(list.tasks.len() <= self.plan.most_tasks, "{} tasks", list.tasks.len());
        assert!(list.completed.len() <= self.plan.most_generations);
        assert!(!list.commands.is_empty(), "a submission that does nothing");
        let before = self.generations.len();
        for command in &list.commands {
            match command {
                DeviceCommand::Clear => {
                    assert!(!self.cleared && self.dispatches.is_empty() && !self.told);
                    self.cleared = true;
                }
                DeviceCommand::Dispatch { kernel, tasks, count } => {
                    assert!(self.cleared, "{kernel:?} before anything was cleared");
                    let tasks = &list.tasks[tasks.clone()];
                    self.dispatches
                        .extend(tasks.iter().map(|task| (*kernel, task.clone(), *count)));
                }
                DeviceCommand::ReadBlocks { has_registers } => {
                    let done = list.completed[self.generations.len() - before];
                    assert_eq!(*has_registers, done.has_registers);
                    self.told = true;
                }
                DeviceCommand::ReadProgress => {
                    assert!(self.plan.search_batch.is_some() && list.reports_progress());
                }
                DeviceCommand::ReadEmigrants => panic!("nobody leaves for elsewhere"),
                DeviceCommand::Swap => {
                    assert!(std::mem::take(&mut self.told), "no blocks");
                    self.cleared = false;
                    self.generations.push(std::mem::take(&mut self.dispatches));
                }
            }
        }
        assert_eq!(self.generations.len() - before, list.completed.len());
    }
}

/// Slots that a kernel took of a deme in a generation, in the order of dispatches.
fn taken(dispatches: &[(Kernel, TaskRange, u32)], kernel: Kernel, deme: usize) -> Vec<u32> {
    let of = dispatches.iter().filter(|(kind, task, _)| *kind == kernel && task.deme == deme);
    of.flat_map(|(_, task, count)| {
        assert!(*count >= task.slots.len() as u32, "too few threads");
        task.slots.clone()
    })
    .collect()
}

/// Kernels that a deme went through in a generation.
fn kernels(dispatches: &[(Kernel, TaskRange, u32)], deme: usize) -> Vec<Kernel> {
    let of = dispatches.iter().filter(|(_, task, _)| task.deme == deme);
    of.map(|(kernel, ..)| *kernel).collect()
}

/// Carries out generations with submissions of these sizes, in turn.
fn run(
    plan: RunPlan,
    sources: &[GenerationKind],
    sizes: &[u32],
    most: u32,
    demes: impl Fn(u32, GenerationKind) -> Vec<Deme>,
) -> Bred {
    let mut schedule = Scheduler::new(plan);
    let mut bred = Bred::new(plan);
    let mut sizes = sizes.iter().cycle();
    while bred.generations.len() < sources.len() {
        let generation = bred.generations.len();
        if !schedule.is_begun {
            schedule.begin(demes(generation as u32, sources[generation]));
        }
        let same =
            sources[generation..].iter().skip(1).take_while(|s| **s == GenerationKind::Parents);
        let lookahead = (1 + same.count() as u32).min(most);
        let list = schedule.commands(slots(*sizes.next().unwrap()), lookahead, |at| at % 3 == 0);
        assert!(list.completed.len() as u32 <= lookahead);
        bred.carry_out(&list);
    }
    assert!(bred.dispatches.is_empty() && !bred.cleared, "nothing is begun that is not wanted");
    bred
}

const RUN: [GenerationKind; 6] = [
    GenerationKind::Initialiser,
    GenerationKind::Parents,
    GenerationKind::Parents,
    GenerationKind::Restart,
    GenerationKind::Parents,
    GenerationKind::Parents,
];

const RANKING: [Kernel; 4] =
    [Kernel::RankCount, Kernel::RankScan, Kernel::RankStart, Kernel::RankPlace];

/// Checks that a deme went through all of a generation.
fn check(dispatches: &[(Kernel, TaskRange, u32)], plan: &RunPlan, deme: usize, of: &Deme) {
    let searches = plan.search_batch.is_some();
    let slots = |kernel| taken(dispatches, kernel, deme);
    let everybody: Vec<u32> = (0..of.population).collect();
    let bred: Vec<u32> = (0..if of.has_parents { of.offspring } else { 0 }).collect();
    let none: Vec<u32> = Vec::new();
    let (begun, last) = match searches {
        true => (Kernel::Begin, Kernel::Settle),
        false => (Kernel::Breed, Kernel::Breed),
    };
    assert_eq!(slots(Kernel::Initialise), if of.has_parents { none } else { everybody });
    assert_eq!(slots(begun), bred);
    assert_eq!(slots(last), bred);
    let kept = if plan.keeps_distance { bred } else { Vec::new() };
    assert_eq!(slots(Kernel::Wait), kept);
    assert_eq!(slots(Kernel::Give), kept);
    for (_, task, _) in dispatches.iter().filter(|(_, task, _)| task.deme == deme) {
        assert_eq!((task.generation, task.has_parents), (of.generation, of.has_parents));
    }
    let all = kernels(dispatches, deme);
    let ranked = of.has_parents && plan.ranks.is_some();
    assert_eq!(all.starts_with(&RANKING), ranked);
    let count = |kernel| all.iter().filter(|other| **other == kernel).count();
    assert_eq!(count(Kernel::RankCount), usize::from(ranked));
    assert_eq!(count(Kernel::MoveIn), usize::from(plan.keeps_distance && of.has_parents));
    assert_eq!((count(Kernel::Statistics), count(Kernel::Best)), (1, 1));
    let end = [Kernel::Statistics, Kernel::Best, Kernel::Distinct];
    assert!(all.ends_with(&end) || all.ends_with(&end[..2]));
    // Nothing is searched further, nor begun, before what was begun is settled.
    let mut behind: Option<(Range<u32>, Vec<u32>)> = None;
    for (kernel, task, _) in dispatches.iter().filter(|(_, task, _)| task.deme == deme) {
        match kernel {
            Kernel::Begin => {
                assert!(behind.is_none() && task.slots.len() as u32 <= plan.search_batch.unwrap());
                behind = Some((task.slots.clone(), vec![0; task.slots.len()]));
            }
            Kernel::Search => {
                let (slots, rounds) = behind.as_mut().expect("a round of nothing");
                assert_eq!(task.slots.start, slots.start + task.searcher);
                let first = task.searcher as usize;
                rounds[first..][..task.slots.len()].iter_mut().for_each(|rounds| *rounds += 1);
            }
            Kernel::Settle => {
                let (slots, rounds) = behind.take().expect("an end of nothing");
                assert_eq!((slots, task.searcher), (task.slots.clone(), 0));
                let least = rounds.iter().min().copied().unwrap_or(0);
                assert!(least >= of.rounds && rounds.iter().all(|rounds| *rounds == least));
            }
            _ => {}
        }
    }
    assert!(behind.is_none());
}

proptest! {
    #[test]
    fn every_slot_of_every_island_is_bred_once_whatever_the_size(
        populations in proptest::collection::vec(1u32..9, 1..5),
        sizes in proptest::collection::vec(1u32..40, 1..5),
        batch in 1u32..6, rounds in 0u32..6, most in 1u32..4,
        searches: bool, ranks: bool, keeps_distance: bool,
    ) {
        let (search_batch, ranks) = (searches.then_some(batch), ranks.then_some(49));
        let plan = RunPlan { search_batch, ranks, keeps_distance, ..plan(&populations, 1) };
        let wanted = |generation, source| {
            let mut demes = demes(&populations, generation, source);
            for deme in &mut demes {
                (deme.offspring, deme.rounds) = (deme.population.div_ceil(2), rounds);
            }
            demes
        };
        let bred = run(plan, &RUN, &sizes, most, wanted);
        for (generation, (dispatches, source)) in bred.generations.iter().zip(RUN).enumerate() {
            for (number, deme) in wanted(generation as u32, source).iter().enumerate() {
                check(dispatches, &plan, number, deme);
            }
        }
    }

    #[test]
    fn every_slot_of_every_run_is_bred_once_whatever_the_size(
        runs in proptest::collection::vec(
            (1u32..20, 1u32..20, 0u32..5, any::<bool>(), 0u32..99), 1..9,
        ),
        sizes in proptest::collection::vec(1u32..60, 1..5),
        searches: bool, ranks: bool, keeps_distance: bool,
    ) {
        let deme = |(population, offspring, rounds, has_parents, generation)| Deme {
            generation, has_parents, population, offspring: population.min(offspring), rounds,
        };
        let mut wanted: Vec<Deme> = runs.into_iter().map(deme).collect();
        wanted.sort_by_key(|deme| deme.has_parents);
        let populations: Vec<u32> = wanted.iter().map(|deme| deme.population).collect();
        let search_batch = searches.then_some(u32::MAX);
        let plan = RunPlan {
            search_batch, ranks: ranks.then_some(49), keeps_distance, ..plan(&populations, 0)
        };
        let bred = run(plan, &RUN[..1], &sizes, 1, |_, _| wanted.clone());
        for (number, deme) in wanted.iter().enumerate() {
            check(&bred.generations[0], &plan, number, deme);
        }
    }

    /// Where there are more children than get their slots at once.
    #[test]
    fn many_children_get_their_slots_part_by_part(
        children in 250u32..1_100, sizes in proptest::collection::vec(1u32..900, 1..5),
    ) {
        let populations = [1_200, 1_100];
        let plan = RunPlan { keeps_distance: true, ..plan(&populations, 0) };
        let wanted = |generation, source| {
            let mut demes = demes(&populations, generation, source);
            demes.iter_mut().for_each(|deme| deme.offspring = children);
            demes
        };
        let bred = run(plan, &RUN[..2], &sizes, 9, wanted);
        for (number, deme) in wanted(1, GenerationKind::Parents).iter().enumerate() {
            check(&bred.generations[1], &plan, number, deme);
            let tiles = bred.generations[1].iter().filter(|(kernel, task, _)| {
                *kernel == Kernel::Give && task.deme == number
            });
            assert!(tiles.clone().all(|(_, task, _)| task.slots.len() as u32 <= TILE_CHILDREN));
        }
    }
}

/// Slots of demes that were bred, and the generations that were completed.
fn bred_by(list: &CommandList) -> (Vec<(usize, Range<u32>)>, usize) {
    let of = |command: &DeviceCommand| match command {
        DeviceCommand::Dispatch { kernel: Kernel::Breed, tasks, .. } => Some(tasks.clone()),
        _ => None,
    };
    let tasks = list.commands.iter().filter_map(of).flatten();
    let bred = tasks.map(|task| (list.tasks[task].deme, list.tasks[task].slots.clone()));
    (bred.collect(), list.completed.len())
}

#[test]
fn the_example_of_the_module() {
    let of = |size| {
        let mut schedule = Scheduler::new(plan(&[5, 5, 5], 0));
        schedule.begin(demes(&[5, 5, 5], 4, GenerationKind::Parents));
        let mut next = || bred_by(&schedule.commands(slots(size), 1, |_| false));
        [next(), next(), next()]
    };
    let whole = |deme| (deme, 0..5);
    assert_eq!(of(10)[..2], [(vec![whole(0), whole(1)], 0), (vec![whole(2)], 1)]);
    let expected = [(vec![(0, 0..3)], 0), (vec![(0, 3..5), (1, 0..1)], 0), (vec![(1, 1..4)], 0)];
    assert_eq!(of(3), expected);
}

#[test]
fn runs_search_together_until_the_longest_is_done() {
    let of =
        |rounds| Deme { generation: 7, has_parents: true, population: 9, offspring: 4, rounds };
    let plan = RunPlan { search_batch: Some(u32::MAX), ..plan(&[9, 9, 9], 0) };
    let mut schedule = Scheduler::new(plan);
    schedule.begin(vec![of(1), of(3), of(2)]);
    let mut searched = |size| -> (Vec<Vec<usize>>, u32) {
        let list = schedule.commands(slots(size), 1, |_| false);
        let of = |command: &DeviceCommand| match command {
            DeviceCommand::Dispatch { kernel: Kernel::Search, tasks, .. } => {
                Some(list.tasks[tasks.clone()].iter().map(|task| task.deme).collect())
            }
            _ => None,
        };
        (list.commands.iter().filter_map(of).collect(), list.spent())
    };
    // Two runs together; then the second of them alone has two rounds of its own.
    assert_eq!(searched(8), (vec![vec![0, 1]], 8));
    assert_eq!(searched(8), (vec![vec![0, 1]; 2], 8));
    assert_eq!(searched(20), (vec![vec![2]; 2], 8));
}

#[test]
fn a_round_of_many_children_is_divided() {
    let plan = RunPlan { search_batch: Some(30), ..plan(&[50], 0) };
    let mut schedule = Scheduler::new(plan);
    let deme = Deme { generation: 7, has_parents: true, population: 50, offspring: 50, rounds: 2 };
    schedule.begin(vec![deme]);
    let mut next = |size| -> Vec<(u32, u32)> {
        let list = schedule.commands(slots(size), 1, |_| false);
        let of = |command: &DeviceCommand| match command {
            DeviceCommand::Dispatch { kernel: Kernel::Search, tasks, .. } => Some(tasks.clone()),
            _ => None,
        };
        let tasks = list.commands.iter().filter_map(of).flatten();
        tasks.map(|task| (list.tasks[task].slots.start, list.tasks[task].slots.end)).collect()
    };
    // Two batches of 25 children, whose rounds have parts of equal size; then a round at a time.
    assert_eq!(next(10), [(0, 9)]);
    assert_eq!(next(20), [(9, 25)]);
    assert_eq!(next(30), [(0, 25)]);
    assert_eq!(next(99), [(25, 50), (25, 50)]);
}

#[test]
fn rounds_of_searches_that_are_over_are_left_out() {
    let plan = RunPlan { search_batch: Some(u32::MAX), ..plan(&[9, 9], 0) };
    let deme = Deme { generation: 7, has_parents: true, population: 9, offspring: 4, rounds: 50 };
    let mut schedule = Scheduler::new(plan);
    schedule.begin(vec![deme; 2]);
    let searched = |schedule: &mut Scheduler, size| {
        let list = schedule.commands(slots(size), 1, |_| false);
        let is = |kernel: Kernel| {
            let of = |command: &&DeviceCommand| matches!(command, DeviceCommand::Dispatch { kernel: other, .. } if *other == kernel);
            list.commands.iter().filter(of).count()
        };
        (is(Kernel::Begin), is(Kernel::Search), is(Kernel::Settle))
    };
    assert_eq!(searched(&mut schedule, 4), (1, 1, 0));
    schedule.skip_rounds();
    // The second deme has begun, but had no round.
    assert_eq!(searched(&mut schedule, 4), (1, 1, 1));
    assert_eq!(searched(&mut schedule, 8), (0, 2, 0));
    schedule.skip_rounds();
    assert_eq!(searched(&mut schedule, 4), (0, 0, 1));

    // Of a part of the children nothing follows for the others.
    schedule.begin(vec![deme]);
    assert_eq!(searched(&mut schedule, 2), (1, 1, 0));
    schedule.skip_rounds();
    assert_eq!(searched(&mut schedule, 2), (0, 1, 0));
}

#[test]
fn a_submission_has_as_many_rounds_as_it_may() {
    let plan = RunPlan { search_batch: Some(u32::MAX), ..plan(&[9, 9], 0) };
    let mut schedule = Scheduler::new(plan);
    let deme = Deme { generation: 7, has_parents: true, population: 9, offspring: 2, rounds: 5 };
    schedule.begin(vec![deme, Deme { rounds: 3, ..deme }]);
    let size = SubmissionSize { slots: 1_000, rounds: 2 };
    let mut next = || {
        let list = schedule.commands(size, 1, |_| false);
        (list.rounds, list.searched, list.reports_progress(), list.completed.len())
    };
    assert_eq!([next(), next()], [(2, 8, true, 0), (2, 6, true, 0)]);
    // The last round, and the generation ends.
    assert_eq!(next(), (1, 2, false, 1));
}

#[test]
fn individuals_leave_everywhere_before_they_come() {
    let sizes = [4, 4, 3];
    let wanted = |generation, source| demes(&sizes, generation, source);
    let bred = run(plan(&sizes, 2), &RUN, &[1_000], 9, wanted);
    let travels = |dispatches: &Vec<(Kernel, TaskRange, u32)>| -> Vec<(Kernel, usize, u32)> {
        let travel = [Kernel::Emigrate, Kernel::Immigrate];
        let of = dispatches.iter().filter(|(kernel, ..)| travel.contains(kernel));
        of.map(|(kernel, task, count)| (*kernel, task.deme, *count)).collect()
    };
    let (leave, come) = (Kernel::Emigrate, Kernel::Immigrate);
    let all =
        [(leave, 0, 2), (leave, 1, 2), (leave, 2, 2), (come, 0, 2), (come, 1, 2), (come, 2, 2)];
    // Every second generation, but not one of new boards.
    for (generation, dispatches) in bred.generations.iter().enumerate() {
        let expected = if [2, 4].contains(&generation) { &all[..] } else { &[] };
        assert_eq!(travels(dispatches), expected, "generation {generation}");
    }
}

#[test]
fn those_who_come_from_another_engine_are_awaited() {
    let plan = RunPlan { has_channel: true, ..plan(&[5, 5], 2) };
    let mut schedule = Scheduler::new(plan);
    schedule.begin(demes(&[5, 5], 2, GenerationKind::Parents));
    let first = schedule.commands(slots(1_000), 9, |_| false);
    assert_eq!(first.commands.last(), Some(&DeviceCommand::ReadEmigrants));
    assert!(first.leaves && first.completed.is_empty());
    assert_eq!((schedule.awaited(), schedule.is_begun), (Some(2), true));
    let second = schedule.commands(slots(1_000), 1, |_| false);
    assert_eq!((second.completed.len(), second.spent(), schedule.awaited()), (1, 0, None));
    assert!(!schedule.is_begun);
}

#[test]
fn generations_share_a_submission_as_far_as_slots_and_room_allow() {
    let generations = |size, lookahead| {
        let mut schedule = Scheduler::new(plan(&[10], 0));
        schedule.begin(demes(&[10], 1, GenerationKind::Parents));
        let list = schedule.commands(slots(size), lookahead, |_| true);
        assert!(list.completed.iter().all(|done| done.spent == 10 && done.evaluations == 10));
        (list.completed.len(), list.rest)
    };
    assert_eq!(generations(35, 99), (3, 0));
    assert_eq!(generations(35, 2), (2, 0));
    assert_eq!(generations(7, 99), (0, 7));
    // Four blocks come back at a time.
    assert_eq!(generations(1_000, 99), (4, 0));
}

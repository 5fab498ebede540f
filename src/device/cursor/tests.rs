//! Runs without a device: what is bred when, however submissions cut it.

use std::time::Duration;

use proptest::prelude::*;

use super::super::pace::SlotPace;
use super::super::search::round_steps;
use super::*;
use crate::ga::islands::Migration;
use crate::ga::{Config, Preset, presets};

/// A course over islands of these sizes, each of which has as many children as individuals.
fn course(populations: &[u32], migrants: u32) -> Course {
    let config = Config {
        population: populations.iter().sum(),
        islands: populations.len() as u32,
        migration_interval: 2,
        migrants,
        ..presets::config(Preset::Boxes)
    };
    Course {
        populations: populations.to_vec(),
        offspring: populations.to_vec(),
        search: None,
        ranks: None,
        keeps_distance: false,
        migration: Migration::new(&config, populations),
        has_strait: false,
        most_tasks: 5 * populations.len().max(4),
        most_blocks: 4 * populations.len(),
    }
}

/// A run's generations, put together again from the orders of all its submissions.
struct Told {
    course: Course,
    /// Orders of the generation that is being bred: kernel, task, count.
    dispatches: Vec<(KernelKind, Assignment, u32)>,
    cleared: bool,
    told: Vec<usize>,
    generations: Vec<Vec<(KernelKind, Assignment, u32)>>,
}

impl Told {
    fn new(course: &Course) -> Self {
        let (dispatches, told, generations) = (Vec::new(), Vec::new(), Vec::new());
        Self { course: course.clone(), dispatches, cleared: false, told, generations }
    }

    /// Carries a submission out, and holds it to its room.
    fn carry_out(&mut self, work: &Workload) {
        assert!(work.tasks.len() <= self.course.most_tasks, "{} tasks", work.tasks.len());
        let islands = self.course.populations.len();
        assert!(work.completed.len() * islands <= self.course.most_blocks);
        let before = self.generations.len();
        for order in &work.orders {
            match *order {
                Order::Clear => {
                    assert!(!self.cleared && self.dispatches.is_empty() && self.told.is_empty());
                    self.cleared = true;
                }
                Order::Dispatch { kernel, task, count } => {
                    assert!(self.cleared, "{kernel:?} before anything was cleared");
                    self.dispatches.push((kernel, work.tasks[task].clone(), count));
                }
                Order::Tell { island, has_registers } => {
                    let completed = work.completed[self.generations.len() - before];
                    assert_eq!(has_registers, completed.has_registers);
                    self.told.push(island);
                }
                Order::Leave => panic!("nobody leaves for elsewhere"),
                Order::Swap => {
                    let all: Vec<usize> = (0..islands).collect();
                    assert_eq!(std::mem::take(&mut self.told), all, "blocks in order");
                    self.cleared = false;
                    self.generations.push(std::mem::take(&mut self.dispatches));
                }
            }
        }
        assert_eq!(self.generations.len() - before, work.completed.len());
    }
}

/// Slots that a kernel took on an island in a generation, in the order of dispatches.
fn slots(
    dispatches: &[(KernelKind, Assignment, u32)],
    kernel: KernelKind,
    island: usize,
) -> Vec<u32> {
    let of = dispatches.iter().filter(|(kind, task, _)| *kind == kernel && task.island == island);
    of.flat_map(|(_, task, count)| {
        assert_eq!(task.slots.len() as u32, *count);
        task.slots.clone()
    })
    .collect()
}

/// Carries out generations from the first on with submissions of these sizes, in turn.
fn run(course: &Course, sources: &[GenerationKind], paces: &[u32], most: u32) -> Told {
    let mut cursor = Cursor::new(course.clone());
    let mut told = Told::new(course);
    let mut paces = paces.iter().cycle();
    while told.generations.len() < sources.len() {
        let generation = told.generations.len();
        cursor.go_on(generation as u32, sources[generation]);
        let same =
            sources[generation..].iter().skip(1).take_while(|s| **s == GenerationKind::Parents);
        let lookahead = (1 + same.count() as u32).min(most);
        let pace = *paces.next().unwrap();
        let work = cursor.workload(pace, lookahead, |generation| generation % 3 == 0);
        assert!(work.source == sources[generation] && work.completed.len() as u32 <= lookahead);
        assert!(!work.orders.is_empty(), "a submission that does nothing");
        told.carry_out(&work);
    }
    assert!(told.dispatches.is_empty() && !told.cleared, "nothing is begun that is not wanted");
    told
}

const RUN: [GenerationKind; 6] = [
    GenerationKind::Initialiser,
    GenerationKind::Parents,
    GenerationKind::Parents,
    GenerationKind::Restart,
    GenerationKind::Parents,
    GenerationKind::Parents,
];

proptest! {
    #[test]
    fn every_slot_of_every_island_is_bred_once_whatever_the_pace(
        populations in proptest::collection::vec(1u32..9, 1..5),
        paces in proptest::collection::vec(1u32..40, 1..5),
        batch in 1u32..6, rounds in 0u32..6, most in 1u32..4,
        searches: bool, ranks: bool, keeps_distance: bool,
    ) {
        let search = searches.then_some(Rounds { batch, rounds });
        let ranks = ranks.then_some(49);
        let offspring: Vec<u32> = populations.iter().map(|size| size.div_ceil(2)).collect();
        let course = Course { search, ranks, keeps_distance, offspring, ..course(&populations, 1) };
        let told = run(&course, &RUN, &paces, most);
        let (breed, last) = match searches {
            true => (KernelKind::Begin, KernelKind::Settle),
            false => (KernelKind::Breed, KernelKind::Breed),
        };
        for (generation, (dispatches, source)) in told.generations.iter().zip(RUN).enumerate() {
            let has_parents = source == GenerationKind::Parents;
            for (_, task, _) in dispatches {
                prop_assert_eq!(task.generation, generation as u32);
                prop_assert_eq!(task.has_parents, has_parents);
            }
            for (island, (population, children)) in populations.iter().zip(&course.offspring).enumerate() {
                let everybody: Vec<u32> = (0..*population).collect();
                let bred: Vec<u32> = (0..if has_parents { *children } else { 0 }).collect();
                let of = |kernel| slots(dispatches, kernel, island);
                let drawn = of(KernelKind::Initialise);
                prop_assert_eq!(&drawn, if has_parents { &[][..] } else { &everybody[..] });
                prop_assert_eq!(&of(breed), &bred);
                prop_assert_eq!(&of(last), &bred);
                prop_assert_eq!(&of(KernelKind::Statistics), &everybody);
                let kept = if keeps_distance { &bred[..] } else { &[] };
                prop_assert_eq!(of(KernelKind::Wait), kept);
                prop_assert_eq!(of(KernelKind::Give), kept);
                let moved = if keeps_distance && has_parents { &everybody[..] } else { &[] };
                prop_assert_eq!(of(KernelKind::MoveIn), moved);
                let all: Vec<KernelKind> = dispatches
                    .iter()
                    .filter(|(_, task, _)| task.island == island)
                    .map(|(kernel, ..)| *kernel)
                    .collect();
                let ranked = has_parents && ranks.is_some();
                let ranking = [
                    KernelKind::RankCount,
                    KernelKind::RankScan,
                    KernelKind::RankStart,
                    KernelKind::RankPlace,
                ];
                prop_assert_eq!(all.starts_with(&ranking), ranked);
                let counted = all.iter().filter(|kernel| **kernel == KernelKind::RankCount);
                prop_assert_eq!(counted.count(), usize::from(ranked));
            }
        }
    }

    /// A batch begins, has all its rounds, and is settled before the next one begins.
    #[test]
    fn rounds_come_in_order(
        paces in proptest::collection::vec(1u32..40, 1..5), batch in 1u32..6, rounds in 0u32..6,
    ) {
        let course = Course { search: Some(Rounds { batch, rounds }), ..course(&[7, 4], 0) };
        let told = run(&course, &RUN[..3], &paces, 9);
        for dispatches in &told.generations[1..] {
            let mut begun: Option<(Assignment, u32)> = None;
            for (kernel, task, _) in dispatches {
                match kernel {
                    KernelKind::Begin => {
                        prop_assert!(begun.is_none() && task.slots.len() as u32 <= batch);
                        begun = Some((task.clone(), 0));
                    }
                    KernelKind::Search => {
                        let (of, count) = begun.as_mut().expect("a round of nothing");
                        prop_assert_eq!(&*of, task);
                        *count += 1;
                    }
                    KernelKind::Settle => {
                        let begun = begun.take();
                        prop_assert_eq!(begun, Some((task.clone(), rounds)));
                    }
                    _ => {}
                }
            }
            prop_assert!(begun.is_none());
        }
    }
}

#[test]
fn the_example_of_the_module() {
    let mut cursor = Cursor::new(course(&[5, 5], 0));
    cursor.go_on(4, GenerationKind::Parents);
    let mut submissions = Vec::new();
    for _ in 0..4 {
        let work = cursor.workload(3, 9, |_| false);
        let bred = work.tasks.iter().filter(|task| task.slots != (0..5));
        let bred: Vec<_> = bred.map(|task| (task.island, task.slots.clone())).collect();
        submissions.push((bred, work.completed.len(), work.rest));
    }
    let expected = [
        (vec![(0, 0..3)], 0, 3),
        (vec![(0, 3..5), (1, 0..1)], 0, 3),
        (vec![(1, 1..4)], 0, 3),
        (vec![(1, 4..5)], 1, 0),
    ];
    assert_eq!(submissions, expected);
}

#[test]
fn individuals_leave_everywhere_before_they_come() {
    let told = run(&course(&[4, 4, 3], 2), &RUN, &[1_000], 9);
    let travels =
        |dispatches: &Vec<(KernelKind, Assignment, u32)>| -> Vec<(KernelKind, usize, u32)> {
            let travel = [KernelKind::Emigrate, KernelKind::Immigrate];
            let of = dispatches.iter().filter(|(kernel, ..)| travel.contains(kernel));
            of.map(|(kernel, task, count)| (*kernel, task.island, *count)).collect()
        };
    let (leave, come) = (KernelKind::Emigrate, KernelKind::Immigrate);
    let all =
        [(leave, 0, 2), (leave, 1, 2), (leave, 2, 2), (come, 0, 2), (come, 1, 2), (come, 2, 2)];
    // Every second generation, but not one of new boards.
    for (generation, dispatches) in told.generations.iter().enumerate() {
        let expected = if [2, 4].contains(&generation) { &all[..] } else { &[] };
        assert_eq!(travels(dispatches), expected, "generation {generation}");
    }
}

#[test]
fn generations_share_a_submission_as_far_as_slots_and_room_allow() {
    let generations = |pace, lookahead| {
        let mut cursor = Cursor::new(course(&[10], 0));
        cursor.go_on(1, GenerationKind::Parents);
        let work = cursor.workload(pace, lookahead, |_| true);
        assert!(work.completed.iter().all(|told| told.spent == 10 && told.evaluations == 10));
        (work.completed.len(), work.rest)
    };
    assert_eq!(generations(35, 99), (3, 0));
    assert_eq!(generations(35, 2), (2, 0));
    assert_eq!(generations(7, 99), (0, 7));
    // Four blocks come back at a time.
    assert_eq!(generations(1_000, 99), (4, 0));
}

/// Milliseconds that a dispatch takes by the clock of a slow GPU: `alone` candidates a millisecond
/// for a search by itself, `together` for all of them.
fn milliseconds(round: u64, searches: u32, alone: u64, together: u64) -> u64 {
    (round / alone).max(round * u64::from(searches) / together)
}

/// Searches of all sizes on GPUs of several rates: no dispatch is long, and soon no submission.
#[test]
fn no_part_of_a_search_takes_long() {
    // Candidates of a 9x9, a 25x25, a 36x36 and a 49x49 puzzle, and one of 64x64 without givens.
    for candidates in [216, 1_000, 3_900, 12_000, 262_144] {
        for (children, batch) in [(4, 256), (8, 256), (5_000, 605), (5_000, 5_000)] {
            for (alone, together) in
                [(30_000, 4_000_000), (100_000, 40_000_000), (400_000, 400_000_000)]
            {
                let steps = round_steps(candidates);
                let round = u64::from(steps) * candidates as u64;
                let rounds = 20_000 / steps;
                let search = Some(Rounds { batch, rounds });
                let mut cursor = Cursor::new(Course { search, ..course(&[children], 0) });
                let mut pace = SlotPace::careful(None, children);
                cursor.go_on(0, GenerationKind::Initialiser);
                cursor.workload(u32::MAX, 1, |_| false);
                for submission in 0..200 {
                    let work = cursor.workload(pace.slots(), 1, |_| false);
                    let mut took = 0;
                    for order in &work.orders {
                        let Order::Dispatch { kernel: KernelKind::Search, count, .. } = order
                        else {
                            continue;
                        };
                        let dispatch = milliseconds(round, *count, alone, together);
                        assert!(dispatch <= 100, "{candidates} {children} {dispatch} ms");
                        took += dispatch;
                    }
                    let label = format!("{candidates} {children} {alone} {submission}: {took} ms");
                    assert!(took <= 400, "{label}");
                    let done: u32 = work.completed.iter().map(|done| done.spent).sum();
                    pace.note(done + work.rest, Duration::from_millis(took));
                }
            }
        }
    }
}

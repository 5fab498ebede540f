//! The pace: how large submissions are, so that each takes about a tenth of a second.
//!
//! A slot is a child that is bred, or a round of a child's search. A search may be over before its last round, and its
//! rounds after that cost nothing. So the pace follows the rounds that searches really made, which the blocks of their
//! demes tell:
//!
//! ```text
//! planned   ████████████████   4 rounds of 4 children
//! made      ███████░░░░░░░░░   three searches were over in the second round
//! ```
//!
//! By the planned rounds, searches that are over would let submissions grow without end; the first hard puzzle
//! after them would take seconds, and drivers end a submission that does. A round takes its time however few are
//! searched, so that the number of rounds has a pace of its own.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::schedule::{CommandList, SubmissionSize};
use crate::gpu::AdaptiveSize;

/// Time that a submission should take.
const SUBMISSION: Duration = Duration::from_millis(100);
/// The same of one that searches, which may be a dispatch alone: no dispatch should take a tenth of a second.
const SEARCH: Duration = Duration::from_millis(80);
/// Slots of the first submission: a tenth of a second if a child takes 25 µs.
const FIRST_SLOTS: usize = 4096;
/// Fewest and most slots: fewer would leave most of a GPU idle.
const SLOTS: RangeInclusive<usize> = 256..=u32::MAX as usize;
/// The same where slots are rounds of searches, one of which takes milliseconds on a slow GPU. The fastest make about
/// a million in a tenth of a second.
const FIRST_SEARCHED: usize = 32;
const SEARCHED: RangeInclusive<usize> = 8..=1 << 20;
/// The same of the rounds themselves.
const FIRST_ROUNDS: usize = 1;
const ROUNDS: RangeInclusive<usize> = 1..=256;

/// The sizes of submissions.
#[derive(Debug)]
pub(super) struct Pace {
    /// Slots of one that draws new boards.
    drawn: AdaptiveSize,
    /// Slots of one that breeds children.
    bred: AdaptiveSize,
    /// Rounds of one in which children are searched, if they are.
    rounds: Option<AdaptiveSize>,
    /// Rounds of a child that the searches of the generation made in the submissions before.
    before: f64,
}

impl Pace {
    /// Submissions of `chunk` slots, or of sizes that adapt to their times.
    pub(super) fn new(chunk: Option<u32>, searches: bool) -> Self {
        let slots = |target, first, bounds| match chunk {
            Some(chunk) => AdaptiveSize::fixed(chunk as usize),
            None => AdaptiveSize::new(target, first, bounds),
        };
        let drawn = slots(SUBMISSION, FIRST_SLOTS, SLOTS);
        let bred = if searches { slots(SEARCH, FIRST_SEARCHED, SEARCHED) } else { drawn.clone() };
        let rounds = match chunk {
            Some(_) => AdaptiveSize::fixed(u32::MAX as usize),
            None => AdaptiveSize::new(SEARCH, FIRST_ROUNDS, ROUNDS),
        };
        Self { drawn, bred, rounds: searches.then_some(rounds), before: 0.0 }
    }

    /// Another generation begins, whether or not the last one was completed.
    pub(super) fn begin(&mut self) {
        self.before = 0.0;
    }

    /// The size of the next submission, of children or of new boards.
    pub(super) fn size(&self, has_parents: bool) -> SubmissionSize {
        let number = |size: &AdaptiveSize| u32::try_from(size.get()).unwrap_or(u32::MAX);
        let slots = number(if has_parents { &self.bred } else { &self.drawn });
        SubmissionSize { slots, rounds: self.rounds.as_ref().map_or(u32::MAX, number) }
    }

    /// Adapts to the time of a submission. `made` are the rounds of a child that searches made in all of the
    /// generations that it completed, and so far in the one after those.
    pub(super) fn note(&mut self, list: &CommandList, made: [f64; 2], elapsed: Duration) {
        let slots = f64::from(list.spent());
        match &mut self.rounds {
            _ if !list.has_parents => self.drawn.note(slots, elapsed),
            None => self.bred.note(slots, elapsed),
            // What else there is to do takes no time beside searches.
            Some(rounds) if list.rounds > 0 => {
                let searched = (made[0] + made[1] - self.before).max(0.0);
                self.bred.note(searched, elapsed);
                if searched >= f64::from(list.searched / 2) {
                    rounds.note(list.rounds.into(), elapsed);
                }
                self.before = made[1];
            }
            Some(_) if list.completed.is_empty() => {}
            Some(_) => self.before = 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::local_search::round_steps;
    use super::super::schedule::{Deme, DeviceCommand, RunPlan, Scheduler};
    use super::super::shader::Kernel;
    use super::*;
    use crate::ga::islands::Migration;
    use crate::ga::{Preset, presets};

    /// Steps of a search.
    const STEPS: u32 = 20_000;
    /// The longest dispatch and the longest submission that are allowed, in microseconds.
    const LONGEST: [u64; 2] = [100_000, 500_000];

    /// A GPU that is a clock alone: candidates that it evaluates in a millisecond, for a search by itself and for
    /// all together.
    #[derive(Clone, Copy, Debug)]
    struct MockGpu {
        alone: u64,
        together: u64,
    }

    /// A tenth of an integrated GPU, and three larger ones.
    const GPUS: [MockGpu; 4] = [
        MockGpu { alone: 10_000, together: 400_000 },
        MockGpu { alone: 30_000, together: 4_000_000 },
        MockGpu { alone: 100_000, together: 40_000_000 },
        MockGpu { alone: 400_000, together: 400_000_000 },
    ];

    /// A deme whose children are searched.
    #[derive(Clone, Debug)]
    struct MockDeme {
        candidates: usize,
        /// Steps that are left to each child.
        left: Vec<u32>,
        /// Rounds of a child that were made.
        made: f64,
    }

    impl MockDeme {
        fn round(&self) -> u32 {
            round_steps(self.candidates)
        }

        /// Searches a child for a round; returns the candidates that were evaluated.
        fn search(&mut self, child: usize) -> u64 {
            let steps = self.round().min(self.left[child]);
            self.left[child] -= steps;
            self.made += f64::from(steps) / f64::from(self.round());
            u64::from(steps) * self.candidates as u64
        }
    }

    impl MockGpu {
        /// Carries a submission out; returns the microseconds of its longest dispatch, and of all.
        fn carry_out(self, list: &CommandList, demes: &mut [MockDeme]) -> [u64; 2] {
            let mut times = [0, 0];
            for command in &list.commands {
                let DeviceCommand::Dispatch { kernel: Kernel::Search, tasks, .. } = command else {
                    continue;
                };
                let (mut longest, mut all) = (0, 0);
                for task in &list.tasks[tasks.clone()] {
                    for child in task.slots.clone() {
                        let candidates = demes[task.deme].search(child as usize);
                        (longest, all) = (longest.max(candidates), all + candidates);
                    }
                }
                let took = (1_000 * longest / self.alone).max(1_000 * all / self.together);
                times = [times[0].max(took), times[1] + took];
            }
            times
        }
    }

    /// Steps of the search of a child, by the number of the generation, of the deme and of the child.
    type Steps = fn(u32, usize, u32) -> u32;

    /// Carries out `generations` generations of demes of so many children, whose puzzles have so many candidates;
    /// returns the number of submissions of the last one.
    fn paced(
        gpu: MockGpu,
        demes: &[(usize, u32)],
        batch: u32,
        generations: u32,
        steps: Steps,
    ) -> usize {
        let populations: Vec<u32> = demes.iter().map(|(_, children)| *children).collect();
        let plan = RunPlan {
            largest: populations.iter().copied().max().unwrap(),
            ranks: None,
            search_batch: Some(batch),
            keeps_distance: false,
            migration: Migration::new(&presets::config(Preset::Tabu), &populations),
            has_channel: false,
            most_tasks: demes.len() + 256,
            most_generations: 1,
        };
        let (mut schedule, mut pace) = (Scheduler::new(plan), Pace::new(None, true));
        let mut submissions = 0;
        for generation in 0..generations {
            let mock = |(deme, (candidates, children)): (usize, &(usize, u32))| MockDeme {
                candidates: *candidates,
                left: (0..*children).map(|child| steps(generation, deme, child)).collect(),
                made: 0.0,
            };
            let mut mocks: Vec<MockDeme> = demes.iter().enumerate().map(mock).collect();
            let deme = |mock: &MockDeme| Deme {
                generation,
                has_parents: true,
                population: mock.left.len() as u32,
                offspring: mock.left.len() as u32,
                rounds: STEPS.div_ceil(mock.round().min(STEPS)),
            };
            schedule.begin(mocks.iter().map(deme).collect());
            pace.begin();
            let mut before = 0.0;
            submissions = 0;
            loop {
                submissions += 1;
                let list = schedule.commands(pace.size(true), 1, |_| false);
                let times = gpu.carry_out(&list, &mut mocks);
                let is_short = times.iter().zip(LONGEST).all(|(took, most)| *took <= most);
                assert!(is_short, "{gpu:?}, generation {generation}: {times:?} us");
                let made = mocks.iter().map(|mock| mock.made).sum();
                let is_done = !list.completed.is_empty();
                let made = if is_done { [made, 0.0] } else { [0.0, made] };
                // A submission takes a tenth of a millisecond by itself.
                let elapsed = Duration::from_micros(times[1] + 100);
                pace.note(&list, made, elapsed);
                if is_done {
                    break;
                }
                if made[1] == before {
                    schedule.skip_rounds();
                }
                before = made[1];
            }
        }
        submissions
    }

    #[test]
    fn short_searches_share_submissions() {
        for gpu in GPUS {
            for steps in [50, 300] {
                let steps: Steps = if steps == 50 { |_, _, _| 50 } else { |_, _, _| 300 };
                let submissions = paced(gpu, &[(216, 8); 300], u32::MAX, 9, steps);
                assert!(submissions < 100, "{gpu:?}: {submissions}");
            }
        }
    }

    #[test]
    fn each_kind_of_work_has_a_size_of_its_own() {
        let list = |has_parents: bool, rest: u32, rounds: u32| {
            let mut list = CommandList::default();
            (list.has_parents, list.rest, list.rounds, list.searched) =
                (has_parents, rest, rounds, rest);
            list
        };
        let millis = Duration::from_millis;
        let mut pace = Pace::new(None, false);
        pace.note(&list(false, 4096, 0), [0.0; 2], millis(200));
        pace.note(&list(true, 4096, 0), [0.0; 2], millis(50));
        assert_eq!((pace.size(false).slots, pace.size(true).slots), (2048, 8192));
        assert_eq!(pace.size(true).rounds, u32::MAX);

        let mut pace = Pace::new(None, true);
        assert_eq!(pace.size(true), SubmissionSize { slots: 32, rounds: 1 });
        // The rest of a generation is no search.
        pace.note(&list(true, 999, 0), [0.0; 2], millis(1));
        assert_eq!(pace.size(true), SubmissionSize { slots: 32, rounds: 1 });
        pace.note(&list(true, 32, 1), [0.0, 32.0], millis(40));
        assert_eq!(pace.size(true), SubmissionSize { slots: 64, rounds: 2 });
        // Of four rounds of 16, two and a half were made: after 32 before them, 72 in all.
        pace.note(&list(true, 64, 4), [0.0, 72.0], millis(80));
        assert_eq!(pace.size(true), SubmissionSize { slots: 40, rounds: 4 });
        // Most searches were over: that says nothing about rounds, but more children would have fitted.
        pace.note(&list(true, 40, 4), [0.0, 91.0], millis(8));
        assert_eq!(pace.size(true), SubmissionSize { slots: 190, rounds: 4 });
        // What is no search changes nothing.
        pace.note(&list(true, 9, 0), [0.0; 2], millis(8));
        pace.note(&list(true, 40, 4), [0.0, 111.0], millis(8));
        assert_eq!(pace.size(true), SubmissionSize { slots: 200, rounds: 32 });
        // A generation that was dropped leaves nothing behind.
        pace.begin();
        pace.note(&list(true, 200, 32), [0.0, 200.0], millis(800));
        assert_eq!(pace.size(true), SubmissionSize { slots: 20, rounds: 3 });
        // At most a million.
        for _ in 0..9 {
            let SubmissionSize { slots, rounds } = pace.size(true);
            pace.note(&list(true, slots, rounds), [f64::from(slots), 0.0], millis(0));
        }
        assert_eq!(pace.size(true), SubmissionSize { slots: 1 << 20, rounds: 256 });
    }

    /// Candidates of a 9x9, a 25x25, a 36x36 and a 49x49 puzzle, and of one of 64x64 without givens.
    const CANDIDATES: [usize; 5] = [216, 1_000, 3_900, 12_000, 262_144];

    #[test]
    fn no_search_takes_long() {
        for gpu in GPUS {
            for candidates in &CANDIDATES[..4] {
                paced(gpu, &[(*candidates, 4)], 256, 3, |_, _, _| STEPS);
                paced(gpu, &[(*candidates, 2_000)], 605, 2, |_, _, _| STEPS);
            }
            paced(gpu, &[(CANDIDATES[4], 300)], 256, 1, |_, _, _| STEPS / 50);
        }
    }

    #[test]
    fn searches_that_are_over_do_not_let_submissions_grow() {
        // At once, one after the other, all but one, every second generation, and at first.
        let ends: [Steps; 5] = [
            |_, _, _| 3,
            |_, deme, child| STEPS * (deme as u32 * 8 + child) / 2_400,
            |_, deme, child| if (deme, child) == (150, 3) { STEPS } else { 3 },
            |generation, _, _| if generation % 2 == 0 { 3 } else { STEPS },
            |generation, _, _| if generation < 30 { 3 } else { STEPS },
        ];
        for gpu in GPUS {
            for steps in ends {
                paced(gpu, &[(216, 8); 300], u32::MAX, 32, steps);
                paced(gpu, &[(1_000, 2_400)], 605, 4, steps);
            }
        }
    }

    #[test]
    fn easy_puzzles_do_not_let_submissions_of_hard_ones_grow() {
        // The last deme has a hundred times as many rounds as the others.
        let mut demes = [(20, 8); 300];
        demes[299].0 = 2_000;
        for gpu in GPUS {
            paced(gpu, &demes, u32::MAX, 3, |_, _, _| STEPS);
            paced(gpu, &demes, u32::MAX, 20, |generation, deme, _| match (generation, deme) {
                (15.., 299) => STEPS,
                _ => 3,
            });
        }
    }
}

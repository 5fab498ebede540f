//! Operators and evaluators from outside of the crate.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evodoku::board::{Geometry, Presolve, SearchSpace, presolve};
use evodoku::fitness::{
    CpuEvaluator, Evaluator, EvaluatorError, PhaseTimes, Pipeline, ScoredChunk,
};
use evodoku::ga::crossover::{Crossover, CrossoverOperator};
use evodoku::ga::encoding::{Encoding, EncodingOperator};
use evodoku::ga::local_search::{Effort, LocalSearch, LocalSearchOperator};
use evodoku::ga::mutation::{Mutation, MutationOperator};
use evodoku::ga::replacement::{Replacement, ReplacementOperator};
use evodoku::ga::selection::{Selection, SelectionOperator};
use evodoku::ga::{
    BuildContext, Config, ConfigError, CustomOperators, GenerationOperators, GenerationPlace,
    GenerationReport, Individuals, Observer, OperatorName, Outcome, Overrides, Preset, Run,
    RunError,
};
use evodoku::random::{Draws, GenerationRng, StreamStage};
use evodoku::{Solver, format};

/// Any candidate in any free cell.
#[derive(Clone, Default)]
struct AnyCandidate(Option<SearchSpace>);

impl EncodingOperator for AnyCandidate {
    fn initialise(&self, board: &mut [u8], draws: &mut Draws) {
        let Some(space) = &self.0 else { return };
        board.copy_from_slice(&space.fixed);
        for cell in &space.free {
            let values: Vec<u8> = (1..=9).filter(|value| space.allows(*cell, *value)).collect();
            board[*cell] = values[draws.below(values.len() as u32) as usize];
        }
    }

    fn prepare(&mut self, setting: &BuildContext) -> Result<(), ConfigError> {
        setting.require_cells("any candidate")?;
        self.0 = Some(setting.space.clone());
        Ok(())
    }
}

/// Two parents from anywhere.
#[derive(Clone)]
struct Anybody;

impl SelectionOperator for Anybody {
    fn select(&self, slot: u32, fitness: &[u16], seed: &GenerationRng) -> [u32; 2] {
        let mut draws = seed.draws(StreamStage::Select, slot);
        [(); 2].map(|()| draws.below(fitness.len() as u32))
    }
}

/// A child is its second parent, and the second of two its first.
#[derive(Clone)]
struct Second(u32);

impl CrossoverOperator for Second {
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], _: &mut Draws) {
        child.copy_from_slice(parents[1]);
    }

    fn children_per_couple(&self) -> u32 {
        self.0
    }
}

/// Does nothing, whatever it is asked.
#[derive(Clone)]
struct Idle;

impl CrossoverOperator for Idle {
    fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], _: &mut Draws) {
        child.copy_from_slice(parents[0]);
    }
}

impl MutationOperator for Idle {
    fn mutate(&self, _: &mut [u8], _: &mut Draws) {}

    fn name(&self) -> &str {
        "nothing"
    }
}

impl LocalSearchOperator for Idle {
    fn improve(
        &self,
        _: &mut [u8],
        _: &mut [u32],
        _: &mut Draws,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Option<Effort> {
        Some(Effort::default())
    }
}

/// The children take over, of which there are as many as said.
#[derive(Clone)]
struct Takeover(Option<u32>);

impl ReplacementOperator for Takeover {
    fn replace(&mut self, population: &mut Individuals, children: &mut Individuals) {
        std::mem::swap(population, children);
    }

    fn offspring(&self, population: u32) -> u32 {
        self.0.unwrap_or(population)
    }
}

/// What a generation was.
type Row = (u16, u16, u64, Vec<u8>);

fn run(
    config: &Config,
    operators: &CustomOperators,
    own: Option<fn(&[u8]) -> u16>,
    watch: &mut dyn FnMut(&GenerationReport<'_>) -> ControlFlow<()>,
) -> Result<(Outcome, Vec<Row>), RunError> {
    let puzzle = format::load("easter-monster", None).unwrap().puzzle;
    let space = presolve(&puzzle, config.presolve).unwrap();
    let interrupted = AtomicBool::new(false);
    let run = Run { operators, ..Run::new(&space, config, 5, &interrupted) };
    let mut rows = Vec::new();
    let mut observer = |report: &GenerationReport<'_>| {
        rows.push((report.best, report.worst, report.sum, report.best_board.to_vec()));
        watch(report)
    };
    let evaluator: Box<dyn Evaluator> = match own {
        Some(score) => Box::new(OwnEvaluator { score, out: VecDeque::new(), scores: Vec::new() }),
        None => Box::new(CpuEvaluator::new(puzzle.geometry, None)),
    };
    let observer: &mut dyn Observer = &mut observer;
    let outcome = run.execute(&mut Pipeline::new(evaluator), observer)?;
    Ok((outcome, rows))
}

fn watch_all(_: &GenerationReport<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn config() -> Config {
    Config {
        population: 50,
        islands: 3,
        migration_interval: 2,
        encoding: Encoding::Candidates,
        selection: Selection::Tournament,
        tournament: 1,
        crossover: Crossover::None,
        mutation: Mutation::None,
        local_search: LocalSearch::None,
        replacement: Replacement::Generational,
        restart_after: 5,
        max_generations: 12,
        ..Config::of(Preset::Boxes, &SearchSpace::blank(Geometry::new(3, 3).unwrap()))
    }
}

/// One of each family.
fn of_each_family() -> CustomOperators {
    CustomOperators {
        encoding: Some(Box::new(AnyCandidate::default())),
        selection: Some(Box::new(Anybody)),
        crossover: Some(Box::new(Idle)),
        mutation: Some(Box::new(Idle)),
        local_search: Some(Box::new(Idle)),
        replacement: Some(Box::new(Takeover(None))),
        generation: None,
    }
}

#[test]
fn own_operators_that_do_what_others_do_are_the_same_run() {
    let operators = of_each_family();
    let (_, expected) = run(&config(), CustomOperators::none(), None, &mut watch_all).unwrap();
    // What the configuration names is not even made.
    let others = Config {
        selection: Selection::Truncation,
        crossover: Crossover::Pmx,
        mutation: Mutation::PartialShuffle,
        local_search: LocalSearch::Tabu,
        replacement: Replacement::KeepDistance,
        ..config()
    };
    assert_eq!(run(&others, &operators, None, &mut watch_all).unwrap().1, expected);
    let names: Vec<String> = operators.names().iter().map(ToString::to_string).collect();
    let expected = [
        "encoding AnyCandidate", "selection Anybody", "crossover Idle", "mutation nothing",
        "local_search Idle", "replacement Takeover",
    ];
    assert_eq!(names, expected);
}

/// Whole generations, by the operators of a configuration; what a family makes may be spoilt.
struct WholeGenerations {
    families: Vec<&'static str>,
    config: Config,
    space: SearchSpace,
    spoilt: Option<(&'static str, &'static str)>,
}

impl WholeGenerations {
    fn rng(at: GenerationPlace) -> GenerationRng<'static> {
        GenerationRng::new(at.seed, at.generation).island(at.island)
    }

    /// Calls `work` with what operators are made of, for a population of this size.
    fn with_context<R>(&self, population: u32, work: impl FnOnce(&BuildContext) -> R) -> R {
        let groups = self.config.encoding.groups(&self.space);
        let config = Config { population, ..self.config.clone() };
        work(&BuildContext::new(&self.space, &config, &groups))
    }

    fn end(&self, family: &str) -> Result<(), String> {
        match self.spoilt {
            Some((spoilt, "fails")) if spoilt == family => Err("it was to fail".to_owned()),
            _ => Ok(()),
        }
    }

    fn spoil(&self, family: &str, children: &mut [u8]) {
        let givens = self.space.puzzle.givens.iter();
        let given = givens.clone().position(|given| *given > 0).unwrap();
        let cell = match self.spoilt {
            Some((spoilt, "given")) if spoilt == family => given,
            Some((spoilt, "blank")) if spoilt == family => self.space.free[0],
            _ => return,
        };
        children[3 * 84 + cell] = 0;
    }
}

impl GenerationOperators for WholeGenerations {
    fn names(&self) -> Vec<OperatorName> {
        let name = |family: &&'static str| OperatorName { family, name: "whole".to_owned() };
        self.families.iter().map(name).collect()
    }

    fn select(
        &self,
        at: GenerationPlace,
        fitness: &[u16],
        parents: &mut [[u32; 2]],
    ) -> Result<(), String> {
        let seed = Self::rng(at);
        self.with_context(fitness.len() as u32, |context| {
            let mut selection = self.config.selection.build(context).unwrap();
            selection.begin_generation(fitness, &seed);
            for (slot, parents) in parents.iter_mut().enumerate() {
                *parents = selection.select(slot as u32, fitness, &seed);
            }
        });
        if self.spoilt == Some(("selection", "outside")) {
            parents[3][1] = fitness.len() as u32;
        }
        self.end("selection")
    }

    fn cross(
        &self,
        at: GenerationPlace,
        population: &[u8],
        parents: &[[u32; 2]],
        children: &mut [u8],
    ) -> Result<(), String> {
        let seed = Self::rng(at);
        self.with_context(parents.len() as u32, |context| {
            let crossover = self.config.crossover.build(context).unwrap();
            let board = |slot: u32| &population[slot as usize * 84..][..84];
            for (slot, child) in children.chunks_mut(84).enumerate() {
                let mut draws = seed.draws(StreamStage::Cross, slot as u32);
                crossover.cross(parents[slot].map(board), child, &mut draws);
            }
        });
        self.spoil("crossover", children);
        self.end("crossover")
    }

    fn mutate(&self, at: GenerationPlace, children: &mut [u8]) -> Result<(), String> {
        let seed = Self::rng(at);
        self.with_context(children.len() as u32 / 84, |context| {
            let mutation = self.config.mutation.build(context).unwrap();
            for (slot, child) in children.chunks_mut(84).enumerate() {
                mutation.mutate(child, &mut seed.draws(StreamStage::Mutate, slot as u32));
            }
        });
        self.spoil("mutation", children);
        self.end("mutation")
    }
}

/// Operators that take whole generations, of these families, in place of those of `config`.
fn whole(
    config: &Config,
    families: &[&'static str],
    spoilt: Option<(&'static str, &'static str)>,
) -> CustomOperators {
    let puzzle = format::load("easter-monster", None).unwrap().puzzle;
    let space = presolve(&puzzle, config.presolve).unwrap();
    let (families, config) = (families.to_vec(), config.clone());
    let generation = WholeGenerations { families, config, space, spoilt };
    CustomOperators { generation: Some(Arc::new(generation)), ..CustomOperators::default() }
}

#[test]
fn operators_of_whole_generations_are_the_same_run() {
    let families = ["selection", "crossover", "mutation"];
    for (encoding, mutation) in
        [(Encoding::Candidates, Mutation::Reset), (Encoding::Boxes, Mutation::Exchange)]
    {
        let config = Config {
            encoding,
            mutation,
            tournament: 3,
            crossover: match encoding {
                Encoding::Boxes => Crossover::OneUnit,
                _ => Crossover::Agreement,
            },
            population: 300,
            local_search: match encoding {
                Encoding::Boxes => LocalSearch::ExchangeDescent,
                _ => LocalSearch::None,
            },
            tries: if encoding == Encoding::Boxes { 5 } else { 0 },
            ..config()
        };
        let (_, expected) = run(&config, CustomOperators::none(), None, &mut watch_all).unwrap();
        for taken in 0..8 {
            let taken: Vec<&str> =
                (0..3).filter(|family| taken >> family & 1 == 1).map(|k| families[k]).collect();
            let operators = whole(&config, &taken, None);
            assert_eq!(operators.names().len(), taken.len());
            let (_, rows) = run(&config, &operators, None, &mut watch_all).unwrap();
            assert_eq!(rows, expected, "{encoding}: {taken:?}");
        }
    }
}

#[test]
fn an_operator_of_whole_generations_that_is_wrong_ends_the_run_with_a_sentence() {
    let config = Config { crossover: Crossover::Agreement, mutation: Mutation::Reset, ..config() };
    for (family, how, sentence) in [
        ("selection", "fails", "selection whole: it was to fail"),
        ("crossover", "fails", "crossover whole: it was to fail"),
        ("mutation", "fails", "mutation whole: it was to fail"),
        (
            "selection",
            "outside",
            "selection whole: a parent of child 3 is not one of the 17 individuals",
        ),
        (
            "crossover",
            "given",
            "crossover whole: child 3: row 1 column 1 holds 0, but 1 is fixed there",
        ),
        (
            "mutation",
            "blank",
            "mutation whole: child 3: row 1 column 2 holds 0, which encoding candidates does not allow there after presolve",
        ),
    ] {
        let operators = whole(&config, &[family], Some((family, how)));
        let error = run(&config, &operators, None, &mut watch_all).unwrap_err();
        assert!(matches!(error, RunError::Operator(_)), "{error:?}");
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn a_family_that_takes_no_whole_generations_is_refused() {
    let operators = whole(&config(), &["crossover", "local_search"], None);
    let error = run(&config(), &operators, None, &mut watch_all).unwrap_err();
    assert_eq!(error.to_string(), "local_search whole cannot act on whole generations");
}

/// Changes nothing, and waits for work that another thread may have taken.
#[derive(Clone)]
struct Waiting;

impl MutationOperator for Waiting {
    fn mutate(&self, _: &mut [u8], _: &mut Draws) {
        let pause = || std::thread::sleep(std::time::Duration::from_micros(20));
        rayon::join(pause, pause);
    }
}

#[test]
fn an_operator_may_wait_for_others_meanwhile_its_thread_breeds_other_children() {
    let config = Config { population: 1_000, max_generations: 3, ..config() };
    let waiting = CustomOperators { mutation: Some(Box::new(Waiting)), ..of_each_family() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let rows =
        |operators: &CustomOperators| run(&config, operators, None, &mut watch_all).unwrap().1;
    let expected = rows(&of_each_family());
    assert_eq!(pool.install(|| rows(&waiting)), expected);
}

#[test]
fn a_solver_takes_one_of_each_family() {
    let puzzle = format::load("easter-monster", None).unwrap().puzzle;
    let few = Overrides {
        encoding: Some(Encoding::Candidates),
        max_generations: Some(6),
        presolve: Some(Presolve::None),
        ..Overrides::default()
    };
    let solver = Solver::new(Preset::Boxes).population(40).set(few).seed(5).threads(1);
    let finished = solver.operators(of_each_family()).solve(&puzzle).unwrap();
    assert_eq!(finished.operators.len(), 6);
    let (outcome, rows) = run(&finished.config, &of_each_family(), None, &mut watch_all).unwrap();
    assert_eq!(rows.len(), 7);
    assert_eq!(finished.outcome.board, outcome.board);
    assert_eq!(finished.outcome.evaluations, outcome.evaluations);
}

#[test]
fn siblings_have_the_parents_in_both_orders() {
    let with = |children_per_couple| {
        let crossover: Option<Box<dyn CrossoverOperator>> =
            Some(Box::new(Second(children_per_couple)));
        let operators = CustomOperators { crossover, ..CustomOperators::default() };
        run(&config(), &operators, None, &mut watch_all)
    };
    let (of_one, of_two) = (with(1).unwrap().1, with(2).unwrap().1);
    assert_eq!(of_one[0], of_two[0]);
    assert_ne!(of_one[1], of_two[1]);
}

#[test]
fn what_there_cannot_be_is_refused() {
    let refused = |operators: CustomOperators, config: Config| {
        run(&config, &operators, None, &mut watch_all).unwrap_err().to_string()
    };
    let crossover =
        CustomOperators { crossover: Some(Box::new(Second(0))), ..CustomOperators::default() };
    assert_eq!(
        refused(crossover, config()),
        "Second has 0 children a couple, but must have 1 to 4294967295"
    );
    let replacement = CustomOperators {
        replacement: Some(Box::new(Takeover(Some(51)))),
        ..CustomOperators::default()
    };
    assert_eq!(
        refused(replacement, Config { islands: 1, ..config() }),
        "Takeover has 51 children a generation, but must have 1 to 50"
    );
    let encoding = CustomOperators {
        encoding: Some(Box::new(AnyCandidate::default())),
        ..CustomOperators::default()
    };
    assert_eq!(
        refused(encoding, Config { encoding: Encoding::Boxes, ..config() }),
        "any candidate does not work with encoding boxes: it needs encoding cells or candidates"
    );
}

#[test]
fn an_observer_ends_a_run_unless_it_is_solved() {
    let mut at_three = |report: &GenerationReport<'_>| match report.generation {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let (outcome, rows) = run(&config(), CustomOperators::none(), None, &mut at_three).unwrap();
    assert_eq!((outcome.stop_reason.name(), outcome.generations, rows.len()), ("observer", 3, 4));
    let mut at_once = |_: &GenerationReport<'_>| ControlFlow::Break(());
    // Local search solves its first child.
    let config = Config {
        population: 1,
        islands: 1,
        local_search: LocalSearch::Tabu,
        mutation: Mutation::Reset,
        tabu_steps: 10_000_000,
        ..config()
    };
    let (outcome, _) = run(&config, CustomOperators::none(), None, &mut at_once).unwrap();
    assert_eq!((outcome.stop_reason.name(), outcome.generations), ("observer", 0));
    let mut when_solved = |report: &GenerationReport<'_>| match report.best_so_far {
        0 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let (outcome, _) = run(&config, CustomOperators::none(), None, &mut when_solved).unwrap();
    assert_eq!(outcome.stop_reason.name(), "solved");
}

/// Scores 9x9 boards by a function.
struct OwnEvaluator {
    score: fn(&[u8]) -> u16,
    out: VecDeque<(Range<usize>, Vec<u16>)>,
    /// What was collected last.
    scores: Vec<u16>,
}

impl Evaluator for OwnEvaluator {
    fn geometry(&self) -> Geometry {
        Geometry::new(3, 3).unwrap()
    }

    fn chunk_len(&self) -> usize {
        20
    }

    fn submit(&mut self, range: Range<usize>, boards: &[u8]) -> Result<(), EvaluatorError> {
        let stride = self.geometry().stride();
        self.out.push_back((range, boards.chunks_exact(stride).map(self.score).collect()));
        Ok(())
    }

    fn collect(&mut self) -> Result<ScoredChunk<'_>, EvaluatorError> {
        let (range, scores) = self.out.pop_front().ok_or(EvaluatorError::Nothing)?;
        self.scores = scores;
        Ok(ScoredChunk { range, scores: &self.scores, times: PhaseTimes::default() })
    }
}

/// Twice the duplicates, as far as boards score.
fn twice(board: &[u8]) -> u16 {
    (2 * evodoku::fitness::fitness(Geometry::new(3, 3).unwrap(), board)).min(243)
}

#[test]
fn an_own_objective_steers_the_run() {
    let watch = &mut watch_all;
    let (outcome, rows) = run(&config(), CustomOperators::none(), Some(twice), watch).unwrap();
    let geometry = Geometry::new(3, 3).unwrap();
    assert!(rows.iter().all(|row| twice(&row.3) <= row.0 && row.0 % 2 == 0));
    assert_eq!(outcome.fitness, 2 * evodoku::fitness::fitness(geometry, &outcome.board));
}

#[test]
fn an_evaluator_that_is_wrong_ends_in_a_sentence() {
    let error = run(&config(), CustomOperators::none(), Some(|_| 0), &mut watch_all).unwrap_err();
    assert!(matches!(error, RunError::Unverified(_)), "{error}");
    assert!(error.to_string().starts_with("a board that scored 0 is not a solution"));
    // A score that no board has is a fault, after which the CPU scores.
    let (outcome, rows) =
        run(&config(), CustomOperators::none(), Some(|_| 244), &mut watch_all).unwrap();
    let too_high = EvaluatorError::TooHigh { slot: 0, score: 244, most: 243 };
    assert_eq!(outcome.fault, Some(too_high));
    let (_, expected) = run(&config(), CustomOperators::none(), None, &mut watch_all).unwrap();
    assert_eq!(rows, expected);
}

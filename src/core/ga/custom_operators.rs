//! Custom operators, which replace those of a preset.

use std::fmt;
use std::sync::{Arc, LazyLock};

use super::crossover::CrossoverOperator;
use super::encoding::EncodingOperator;
use super::generation_operators::GenerationOperators;
use super::local_search::LocalSearchOperator;
use super::mutation::MutationOperator;
use super::operator::OperatorName;
use super::replacement::ReplacementOperator;
use super::selection::SelectionOperator;

/// Custom operators: at most one of each family; the others are those of the configuration.
///
/// Each island works with a copy, whose `prepare` is called with the [`BuildContext`](super::BuildContext) of the island
/// before the run. The same operators, configuration and seed give the same run as long as the operators do what their
/// traits ask: they draw from the generator that they receive, and keep no state between two calls except where the
/// trait allows it.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use evodoku::ga::crossover::CrossoverOperator;
/// use evodoku::ga::{CustomOperators, Preset, Run, RunSettings};
/// use evodoku::{board::presolve, format};
/// use evodoku::random::Draws;
/// use evodoku::fitness::{CpuEvaluator, Pipeline};
///
/// /// Whole bytes from either parent, whatever the encoding: it fits free cells only.
/// #[derive(Clone)]
/// struct EitherParent;
///
/// impl CrossoverOperator for EitherParent {
///     fn cross(&self, parents: [&[u8]; 2], child: &mut [u8], draws: &mut Draws) {
///         for (cell, value) in child.iter_mut().enumerate() {
///             *value = parents[usize::from(draws.coin())][cell];
///         }
///     }
/// }
///
/// let puzzle = format::load("ai-escargot", None)?.puzzle;
/// let settings = RunSettings::of(Preset::Memetic);
/// let space = presolve(&puzzle, settings.presolve())?;
/// let config = settings.config(&space)?;
/// let operators =
///     CustomOperators { crossover: Some(Box::new(EitherParent)), ..CustomOperators::default() };
/// assert_eq!(operators.names()[0].to_string(), "crossover EitherParent");
/// assert!(!operators.is_empty() && CustomOperators::none().is_empty());
///
/// let interrupted = AtomicBool::new(false);
/// let run = Run { operators: &operators, ..Run::new(&space, &config, 1, &interrupted) };
/// let mut pipeline = Pipeline::new(Box::new(CpuEvaluator::new(puzzle.geometry, None)));
/// assert!(run.execute(&mut pipeline, &mut ())?.solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct CustomOperators {
    /// Draws new boards.
    pub encoding: Option<Box<dyn EncodingOperator>>,
    /// Finds parents.
    pub selection: Option<Box<dyn SelectionOperator>>,
    /// Combines two parents.
    pub crossover: Option<Box<dyn CrossoverOperator>>,
    /// Changes children at random.
    pub mutation: Option<Box<dyn MutationOperator>>,
    /// Improves children.
    pub local_search: Option<Box<dyn LocalSearchOperator>>,
    /// Decides who survives.
    pub replacement: Option<Box<dyn ReplacementOperator>>,
    /// Takes whole generations, instead of the above where it has the same family.
    pub generation: Option<Arc<dyn GenerationOperators>>,
}

impl CustomOperators {
    /// No custom operators.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<CustomOperators> = LazyLock::new(CustomOperators::default);
        &NONE
    }

    /// Whether all operators are those of the configuration.
    pub fn is_empty(&self) -> bool {
        self.names().is_empty()
    }

    /// Returns the names of the custom operators, in the order in which a generation uses them.
    pub fn names(&self) -> Vec<OperatorName> {
        let Self {
            encoding,
            selection,
            crossover,
            mutation,
            local_search,
            replacement,
            generation,
        } = self;
        let names = [
            ("encoding", encoding.as_ref().map(|own| own.name())),
            ("selection", selection.as_ref().map(|own| own.name())),
            ("crossover", crossover.as_ref().map(|own| own.name())),
            ("mutation", mutation.as_ref().map(|own| own.name())),
            ("local_search", local_search.as_ref().map(|own| own.name())),
            ("replacement", replacement.as_ref().map(|own| own.name())),
        ];
        let own = |(family, name): (_, Option<&str>)| {
            name.map(|name| OperatorName { family, name: name.to_owned() })
        };
        let of_generation = generation.iter().flat_map(|operators| operators.names());
        names.into_iter().filter_map(own).chain(of_generation).collect()
    }
}

impl fmt::Debug for CustomOperators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

//! The names that parameters take as values: presets, operators, and the rules that operators follow.
//!
//! The table of parameters ([`Config`](super::Config)) stands on these names, and the operators stand on the table, so
//! that an operator can read every parameter. A new operator is a line here and a file in the folder of its family,
//! which the line declares: `Pmx = "pmx" => pmx::Pmx`. A type that serves several names has its file in the first line.
//! A new preset is a line here, under the name of its file in `presets`, and that file.

use crate::util::named_enum::named;

/// Declares the enum of a family's names here, and a macro with the types and files of the operators, which the
/// folder of the family calls. `family` is the caller's import, so that this file imports no operator.
macro_rules! family_list {
    (
        $list:ident:
        $(#[$attribute:meta])*
        pub enum $family:ident: $operator:ident {
            $( $(#[doc = $doc:literal])* $variant:ident = $name:literal => $first:ident $(:: $type:ident)?, )*
        }
    ) => {
        named! {
            $(#[$attribute])*
            pub enum $family { $( $(#[doc = $doc])* $variant = $name, )* }
        }

        macro_rules! $list {
            () => {
                family! {
                    $family: $operator { $( $variant => $first $(:: $type)?, )* }
                }
            };
        }
        pub(super) use $list;
    };
}

/// Declares [`Preset`] here, and a macro with the files of presets, which the folder of presets calls. A file may hold
/// several presets, which differ in the second argument of its `config`.
macro_rules! preset_list {
    (
        $(#[$attribute:meta])*
        pub enum $preset:ident { $(
            $file:ident {
                $( $(#[doc = $doc:literal])* $variant:ident = $name:literal $(=> $argument:expr)?, )+
            }
        )* }
    ) => {
        named! {
            $(#[$attribute])*
            pub enum $preset { $( $( $(#[doc = $doc])* $variant = $name, )+ )* }
        }

        macro_rules! presets {
            () => {
                $( mod $file; )*

                /// Returns the description and the configuration of a preset.
                fn definition(preset: $preset) -> (&'static str, Config) {
                    let base = Config::base(preset);
                    match preset { $( $(
                        $preset::$variant => ($file::ABOUT, $file::config(base $(, $argument)?)),
                    )+ )* }
                }
            };
        }
        pub(super) use presets;
    };
}

preset_list! {
    /// A named configuration.
    pub enum Preset {
        memetic {
            /// Tabu search on candidates in a population that keeps apart; parameters follow from the puzzle.
            Memetic = "memetic",
        }
        cellular {
            /// A large population on a ring: box permutations improved by exchange descent, a child a slot.
            Cellular = "cellular",
        }
        tabu {
            /// One individual that searches alone: tabu search on candidates, with restarts.
            Tabu = "tabu",
        }
        eviction {
            /// One individual that is annealed alone: evictions on partial boards without conflicts.
            Eviction = "eviction",
        }
        permutation {
            /// A notebook's first approach (document 000): the whole board's missing digits, shuffled a little.
            Permutation = "permutation",
        }
        columns {
            /// A notebook's second approach (document 000): column permutations, two digits reordered.
            Columns = "columns",
        }
        boxes {
            /// Nidragedd 2019 (document 001): box permutations, the best quarter and a random one, with restarts.
            Boxes = "boxes",
        }
        cells {
            /// A coursework (document 002): any digit in any blank, uniform crossover, reset of single cells.
            Cells = "cells",
        }
        rows_003 {
            /// A comparison of selections (document 003): row permutations, parents by tournament.
            RowsTournament = "rows-tournament" => Selection::Tournament,
            /// A comparison of selections (document 003): row permutations, parents by linear rank.
            RowsRank = "rows-rank" => Selection::LinearRank,
            /// A comparison of selections (document 003): row permutations, parents by roulette wheel.
            RowsRoulette = "rows-roulette" => Selection::Roulette,
            /// A comparison of selections (document 003): row permutations, stochastic universal sampling.
            RowsSus = "rows-sus" => Selection::Universal,
        }
        rows_004 {
            /// Group work Optimering (document 004): row permutations, PMX in every row, the best quarter as parents.
            RowsPmx = "rows-pmx" => Crossover::Pmx,
            /// Group work Optimering (document 004): row permutations, one row exchanged, the best quarter as parents.
            RowsExchange = "rows-exchange" => Crossover::RowExchange,
        }
    }
}

family_list! {
    encodings:
    /// What a board is made of.
    pub enum Encoding: EncodingOperator {
        /// Each box is a permutation of its missing values.
        Boxes = "boxes" => unit_permutation::UnitPermutation,
        /// Each row is a permutation of its missing values.
        Rows = "rows" => UnitPermutation,
        /// Each column is a permutation of its missing values.
        Columns = "columns" => UnitPermutation,
        /// The missing values of the whole board, permuted over all blanks.
        Board = "board" => board::BoardPermutation,
        /// Any value in any blank.
        Cells = "cells" => candidates::Candidates,
        /// Any candidate in any free cell.
        Candidates = "candidates" => Candidates,
    }
}

family_list! {
    selections:
    /// How parents are found.
    pub enum Selection: SelectionOperator {
        /// Each parent is the better of two drawn from the neighbours of the child's slot.
        LocalTournament = "local-tournament" => local_tournament::LocalTournament,
        /// The best of the population and a random share of it, paired.
        Truncation = "truncation" => truncation::Truncation,
        /// Each parent is the best of several different individuals drawn from all.
        Tournament = "tournament" => tournament::Tournament,
        /// Parents are drawn with weights from 1 for the worst to P for the best.
        LinearRank = "linear-rank" => linear_rank::LinearRank,
        /// Parents are drawn with weights 1/2, 1/3, 1/4 and so on from the best on.
        Harmonic = "harmonic" => harmonic::Harmonic,
        /// Parents are drawn with weights that are their scores.
        Roulette = "roulette" => roulette::Roulette,
        /// One spin of a wheel with evenly spaced pointers, one for each parent.
        Universal = "sus" => stochastic_universal::StochasticUniversal,
        /// A spin of such a wheel for each parent, of which one pointer is kept.
        UniversalPerParent = "sus-per-parent" => StochasticUniversalPerParent,
    }
}

named! {
    /// Which slots are neighbours.
    pub enum Topology {
        /// Neighbours are near on a ring.
        Ring = "ring",
        /// Neighbours are near in rows and columns that wrap around.
        Torus = "torus",
        /// All are neighbours.
        Panmictic = "panmictic",
    }
}

named! {
    /// Which of several candidates becomes the second parent.
    pub enum MatingPreference {
        /// The first that is selected.
        Any = "any",
        /// The one most like the first parent, but not its copy.
        Near = "near",
        /// The one least like the first parent.
        Far = "far",
    }
}

named! {
    /// How the parents in a pool are paired.
    pub enum Pairing {
        /// The pool is shuffled; couple i is the i-th with the i-th from the end.
        Couples = "couples",
        /// Each child, or each pair of siblings, draws both of its parents anew.
        Random = "random",
        /// Couple i is the best two of the pool that are left: neighbours in rank order.
        Neighbours = "neighbours",
    }
}

family_list! {
    crossovers:
    /// How a child is put together from two parents.
    pub enum Crossover: CrossoverOperator {
        /// Each band, or each stack, comes from the parent in which it is better.
        BandOrStack = "band-or-stack" => band_or_stack::BandOrStack,
        /// The units before a random cut come from the first parent, the others from the second.
        OnePoint = "one-point" => one_point::OnePoint,
        /// A random set of units comes from the second parent, the others from the first.
        Subset = "subset" => subset::Subset,
        /// One random unit comes from the second parent, all else from the first.
        OneUnit = "one-unit" => one_unit::OneUnit,
        /// Two children: the parents after they exchanged one random row.
        RowExchange = "row-exchange" => RowExchange,
        /// Two children by partially matched crossover in each unit.
        Pmx = "pmx" => pmx::Pmx,
        /// Each cell comes from either parent with one half.
        Uniform = "uniform" => uniform::Uniform,
        /// Rows, or columns, up to a random cut come from the first parent, the others from the second.
        LineCut = "line-cut" => line_cut::LineCut,
        /// Values that both parents have are kept; other cells come from either, or are redrawn.
        Agreement = "agreement" => agreement::Agreement,
        /// The child is a copy of the first parent.
        None = "none" => none::NoCrossover,
    }
}

named! {
    /// The cells that come from one parent as a whole where the parents differ.
    pub enum Inherit {
        /// Each cell by itself.
        Cells = "cells",
        /// A row.
        Rows = "rows",
        /// A column.
        Columns = "columns",
        /// A box.
        Boxes = "boxes",
    }
}

family_list! {
    mutations:
    /// How a child is changed at random.
    pub enum Mutation: MutationOperator {
        /// Two blanks of a random unit exchange their values.
        Exchange = "exchange" => exchange::Exchange,
        /// A random pair among all pairs of blanks that share a unit exchanges its values.
        PairExchange = "pair-exchange" => pair_exchange::PairExchange,
        /// Two values of a random unit are put back in random order.
        Reshuffle = "reshuffle" => reshuffle::Reshuffle,
        /// A share of the blanks is kept; the values of the others are shuffled among them.
        PartialShuffle = "partial-shuffle" => partial_shuffle::PartialShuffle,
        /// Each cell is given a random value with a small probability.
        Reset = "reset" => reset::Reset,
        /// Two random cells are given random values.
        RedrawTwo = "redraw-two" => redraw_two::RedrawTwo,
        /// Children stay as they are.
        None = "none" => none::NoMutation,
    }
}

family_list! {
    local_searches:
    /// The local search that a child goes through.
    pub enum LocalSearch: LocalSearchOperator {
        /// Random exchanges of two blanks of a unit, kept where fitness does not rise.
        ExchangeDescent = "exchange-descent" => exchange_descent::ExchangeDescent,
        /// Tabu search: the best change of a conflicting cell that is not forbidden, step by step.
        Tabu = "tabu" => tabu::TabuSearch,
        /// Annealed eviction: values are given to unassigned cells, and cells in their way lose theirs.
        Eviction = "eviction" => eviction::EvictionSearch,
        /// Children are scored as they are.
        None = "none" => none::NoLocalSearch,
    }
}

family_list! {
    replacements:
    /// Who survives.
    pub enum Replacement: ReplacementOperator {
        /// The children replace the whole population.
        Generational = "generational" => generational::Generational,
        /// The children replace the population, but its best take the place of the worst of them.
        Elitist = "elitist" => elitist::Elitist,
        /// A few children replace the worst of the population; all others survive.
        WorstShare = "worst-share" => worst_share::WorstShare,
        /// A few children replace the worst, unless they are too near to one that is not worse.
        KeepDistance = "keep-distance" => keep_distance::KeepDistance,
        /// A child takes its slot unless its fitness is higher.
        KeepIfNotWorse = "keep-if-not-worse" => keep_if_not_worse::KeepIfNotWorse,
    }
}

named! {
    /// When a population is given up.
    pub enum RestartRule {
        /// The best since the last restart has not become better for `restart_after` generations.
        NoBetterBest = "no-better-best",
        /// The best equals that of each of the `restart_after` generations before, worse bests
        /// counting as change. Generations that restart are not counted, neither by this rule nor
        /// by max_generations. Source: document 000 of the project.
        UnchangedBest = "unchanged-best",
    }
}

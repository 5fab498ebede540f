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
            /// A small, diverse population with long tabu searches; parameters follow from the puzzle.
            Memetic = "memetic",
        }
        cellular {
            /// A large population on a ring: box permutations, improved by exchange descent.
            Cellular = "cellular",
        }
        tabu {
            /// One individual: tabu search on candidates, with restarts.
            Tabu = "tabu",
        }
        eviction {
            /// One individual: simulated annealing by evictions, on partial boards without conflicts.
            Eviction = "eviction",
        }
        permutation {
            /// A notebook's first approach (document 000): board permutation, reshuffles some digits.
            Permutation = "permutation",
        }
        columns {
            /// A notebook's second approach (document 000): column permutations, reorders two digits.
            Columns = "columns",
        }
        boxes {
            /// Nidragedd 2019 (document 001): box permutations, parents from the best quarter and a random one.
            Boxes = "boxes",
        }
        cells {
            /// A coursework (document 002): any digit in any blank, uniform crossover, random resets of cells.
            Cells = "cells",
        }
        rows_003 {
            /// A comparison of selections (document 003): row permutations, parents by tournament.
            RowsTournament = "rows-tournament" => Selection::Tournament,
            /// A comparison of selections (document 003): row permutations, parents by linear rank.
            RowsRank = "rows-rank" => Selection::LinearRank,
            /// A comparison of selections (document 003): row permutations, parents by roulette wheel.
            RowsRoulette = "rows-roulette" => Selection::Roulette,
            /// A comparison of selections (document 003): row permutations, parents by stochastic universal sampling.
            RowsSus = "rows-sus" => Selection::Universal,
        }
        rows_004 {
            /// Group work Optimering (document 004): row permutations, the best quarter as parents, PMX in every row.
            RowsPmx = "rows-pmx" => Crossover::Pmx,
            /// Group work Optimering (document 004): row permutations, one row exchanged, the best quarter as parents.
            RowsExchange = "rows-exchange" => Crossover::RowExchange,
        }
    }
}

family_list! {
    encodings:
    /// How a board is represented.
    pub enum Encoding: EncodingOperator {
        /// Each box is a permutation of its missing values.
        Boxes = "boxes" => unit_permutation::UnitPermutation,
        /// Each row is a permutation of its missing values.
        Rows = "rows" => UnitPermutation,
        /// Each column is a permutation of its missing values.
        Columns = "columns" => UnitPermutation,
        /// The missing values of the whole board, permuted over all blanks.
        Board = "board" => board::BoardPermutation,
        /// Any value in any free cell.
        Cells = "cells" => candidates::Candidates,
        /// Any candidate in any free cell.
        Candidates = "candidates" => Candidates,
    }
}

family_list! {
    selections:
    /// How parents are selected.
    pub enum Selection: SelectionOperator {
        /// Each parent is the better of two drawn from the neighbours of the child's slot.
        LocalTournament = "local-tournament" => local_tournament::LocalTournament,
        /// A pool of the best individuals and of randomly drawn ones, which are paired.
        Truncation = "truncation" => truncation::Truncation,
        /// Each parent is the best of several different individuals, drawn from the whole population.
        Tournament = "tournament" => tournament::Tournament,
        /// Parents are drawn with weights from 1 for the worst to P (the population) for the best.
        LinearRank = "linear-rank" => linear_rank::LinearRank,
        /// Parents are drawn with weights 1/2, 1/3, 1/4 and so on, from the best to the worst.
        Harmonic = "harmonic" => harmonic::Harmonic,
        /// Parents are drawn with their numbers of distinct values as weights.
        Roulette = "roulette" => roulette::Roulette,
        /// Stochastic universal sampling: one spin of a wheel with an evenly spaced pointer for each parent.
        Universal = "sus" => stochastic_universal::StochasticUniversal,
        /// Such a wheel is spun for each parent, and a random pointer chooses it.
        UniversalPerParent = "sus-per-parent" => StochasticUniversalPerParent,
    }
}

named! {
    /// Which slots are neighbours.
    pub enum Topology {
        /// Slots form a ring; neighbours are near on it.
        Ring = "ring",
        /// Slots form a grid that wraps around; neighbours are near in rows and columns.
        Torus = "torus",
        /// All slots are neighbours.
        Panmictic = "panmictic",
    }
}

named! {
    /// Which of several candidates becomes the second parent.
    pub enum MatingPreference {
        /// The first candidate.
        Any = "any",
        /// The candidate most like the first parent, but not a copy of it.
        Near = "near",
        /// The candidate least like the first parent.
        Far = "far",
    }
}

named! {
    /// How the parents in a pool are paired.
    pub enum Pairing {
        /// The pool is shuffled; couple i is the i-th with the i-th from the end.
        Couples = "couples",
        /// Each child, or each pair of siblings, draws its own two parents.
        Random = "random",
        /// Couples are neighbours in rank order: the best two, the next two, and so on.
        Neighbours = "neighbours",
    }
}

family_list! {
    crossovers:
    /// How a child is put together from two parents.
    pub enum Crossover: CrossoverOperator {
        /// Each band, or each stack, comes from the parent that is better there.
        BandOrStack = "band-or-stack" => band_or_stack::BandOrStack,
        /// The units before a random cut come from the first parent, the others from the second.
        OnePoint = "one-point" => one_point::OnePoint,
        /// A random set of units comes from the second parent, the others from the first.
        Subset = "subset" => subset::Subset,
        /// One random unit comes from the second parent, all other cells from the first.
        OneUnit = "one-unit" => one_unit::OneUnit,
        /// Two children: copies of the parents that exchange one random row.
        RowExchange = "row-exchange" => RowExchange,
        /// Two children by partially matched crossover in each unit.
        Pmx = "pmx" => pmx::Pmx,
        /// Each cell comes from either parent with probability 1/2.
        Uniform = "uniform" => uniform::Uniform,
        /// Rows or columns up to a random cut come from the first parent, the others from the second.
        LineCut = "line-cut" => line_cut::LineCut,
        /// A child keeps the values that both parents share; other cells come from either, or are redrawn.
        Agreement = "agreement" => agreement::Agreement,
        /// The child is a copy of the first parent.
        None = "none" => none::NoCrossover,
    }
}

named! {
    /// The cells that come together from one parent where the parents differ.
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
        /// A random pair of blanks that share a unit exchanges its values.
        PairExchange = "pair-exchange" => pair_exchange::PairExchange,
        /// Two values of a random unit are put back in random order.
        Reshuffle = "reshuffle" => reshuffle::Reshuffle,
        /// A share of the blanks keep their values; the values of the others are shuffled.
        PartialShuffle = "partial-shuffle" => partial_shuffle::PartialShuffle,
        /// Each free cell takes a random value with probability mutation_rate.
        Reset = "reset" => reset::Reset,
        /// Two random cells take random values.
        RedrawTwo = "redraw-two" => redraw_two::RedrawTwo,
        /// Children are not mutated.
        None = "none" => none::NoMutation,
    }
}

family_list! {
    local_searches:
    /// The local search that each child goes through.
    pub enum LocalSearch: LocalSearchOperator {
        /// Random exchanges of two blanks of a unit; one is undone if fitness rises.
        ExchangeDescent = "exchange-descent" => exchange_descent::ExchangeDescent,
        /// Tabu search: each step makes the best change of a conflicting cell that is not tabu.
        Tabu = "tabu" => tabu::TabuSearch,
        /// Annealed eviction: an unassigned cell takes a value, and the cells in conflict lose theirs.
        Eviction = "eviction" => eviction::EvictionSearch,
        /// No local search.
        None = "none" => none::NoLocalSearch,
    }
}

family_list! {
    replacements:
    /// Which individuals and children form the next population.
    pub enum Replacement: ReplacementOperator {
        /// The children replace the whole population.
        Generational = "generational" => generational::Generational,
        /// The children replace the population, but its best individuals replace the worst children.
        Elitist = "elitist" => elitist::Elitist,
        /// A few children replace the worst of the population; all others survive.
        WorstShare = "worst-share" => worst_share::WorstShare,
        /// A few children replace the worst, unless one is too near an individual that is not worse.
        KeepDistance = "keep-distance" => keep_distance::KeepDistance,
        /// A child takes its slot unless its fitness is higher than that of the individual there.
        KeepIfNotWorse = "keep-if-not-worse" => keep_if_not_worse::KeepIfNotWorse,
    }
}

named! {
    /// How generations without improvement are counted.
    pub enum RestartRule {
        /// Restarts when the best since the last restart has not improved for restart_after generations.
        NoBetterBest = "no-better-best",
        /// Restarts when the best equals that of each of the restart_after generations before; a worse
        /// best counts as change. Neither this rule nor max_generations counts a generation that
        /// restarts. Source: document 000.
        UnchangedBest = "unchanged-best",
    }
}

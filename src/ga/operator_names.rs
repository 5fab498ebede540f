//! The names that parameters take as values: presets, operators, and the rules that operators follow.
//!
//! The table of parameters ([`Config`](super::Config)) stands on these names, and the operators stand on the table, so
//! that an operator can read every parameter. A new operator is a line here, a line in the table of its family
//! (`selection/mod.rs` and so on), and a file.

use crate::util::named_enum::named;

named! {
    /// A named configuration.
    pub enum Preset {
        /// Tabu search on candidates in a population that keeps apart; parameters follow from the puzzle.
        Memetic = "memetic",
        /// A large population on a ring: box permutations improved by exchange descent, a child a slot.
        Cellular = "cellular",
        /// One individual that searches alone: tabu search on candidates, with restarts.
        Tabu = "tabu",
        /// One individual that is annealed alone: evictions on partial boards without conflicts.
        Eviction = "eviction",
        /// A notebook's first approach (document 000): the whole board's missing digits, shuffled a little.
        Permutation = "permutation",
        /// A notebook's second approach (document 000): column permutations, two digits reordered.
        Columns = "columns",
        /// Nidragedd 2019 (document 001): box permutations, the best quarter and a random one, with restarts.
        Boxes = "boxes",
        /// A coursework (document 002): any digit in any blank, uniform crossover, reset of single cells.
        Cells = "cells",
        /// A comparison of selections (document 003): row permutations, parents by tournament.
        RowsTournament = "rows-tournament",
        /// A comparison of selections (document 003): row permutations, parents by linear rank.
        RowsRank = "rows-rank",
        /// A comparison of selections (document 003): row permutations, parents by roulette wheel.
        RowsRoulette = "rows-roulette",
        /// A comparison of selections (document 003): row permutations, stochastic universal sampling.
        RowsSus = "rows-sus",
        /// Group work Optimering (document 004): row permutations, PMX in every row, the best quarter as parents.
        RowsPmx = "rows-pmx",
        /// Group work Optimering (document 004): row permutations, one row exchanged, the best quarter as parents.
        RowsExchange = "rows-exchange",
    }
}

named! {
    /// What a board is made of.
    pub enum Encoding {
        /// Each box is a permutation of its missing values.
        Boxes = "boxes",
        /// Each row is a permutation of its missing values.
        Rows = "rows",
        /// Each column is a permutation of its missing values.
        Columns = "columns",
        /// The missing values of the whole board, permuted over all blanks.
        Board = "board",
        /// Any value in any blank.
        Cells = "cells",
        /// Any candidate in any free cell.
        Candidates = "candidates",
    }
}

named! {
    /// How parents are found.
    pub enum Selection {
        /// Each parent is the better of two drawn from the neighbours of the child's slot.
        LocalTournament = "local-tournament",
        /// The best of the population and a random share of it, paired.
        Truncation = "truncation",
        /// Each parent is the best of several different individuals drawn from all.
        Tournament = "tournament",
        /// Parents are drawn with weights from 1 for the worst to P for the best.
        LinearRank = "linear-rank",
        /// Parents are drawn with weights 1/2, 1/3, 1/4 and so on from the best on.
        Harmonic = "harmonic",
        /// Parents are drawn with weights that are their scores.
        Roulette = "roulette",
        /// One spin of a wheel with evenly spaced pointers, one for each parent.
        Universal = "sus",
        /// A spin of such a wheel for each parent, of which one pointer is kept.
        UniversalPerParent = "sus-per-parent",
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

named! {
    /// How a child is put together from two parents.
    pub enum Crossover {
        /// Each band, or each stack, comes from the parent in which it is better.
        BandOrStack = "band-or-stack",
        /// The units before a random cut come from the first parent, the others from the second.
        OnePoint = "one-point",
        /// A random set of units comes from the second parent, the others from the first.
        Subset = "subset",
        /// One random unit comes from the second parent, all else from the first.
        OneUnit = "one-unit",
        /// Two children: the parents after they exchanged one random row.
        RowExchange = "row-exchange",
        /// Two children by partially matched crossover in each unit.
        Pmx = "pmx",
        /// Each cell comes from either parent with one half.
        Uniform = "uniform",
        /// Rows, or columns, up to a random cut come from the first parent, the others from the second.
        LineCut = "line-cut",
        /// Values that both parents have are kept; other cells come from either, or are redrawn.
        Agreement = "agreement",
        /// The child is a copy of the first parent.
        None = "none",
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

named! {
    /// How a child is changed at random.
    pub enum Mutation {
        /// Two blanks of a random unit exchange their values.
        Exchange = "exchange",
        /// A random pair among all pairs of blanks that share a unit exchanges its values.
        PairExchange = "pair-exchange",
        /// Two values of a random unit are put back in random order.
        Reshuffle = "reshuffle",
        /// A share of the blanks is kept; the values of the others are shuffled among them.
        PartialShuffle = "partial-shuffle",
        /// Each cell is given a random value with a small probability.
        Reset = "reset",
        /// Two random cells are given random values.
        RedrawTwo = "redraw-two",
        /// Children stay as they are.
        None = "none",
    }
}

named! {
    /// The local search that a child goes through.
    pub enum LocalSearch {
        /// Random exchanges of two blanks of a unit, kept where fitness does not rise.
        ExchangeDescent = "exchange-descent",
        /// Tabu search: the best change of a conflicting cell that is not forbidden, step by step.
        Tabu = "tabu",
        /// Annealed eviction: values are given to unassigned cells, and cells in their way lose theirs.
        Eviction = "eviction",
        /// Children are scored as they are.
        None = "none",
    }
}

named! {
    /// Who survives.
    pub enum Replacement {
        /// The children replace the whole population.
        Generational = "generational",
        /// The children replace the population, but its best take the place of the worst of them.
        Elitist = "elitist",
        /// A few children replace the worst of the population; all others survive.
        WorstShare = "worst-share",
        /// A few children replace the worst, unless they are too near to one that is not worse.
        KeepDistance = "keep-distance",
        /// A child takes its slot unless its fitness is higher.
        KeepIfNotWorse = "keep-if-not-worse",
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

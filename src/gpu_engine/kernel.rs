//! The kernels of the device engine: the file of each, and how many slots a workgroup takes.

use super::operator_support::OperatorShaders;
use super::ranking_layout::RUN;
use super::workgroups::{COUNTER_SLOTS, COUNTERS};

/// A kernel by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kernel {
    /// Draws new boards.
    Initialise,
    /// The four steps that put the old population in order of fitness.
    RankCount,
    RankScan,
    RankStart,
    RankPlace,
    /// Breeds children that need no long search.
    Breed,
    /// Breeds children, and begins the search of each.
    Begin,
    /// A round of those searches.
    Search,
    /// Ends them, and decides who survives.
    Settle,
    /// Where a distance is kept: children wait in order of fitness, are compared with everybody,
    /// get their places, and everybody comes to live in its slot.
    Wait,
    Compare,
    Give,
    MoveIn,
    Emigrate,
    Immigrate,
    /// The block: the histogram, the best board, and how many boards differ.
    Statistics,
    Best,
    Distinct,
}

impl Kernel {
    /// The kernels that a configuration needs.
    pub(super) fn needed(operators: &OperatorShaders) -> Vec<Self> {
        use Kernel::*;
        let mut needed = vec![Initialise, Emigrate, Immigrate, Statistics, Best, Distinct];
        if operators.ranks {
            needed.extend([RankCount, RankScan, RankStart, RankPlace]);
        }
        if operators.searches {
            needed.extend([Begin, Search, Settle]);
        } else {
            needed.push(Breed);
        }
        if operators.keeps_distance {
            needed.extend([Wait, Compare, Give, MoveIn]);
        }
        needed
    }

    /// Its file under `shaders/`.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Initialise => "breeder/initialise.wgsl",
            Self::RankCount => "selection/ranking/rank_count.wgsl",
            Self::RankScan => "selection/ranking/rank_scan.wgsl",
            Self::RankStart => "selection/ranking/rank_start.wgsl",
            Self::RankPlace => "selection/ranking/rank_place.wgsl",
            Self::Breed => "breeder/breed.wgsl",
            Self::Begin => "breeder/begin.wgsl",
            Self::Search => "breeder/search.wgsl",
            Self::Settle => "breeder/settle.wgsl",
            Self::Wait => "replacement/keep_distance/wait.wgsl",
            Self::Compare => "replacement/keep_distance/compare.wgsl",
            Self::Give => "replacement/keep_distance/give.wgsl",
            Self::MoveIn => "replacement/keep_distance/move_in.wgsl",
            Self::Emigrate => "migration/emigrate.wgsl",
            Self::Immigrate => "migration/immigrate.wgsl",
            Self::Statistics => "statistics/statistics.wgsl",
            Self::Best => "statistics/best.wgsl",
            Self::Distinct => "statistics/distinct.wgsl",
        }
    }

    /// Its entry point, which has the file's name.
    pub(super) fn entry(self) -> &'static str {
        let name = self.file().rsplit_once('/').map_or(self.file(), |(_, name)| name);
        name.strip_suffix(".wgsl").unwrap_or(name)
    }

    /// Slots that a workgroup takes, of which `breeders` threads breed; all of them where one
    /// workgroup does the work.
    pub(super) fn slots(self, breeders: usize) -> u32 {
        let slots = match self {
            Self::Initialise | Self::Breed | Self::Begin | Self::Settle => breeders,
            // A workgroup for each child.
            Self::Search => 1,
            Self::RankCount | Self::RankPlace => COUNTERS * RUN,
            // A workgroup for each fitness, or for each block of comparisons.
            Self::RankScan | Self::Compare => 1,
            Self::RankStart | Self::Give | Self::Best => return u32::MAX,
            Self::Wait | Self::MoveIn | Self::Emigrate | Self::Immigrate | Self::Distinct => {
                COUNTERS
            }
            Self::Statistics => COUNTERS * COUNTER_SLOTS,
        };
        slots as u32
    }
}

//! How eta follows the board: down while it is molten, and slowly up where it is frozen.
//!
//! Every 1,024 proposals eta falls by a small part of itself if more cells are unassigned than a share
//! of all free ones; else it rises by an eighth of that. Just above the melting point some 7 % of
//! the free cells were unassigned on boards from 25x25 to 64x64, and a third of that or less below
//! it: a share in between is passed when a board freezes or melts. Frozen boards come into order
//! the faster the nearer to the melting point they are. So eta, which fell below it by what a board
//! takes to freeze, goes back towards it; what no order came into melts in the end, and freezes
//! otherwise.
//!
//! From 0.5 eta falls 64 times as fast until twice the share is reached for the first time: far above
//! the melting point boards follow at once.
//!
//! With 1,179 free cells and a share of 40 thousandths eta falls while more than 47 cells are
//! unassigned. At 2^20 proposals for a factor of e it falls by a 1,024th of itself in each 1,024
//! proposals, or rises by an 8,192nd.
//!
//! Eta is a probability in units of 2^-31 ([`Probability`](crate::random::Probability)): all is done in
//! whole numbers, on which all machines agree.

use super::partial::UNITS;
use crate::ga::Config;

/// Proposals from one look at the board to the next.
pub const LOOK: u64 = 1 << 10;
/// How much faster eta falls at first.
const FASTER: u64 = 64;
/// How much slower it rises than it falls.
const SLOWER: u64 = 8;
/// The probability of what always happens.
pub const ALWAYS: u32 = 1 << 31;
/// Eta at the start, and at most.
pub const MOST: u32 = ALWAYS / 2;

/// How eta depends on the number of unassigned cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoolingSchedule {
    /// The most unassigned cells of a frozen board.
    share: usize,
    /// The parts of itself by which eta changes, in units of 2^-32.
    parts: ScheduleTerms,
}

/// Parts of eta, in units of 2^-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScheduleTerms {
    /// By which it falls at first.
    first: u32,
    /// By which it falls near the melting point.
    fall: u32,
    /// By which it rises.
    rise: u32,
}

impl CoolingSchedule {
    /// That of a configuration on a puzzle with so many free cells.
    pub fn of(free: usize, config: &Config) -> Self {
        Self::new(free, config.unassigned_share, config.eta_proposals)
    }

    /// That of a puzzle with so many free cells, `share` in thousandths of them, and so many proposals
    /// for a factor of e.
    fn new(free: usize, share: u32, proposals: u64) -> Self {
        // At most a quarter, so that eta never falls to nothing at once.
        let part = |numerator: u64, denominator: u64| {
            let part = (u128::from(LOOK * numerator) << u32::BITS)
                / (u128::from(proposals.max(1)) * u128::from(denominator));
            part.min(1 << 30) as u32
        };
        Self {
            share: (free * share as usize / 1_000).max(1),
            parts: ScheduleTerms {
                first: part(FASTER, 1),
                fall: part(1, 1),
                rise: part(1, SLOWER),
            },
        }
    }

    /// The share and the parts, as the device reads them.
    #[cfg(feature = "gpu")]
    pub fn words(self) -> [u32; 4] {
        let ScheduleTerms { first, fall, rise } = self.parts;
        [self.share as u32, first, fall, rise]
    }
}

/// The probability of an eviction beyond the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptanceRate {
    schedule: CoolingSchedule,
    eta: u32,
    /// Whether eta came near the melting point: then it falls slowly.
    near: bool,
}

impl AcceptanceRate {
    /// At the start of a search.
    pub fn new(schedule: CoolingSchedule) -> Self {
        Self { schedule, eta: MOST, near: false }
    }

    /// What the words of a proposal, halved, must be below for so many peers to be evicted.
    pub fn bounds(self) -> [u32; UNITS + 1] {
        let both = (u64::from(self.eta) * u64::from(self.eta)) >> 31;
        [ALWAYS, ALWAYS, self.eta, both as u32]
    }

    /// Follows the number of unassigned cells.
    pub fn follow(&mut self, unassigned: usize) {
        let CoolingSchedule { share, parts } = self.schedule;
        self.near |= unassigned <= 2 * share;
        // By 1 at least, so that it never stands still.
        let change = |part: u32| ((u64::from(self.eta) * u64::from(part)) >> 32) as u32 + 1;
        self.eta = match (unassigned > share, self.near) {
            (true, false) => self.eta.saturating_sub(change(parts.first)),
            (true, true) => self.eta.saturating_sub(change(parts.fall)),
            (false, _) => (self.eta + change(parts.rise)).min(MOST),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eta_falls_by_e_in_so_many_proposals_and_rises_an_eighth_as_fast() {
        let mut eta = AcceptanceRate::new(CoolingSchedule::new(1_000, 40, 1 << 20));
        eta.follow(80);
        let start = f64::from(eta.eta);
        (0..1 << 10).for_each(|_| eta.follow(41));
        let ratio = start / f64::from(eta.eta);
        assert!((ratio - 1f64.exp()).abs() < 0.01, "{ratio}");
        (0..8 << 10).for_each(|_| eta.follow(40));
        assert!((f64::from(eta.eta) / start - 1.0).abs() < 0.01);
    }

    #[test]
    fn eta_falls_fast_until_the_board_is_near_the_share() {
        let mut eta = AcceptanceRate::new(CoolingSchedule::new(1_000, 40, 1 << 30));
        let fall = |eta: &mut AcceptanceRate, unassigned| {
            let before = eta.eta;
            eta.follow(unassigned);
            before - eta.eta
        };
        let (fast, slow) = (fall(&mut eta, 81), fall(&mut eta, 80));
        assert!(fast.abs_diff(64 * slow) < 70, "{fast} {slow}");
        assert!(fall(&mut eta, 1_000) <= slow);
    }

    #[test]
    fn eta_never_stands_still_and_stays_a_probability() {
        for proposals in [1, 1 << 10, u64::MAX] {
            let mut eta = AcceptanceRate::new(CoolingSchedule::new(3, 40, proposals));
            for unassigned in (0..3_000).map(|look| if look < 1_000 { 60 } else { 0 }) {
                let before = eta.eta;
                eta.follow(unassigned);
                assert!(eta.eta != before || before == 0 || before == MOST);
                let [none, one, two, three] = eta.bounds();
                assert!(none == ALWAYS && one == ALWAYS && two < ALWAYS && three <= two);
            }
        }
    }
}

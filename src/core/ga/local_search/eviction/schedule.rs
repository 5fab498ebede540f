//! The schedule of eta: it falls while the board is molten, and rises slowly while the board is frozen.
//!
//! Every 1,024 proposals eta falls by a small part of itself if more than a share of the free cells are unassigned;
//! otherwise it rises by an eighth of that part. On boards from 25x25 to 64x64 some 7 % of the free cells were unassigned
//! just above the melting point, and at most a third of that below it, so that a share in between separates molten from
//! frozen boards. Frozen boards become ordered faster near the melting point. Eta falls below it while a board freezes,
//! and then returns towards it. A board that does not become ordered melts in the end, and freezes in another way.
//!
//! Eta starts at 0.5 and falls 64 times as fast until the number of unassigned cells is first at most twice the share: far
//! above the melting point boards follow eta at once.
//!
//! With 1,179 free cells and a share of 40 thousandths eta falls while more than 47 cells are unassigned. With 2^20
//! proposals for a factor of e, each 1,024 proposals it falls by a 1,024th of itself or rises by an 8,192nd.
//!
//! Eta is a probability in units of 2^-31 ([`Probability`](crate::random::Probability)). All computations are in whole
//! numbers, on which all machines agree.

use super::partial::UNITS;
use crate::ga::Config;

/// The number of proposals after which eta changes.
pub const LOOK: u64 = 1 << 10;
/// The factor by which eta falls faster at first.
const FASTER: u64 = 64;
/// The factor by which it rises more slowly than it falls.
const SLOWER: u64 = 8;
/// Probability 1.
pub const ALWAYS: u32 = 1 << 31;
/// The first and the highest eta.
pub const MOST: u32 = ALWAYS / 2;

/// The rule by which eta follows the number of unassigned cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoolingSchedule {
    /// The most unassigned cells of a frozen board.
    share: usize,
    /// The fraction by which eta falls at first, in units of 2^-32 like the others.
    first: u32,
    /// The fraction by which eta falls near the melting point.
    fall: u32,
    /// The fraction by which eta rises.
    rise: u32,
}

impl CoolingSchedule {
    /// The schedule of a configuration for a puzzle with `free` free cells.
    pub fn of(free: usize, config: &Config) -> Self {
        Self::new(free, config.unassigned_share, config.eta_proposals)
    }

    /// The schedule for `free` free cells, with `share` in thousandths of them and this number of proposals for a factor
    /// of e.
    fn new(free: usize, share: u32, proposals: u64) -> Self {
        // At most a quarter, so that eta never falls to 0 at once.
        let part = |numerator: u64, denominator: u64| {
            let part = (u128::from(LOOK * numerator) << u32::BITS)
                / (u128::from(proposals.max(1)) * u128::from(denominator));
            part.min(1 << 30) as u32
        };
        Self {
            share: (free * share as usize / 1_000).max(1),
            first: part(FASTER, 1),
            fall: part(1, 1),
            rise: part(1, SLOWER),
        }
    }

    /// The share and the fractions, as the shader reads them.
    pub fn words(self) -> [u32; 4] {
        [self.share as u32, self.first, self.fall, self.rise]
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

    /// For each number of conflicting peers, the bound below which half of the word of a proposal is accepted.
    pub fn bounds(self) -> [u32; UNITS + 1] {
        let both = (u64::from(self.eta) * u64::from(self.eta)) >> 31;
        [ALWAYS, ALWAYS, self.eta, both as u32]
    }

    /// Follows the number of unassigned cells.
    pub fn follow(&mut self, unassigned: usize) {
        let CoolingSchedule { share, first, fall, rise } = self.schedule;
        self.near |= unassigned <= 2 * share;
        // At least 1, so that eta always changes.
        let change = |part: u32| ((u64::from(self.eta) * u64::from(part)) >> 32) as u32 + 1;
        self.eta = match (unassigned > share, self.near) {
            (true, false) => self.eta.saturating_sub(change(first)),
            (true, true) => self.eta.saturating_sub(change(fall)),
            (false, _) => (self.eta + change(rise)).min(MOST),
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

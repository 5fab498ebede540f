//! When forbidden values are free again: a timing wheel.
//!
//! A prohibition that ends with step 260 is chained to slot 260 mod 256 = 4, which is looked
//! through after steps 4, 260, 516 and so on, and found there when it ends. So a step looks at few
//! others than those that end with it, however many are under way.
//!
//! Source: Varghese & Lauck, *Hashed and hierarchical timing wheels*, SOSP 1987 (scheme 6).

/// Slots of the wheel: more than most prohibitions last.
const SLOTS: usize = 256;
/// The end of a chain.
const END: u32 = u32::MAX;

/// Prohibitions by the step with which they end.
#[derive(Debug)]
pub struct TabuList<'a> {
    /// The first of the chain of each slot.
    first: &'a mut [u32],
    /// For each place, the next in its chain and the step with which its prohibition ends. Of no
    /// meaning where none is under way.
    places: &'a mut [[u32; 2]],
}

impl<'a> TabuList<'a> {
    /// Words of working memory for prohibitions of so many places.
    pub fn words(places: usize) -> usize {
        SLOTS + 2 * places
    }

    /// No prohibitions.
    pub fn new(words: &'a mut [u32]) -> Self {
        let (first, places) = words.split_at_mut(SLOTS);
        first.fill(END);
        Self { first, places: bytemuck::cast_slice_mut(places) }
    }

    /// Adds that `place`, of which none is under way, is forbidden until `step` has ended.
    #[inline]
    pub fn add(&mut self, place: u32, step: u32) {
        let first = &mut self.first[step as usize % SLOTS];
        self.places[place as usize] = [*first, step];
        *first = place;
    }

    /// Ends the prohibition of `place` early.
    pub fn remove(&mut self, place: u32) {
        let [next, step] = self.places[place as usize];
        let mut before = &mut self.first[step as usize % SLOTS];
        while *before != place {
            before = &mut self.places[*before as usize][0];
        }
        *before = next;
    }

    /// Ends the prohibitions that last until `step`, and tells their places.
    #[inline]
    pub fn end(&mut self, step: u32, mut ended: impl FnMut(u32)) {
        let mut at = self.first[step as usize % SLOTS];
        if at == END {
            return;
        }
        let mut kept = END;
        while at != END {
            let [next, until] = self.places[at as usize];
            if until == step {
                ended(at);
            } else {
                self.places[at as usize][0] = kept;
                kept = at;
            }
            at = next;
        }
        self.first[step as usize % SLOTS] = kept;
    }
}

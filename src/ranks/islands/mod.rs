//! Islands of one run, shared among ranks.
//!
//! Each rank holds islands that follow each other ([`parts`](crate::ga::parts)) in an engine of
//! its own, on its threads or its GPU. Rank 0 decides: its engine, the [`Archipelago`], sends what is
//! wanted to all ranks, breeds its own islands, and puts the summaries of all together, in the order
//! of islands. Wishes go down a tree and summaries up the same tree, so that both take as many steps
//! as the number of ranks has bits; what leaves an island for one on another rank goes straight
//! there ([`PostedStrait`]). So the run is the same on any number of ranks, bit for bit.
//!
//! **Several generations a wish.** Where nothing is decided in between, rank 0 wants as many
//! generations at a time as take some 20 ms. Each has its summary; those after the one in which the
//! run ends are not looked at.
//!
//! **Calling off.** Rank 0 calls a wish off when the run is to end early; so does, by way of rank 0,
//! a rank whose engine fails. All ranks answer every wish, and rank 0 waits for that, so that nothing
//! of a run is under way when it is over.
//!
//! Eight ranks: 0 writes to 1, 2 and 4; 2 to 3; 4 to 5 and 6; 6 to 7. What comes from a rank is of
//! the ranks from it on up to the next that writes to the same one.

mod archipelago;
mod member;
mod post;
mod strait;
#[cfg(test)]
mod tests;
mod tree;
mod wish;

pub use archipelago::{Archipelago, Batch};
pub use member::{Member, follow};
pub use post::Post;
pub use strait::PostedStrait;
pub use wish::{Failure, Told, Want, What, Wish};

//! How the members of a pool of parents meet.

use crate::util::named_enum::named;

named! {
    /// How the parents in a pool meet.
    pub enum Pairing {
        /// The pool is shuffled; couple i is the i-th with the i-th from the end.
        Couples = "couples",
        /// Each child, or each pair of siblings, draws both of its parents anew.
        Random = "random",
        /// Couple i is the best two of the pool that are left: neighbours in rank order.
        Neighbours = "neighbours",
    }
}

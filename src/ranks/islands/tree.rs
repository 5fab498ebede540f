//! Who writes to whom: a binomial tree, in which a rank and those below it follow each other.

/// The rank above one, which is not 0.
pub(super) fn above(rank: usize) -> usize {
    rank & rank.saturating_sub(1)
}

/// The ranks right below one of so many, in order.
pub(super) fn below(rank: usize, size: usize) -> impl Iterator<Item = usize> {
    let most = if rank == 0 { usize::BITS - 1 } else { rank.trailing_zeros() };
    (0..most).map(move |bit| rank + (1 << bit)).take_while(move |below| *below < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_but_0_is_below_the_one_above_it_alone() {
        for size in 1..70 {
            let mut found = vec![0; size];
            for rank in 0..size {
                let below: Vec<usize> = below(rank, size).collect();
                assert!(below.is_sorted());
                for below in below {
                    assert_eq!(above(below), rank);
                    found[below] += 1;
                }
            }
            assert_eq!(found[0], 0);
            assert!(found[1..].iter().all(|times| *times == 1));
        }
    }

    #[test]
    fn ranks_below_one_another_follow_each_other() {
        fn all(rank: usize, size: usize) -> Vec<usize> {
            std::iter::once(rank)
                .chain(below(rank, size).flat_map(|rank| all(rank, size)))
                .collect()
        }
        for size in 1..70 {
            assert_eq!(all(0, size), Vec::from_iter(0..size));
        }
    }
}

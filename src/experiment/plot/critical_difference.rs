//! Mean ranks over puzzles, with the difference from which on two are told apart.

use super::super::MethodRanking;
use crate::report::plot::CriticalDifference;

/// Values whose names can be read beside an axis.
const MOST: usize = 40;

/// The figure of a ranking, unless there are too many values.
pub(super) fn figure(ranking: &MethodRanking) -> Option<CriticalDifference> {
    if ranking.ranks.len() > MOST {
        return None;
    }
    let of: Vec<String> =
        ranking.context.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let of = if of.is_empty() { String::new() } else { format!(" With {}.", of.join(", ")) };
    Some(CriticalDifference {
        title: "Mean ranks over puzzles".to_owned(),
        caption: format!(
            "Mean ranks over {} puzzles, the least expected work first. Values under one bar are closer \
             than the critical difference at 5 % (Nemenyi), which stands above.{of}",
            ranking.puzzles.len()
        ),
        ranks: ranking.ranks.clone(),
        difference: ranking.critical_difference,
        alike: ranking.alike(),
    })
}

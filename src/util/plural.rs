//! Counts before nouns: `1 run`, `80 cells`, `12 guesses`.

/// The form that a noun has behind a count.
pub(crate) fn noun(count: u64, one: &str) -> String {
    match (count, one.ends_with('s')) {
        (1, _) => one.to_owned(),
        (_, true) => format!("{one}es"),
        (_, false) => format!("{one}s"),
    }
}

/// A count: `2,000`.
#[cfg(feature = "cli")]
pub(crate) fn count(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// A count with its noun: `2,000 moves`.
#[cfg(feature = "cli")]
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {}", count(number), noun(number, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_is_singular() {
        let of = |one| [0, 1, 2].map(|count| noun(count, one));
        assert_eq!(of("run"), ["runs", "run", "runs"]);
        assert_eq!(of("guess"), ["guesses", "guess", "guesses"]);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn counts_have_commas() {
        assert_eq!(counted(1, "free cell"), "1 free cell");
        assert_eq!(counted(1_234, "free cell"), "1,234 free cells");
    }
}

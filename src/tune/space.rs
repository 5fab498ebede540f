//! The space that is searched: parameters with ranges or lists of values, some of which exist only
//! where others have certain values.

use crate::random::Draws;

/// Parameters that are tuned, each after those that it depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterSpace {
    /// The parameters.
    pub dimensions: Vec<Dimension>,
}

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// Its name.
    pub name: &'static str,
    /// The values that it may have.
    pub domain: Domain,
    /// It exists where all of these hold.
    pub when: Vec<Condition>,
}

/// A condition on another parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The place of the other among the dimensions.
    pub dimension: usize,
    /// The other parameter has one of these values, which are text.
    pub values: Vec<String>,
}

/// The values that a parameter may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Numbers.
    Range {
        /// The least.
        from: f64,
        /// The largest.
        to: f64,
        /// Whether ratios count, and not differences.
        log: bool,
        /// Whether they are whole; others have four digits.
        whole: bool,
    },
    /// Values without an order. The number of one is its place here.
    Names(Vec<String>),
}

/// A configuration: a value for each parameter that exists in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// One for each dimension; nothing where it does not exist, or is left as it is by default.
    pub values: Vec<Option<f64>>,
}

impl Domain {
    /// The value at a share of the way from the first to the last.
    pub fn at(&self, share: f64) -> f64 {
        match self {
            Self::Range { from, to, log, whole } => {
                // One more than the last, so that it has as much room as the others.
                let end = if *whole { to + 1.0 } else { *to };
                let value = match log {
                    true => from * (end / from).powf(share),
                    false => from + share * (end - from),
                };
                let value = if *whole { value.floor() } else { rounded(value) };
                value.clamp(*from, *to)
            }
            Self::Names(names) => {
                (share * names.len() as f64).floor().min(names.len().saturating_sub(1) as f64)
            }
        }
    }

    /// The share of the way at which the middle of a number's room lies.
    pub fn share(&self, value: f64) -> f64 {
        let Self::Range { from, to, log, whole } = self else { return 0.5 };
        let (end, middle) = if *whole { (to + 1.0, value + 0.5) } else { (*to, value) };
        let share = match log {
            true => (middle / from).ln() / (end / from).ln(),
            false => (middle - from) / (end - from),
        };
        // A range of one value has its middle anywhere.
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// A value as it is written.
    pub fn text(&self, value: f64) -> String {
        match self {
            Self::Range { .. } => value.to_string(),
            Self::Names(names) => names.get(value as usize).cloned().unwrap_or_default(),
        }
    }

    /// The value that is written so, if it is one of these.
    pub fn read(&self, text: &str) -> Option<f64> {
        match self {
            Self::Range { from, to, whole, .. } => {
                let fits =
                    |value: &f64| (from..=to).contains(&value) && (!whole || value.fract() == 0.0);
                text.parse().ok().filter(fits)
            }
            Self::Names(names) => {
                names.iter().position(|name| name == text).map(|place| place as f64)
            }
        }
    }
}

/// To four digits, so that a value is written as it is, and is the same wherever logarithms differ
/// in their last bits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

impl ParameterSpace {
    /// Whether a parameter exists beside these values of those before it.
    pub fn exists(&self, dimension: usize, values: &[Option<f64>]) -> bool {
        self.dimensions[dimension].when.iter().all(|condition| {
            let other = &self.dimensions[condition.dimension].domain;
            let value = values.get(condition.dimension).copied().flatten();
            value.is_some_and(|value| condition.values.contains(&other.text(value)))
        })
    }

    /// A candidate whose values are drawn one by one; `draw` is given the dimension.
    pub fn candidate(
        &self,
        draws: &mut Draws,
        mut draw: impl FnMut(usize, &Domain, &mut Draws) -> f64,
    ) -> Candidate {
        let mut values: Vec<Option<f64>> = Vec::new();
        for (place, dimension) in self.dimensions.iter().enumerate() {
            let exists = self.exists(place, &values);
            values.push(exists.then(|| draw(place, &dimension.domain, draws)));
        }
        Candidate { values }
    }

    /// The names and values of a candidate, as they are written.
    pub fn texts(&self, candidate: &Candidate) -> Vec<(&'static str, String)> {
        let dimensions = self.dimensions.iter().zip(&candidate.values);
        let text = |(dimension, value): (&Dimension, &Option<f64>)| {
            Some((dimension.name, dimension.domain.text((*value)?)))
        };
        dimensions.filter_map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(from: f64, to: f64, log: bool, whole: bool) -> Domain {
        Domain::Range { from, to, log, whole }
    }

    #[test]
    fn values_lie_where_they_came_from() {
        let domains = [
            numbers(3.0, 9.0, false, true),
            numbers(1.0, 100_000.0, true, true),
            numbers(0.05, 0.9, false, false),
            numbers(1e-3, 10.0, true, false),
            Domain::Names(vec!["a".to_owned(), "b".to_owned()]),
        ];
        for domain in domains {
            for step in 0..=20 {
                let value = domain.at(f64::from(step) / 20.0);
                let again = domain.at(domain.share(value));
                if !matches!(domain, Domain::Names(_)) {
                    assert_eq!(domain.text(again), domain.text(value));
                }
                assert_eq!(domain.read(&domain.text(value)), Some(value), "{domain:?}");
            }
        }
        let whole = numbers(1.0, 3.0, false, true);
        let texts = [0.0, 0.3, 0.4, 0.6, 0.7, 1.0].map(|share| whole.text(whole.at(share)));
        assert_eq!(texts, ["1", "1", "2", "2", "3", "3"]);
        let one = numbers(5.0, 5.0, true, true);
        assert_eq!(one.at(one.share(5.0)), 5.0);
        assert_eq!(whole.read("4"), None);
    }
}

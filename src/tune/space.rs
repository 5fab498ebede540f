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

/// What another parameter must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The place of the other among the dimensions.
    pub dimension: usize,
    /// Its values as text, one of which it has.
    pub values: Vec<String>,
}

/// The values that a parameter may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Whole numbers.
    Whole {
        /// The least.
        from: u64,
        /// The largest.
        to: u64,
        /// Whether ratios count, and not differences.
        log: bool,
    },
    /// Any numbers, to four digits.
    Real {
        /// The least.
        from: f64,
        /// The largest.
        to: f64,
        /// Whether ratios count, and not differences.
        log: bool,
    },
    /// Values without an order.
    Names(Vec<String>),
}

/// A value of a domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DimensionValue {
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// The place of a name in its list.
    Name(usize),
}

/// A configuration: a value for each parameter that exists in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// One for each dimension; nothing where it does not exist, or is left as it is by default.
    pub values: Vec<Option<DimensionValue>>,
}

impl Domain {
    /// The value at a share of the way from the first to the last.
    pub fn at(&self, share: f64) -> DimensionValue {
        let between = |from: f64, to: f64, log: bool| match log {
            true => from * (to / from).powf(share),
            false => from + share * (to - from),
        };
        match self {
            // One more than the last, so that it has as much room as the others.
            Self::Whole { from, to, log } => {
                let value = between(*from as f64, *to as f64 + 1.0, *log).floor();
                DimensionValue::Whole((value as u64).clamp(*from, *to))
            }
            Self::Real { from, to, log } => {
                DimensionValue::Real(rounded(between(*from, *to, *log)).clamp(*from, *to))
            }
            Self::Names(names) => {
                let place = (share * names.len() as f64) as usize;
                DimensionValue::Name(place.min(names.len().saturating_sub(1)))
            }
        }
    }

    /// The share of the way at which the middle of a number's room lies.
    pub fn share(&self, value: DimensionValue) -> f64 {
        let place = |from: f64, to: f64, log: bool, value: f64| match log {
            true => (value / from).ln() / (to / from).ln(),
            false => (value - from) / (to - from),
        };
        let share = match (self, value) {
            (Self::Whole { from, to, log }, DimensionValue::Whole(value)) => {
                place(*from as f64, *to as f64 + 1.0, *log, value as f64 + 0.5)
            }
            (Self::Real { from, to, log }, DimensionValue::Real(value)) => {
                place(*from, *to, *log, value)
            }
            _ => 0.5,
        };
        // A range of one value has its middle anywhere.
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// A value as it is written.
    pub fn text(&self, value: DimensionValue) -> String {
        match (self, value) {
            (_, DimensionValue::Whole(value)) => value.to_string(),
            (_, DimensionValue::Real(value)) => value.to_string(),
            (Self::Names(names), DimensionValue::Name(place)) => {
                names.get(place).cloned().unwrap_or_default()
            }
            (_, DimensionValue::Name(_)) => String::new(),
        }
    }

    /// The value that is written so, if it is one of these.
    pub fn read(&self, text: &str) -> Option<DimensionValue> {
        match self {
            Self::Whole { from, to, .. } => {
                let value = text.parse().ok().filter(|value| (from..=to).contains(&value));
                value.map(DimensionValue::Whole)
            }
            Self::Real { from, to, .. } => {
                let value = text.parse().ok().filter(|value| (from..=to).contains(&value));
                value.map(DimensionValue::Real)
            }
            Self::Names(names) => {
                names.iter().position(|name| name == text).map(DimensionValue::Name)
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
    pub fn exists(&self, dimension: usize, values: &[Option<DimensionValue>]) -> bool {
        self.dimensions[dimension].when.iter().all(|condition| {
            let other = &self.dimensions[condition.dimension].domain;
            let value = values.get(condition.dimension).copied().flatten();
            value.is_some_and(|value| condition.values.contains(&other.text(value)))
        })
    }

    /// A candidate whose values are drawn one by one, where `draw` is told the dimension.
    pub fn candidate(
        &self,
        draws: &mut Draws,
        mut draw: impl FnMut(usize, &Domain, &mut Draws) -> DimensionValue,
    ) -> Candidate {
        let mut values: Vec<Option<DimensionValue>> = Vec::new();
        for (place, dimension) in self.dimensions.iter().enumerate() {
            let exists = self.exists(place, &values);
            values.push(exists.then(|| draw(place, &dimension.domain, draws)));
        }
        Candidate { values }
    }

    /// The names and values of a candidate, as they are written.
    pub fn texts(&self, candidate: &Candidate) -> Vec<(&'static str, String)> {
        let dimensions = self.dimensions.iter().zip(&candidate.values);
        let text = |(dimension, value): (&Dimension, &Option<DimensionValue>)| {
            Some((dimension.name, dimension.domain.text((*value)?)))
        };
        dimensions.filter_map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_where_they_came_from() {
        let domains = [
            Domain::Whole { from: 3, to: 9, log: false },
            Domain::Whole { from: 1, to: 100_000, log: true },
            Domain::Real { from: 0.05, to: 0.9, log: false },
            Domain::Real { from: 1e-3, to: 10.0, log: true },
            Domain::Names(vec!["a".to_owned(), "b".to_owned()]),
        ];
        for domain in domains {
            for step in 0..=20 {
                let value = domain.at(f64::from(step) / 20.0);
                let again = domain.at(domain.share(value));
                if !matches!(value, DimensionValue::Name(_)) {
                    assert_eq!(domain.text(again), domain.text(value));
                }
                assert_eq!(domain.read(&domain.text(value)), Some(value), "{domain:?}");
            }
        }
        let whole = Domain::Whole { from: 1, to: 3, log: false };
        let texts = [0.0, 0.3, 0.4, 0.6, 0.7, 1.0].map(|share| whole.text(whole.at(share)));
        assert_eq!(texts, ["1", "1", "2", "2", "3", "3"]);
        let one = Domain::Whole { from: 5, to: 5, log: true };
        assert_eq!(one.at(one.share(DimensionValue::Whole(5))), DimensionValue::Whole(5));
        assert_eq!(whole.read("4"), None);
    }
}

//! Reads ranges of parameters, each of which its parameter must take. A condition is about a parameter before it.

use super::space::{Condition, Dimension, Domain, ParameterSpace};
use crate::experiment::{
    Located, NamedList, SpecError, SpecPlace, SpecTable, SpecValues, refuse_twice,
};
use crate::ga::{Config, Overrides, Parameter};

/// Parameters that bound a run: what is tuned must not change what a run may take.
const BOUNDS: [&str; 2] = ["max_work", "time_limit"];
/// The form of a range that has neither ends nor values.
const FORM: &str = "a range takes either the keys 'from' and 'to', as in { from = 1, to = 9 }, or the key 'values'";

/// A range as text.
pub(super) struct RawRange {
    /// Where it begins.
    pub place: SpecPlace,
    /// `from`, `to` and `scale`.
    pub keys: SpecValues,
    /// The values of a list.
    pub listed: Option<Vec<Located<String>>>,
    /// The range exists where each of these parameters has one of these values.
    pub when: Vec<NamedList>,
}

impl RawRange {
    /// Reads a table.
    ///
    /// # Errors
    /// [`SpecError`] on the first thing that is wrong.
    pub fn read(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let keys = table.values(&["from", "to", "scale"])?;
        let (listed, when) = (table.list("values")?, table.lists("when")?);
        let place = table.place.clone();
        table.finish()?;
        Ok(Self { place, keys, listed, when })
    }

    /// The values that a parameter has in this range.
    fn domain(&self, parameter: &Parameter) -> Result<Domain, SpecError> {
        let log = match self.keys.one("scale") {
            Some(scale) if scale.value == "log" => true,
            Some(scale) if scale.value != "linear" => {
                let what = "is not a scale: use linear or log";
                return Err(scale.refused(format_args!("'{}' {what}", scale.value)));
            }
            _ => false,
        };
        let (from, to) = match (self.keys.one("from"), self.keys.one("to"), &self.listed) {
            (None, None, Some(values)) => return Ok(Domain::Names(texts(parameter, values)?)),
            (Some(from), Some(to), None) => (from, to),
            _ => return Err(self.place.refused(FORM)),
        };
        // Each end is a value that the parameter takes.
        let ends = (text(parameter, from)?.value, text(parameter, to)?.value);
        match (ends.0.parse::<f64>(), ends.1.parse::<f64>()) {
            (Ok(low), Ok(_)) if log && low <= 0.0 => {
                Err(from.refused("a range with a log scale must begin above 0"))
            }
            (Ok(from), Ok(to)) if from <= to => {
                let is_refused = |text: &&str| Overrides::parse(parameter.name, text).is_err();
                let whole = ["0.5", "1.5"].iter().all(is_refused);
                Ok(Domain::Range { from, to, log, whole })
            }
            (Ok(_), Ok(_)) => {
                let (from, last) = ends;
                Err(to.refused(format_args!("the range from {from} to {last} is empty")))
            }
            _ => Err(from.refused(FORM)),
        }
    }
}

/// The space of what is tuned; `fixed` is what all candidates have.
///
/// # Errors
/// [`SpecError`] on the first thing that is wrong.
pub(super) fn space(
    tuned: Vec<(Located<String>, RawRange)>,
    whole: &SpecPlace,
    fixed: &Overrides,
) -> Result<ParameterSpace, SpecError> {
    if tuned.is_empty() {
        return Err(whole.refused("no ranges are listed"));
    }
    let mut dimensions: Vec<Dimension> = Vec::new();
    for (name, range) in tuned {
        let parameter = Config::parameter(&name.value).map_err(|error| name.refused(error))?;
        let is_known = dimensions.iter().any(|known| known.name == parameter.name);
        if is_known || (parameter.set)(fixed).is_some() {
            return Err(name.refused(format_args!("{} is given twice", parameter.name)));
        }
        if BOUNDS.contains(&parameter.name) {
            return Err(name.refused(untunable(parameter.name)));
        }
        let condition = |(other, values): &NamedList| {
            // Hyphens may stand for underscores.
            let parameter =
                Config::parameter(&other.value).map_err(|error| other.refused(error))?;
            let known = dimensions.iter().position(|known| known.name == parameter.name);
            let dimension = known.ok_or_else(|| {
                let what = "is used in this `when`, so its range must come before the range with the `when`";
                other.refused(format_args!("'{}' {what}", other.value))
            })?;
            let values = texts(parameter, values)?;
            let domain = &dimensions[dimension].domain;
            match values.iter().find(|text| domain.read(text).is_none()) {
                Some(text) => Err(other.refused(format_args!("{} is never {text}", other.value))),
                None => Ok(Condition { dimension, values }),
            }
        };
        let when = range.when.iter().map(condition).collect::<Result<_, SpecError>>()?;
        dimensions.push(Dimension { name: parameter.name, domain: range.domain(parameter)?, when });
    }
    Ok(ParameterSpace { dimensions })
}

/// A sentence about a method or a parameter that cannot be tuned.
pub(super) fn untunable(name: &str) -> String {
    format!(
        "{name} cannot be tuned: tune takes a preset and its parameters, but not the limits of a run"
    )
}

/// Values of a parameter, written as the parameter writes them.
fn texts(parameter: &Parameter, values: &[Located<String>]) -> Result<Vec<String>, SpecError> {
    let texts: Vec<_> =
        values.iter().map(|value| text(parameter, value)).collect::<Result<_, _>>()?;
    refuse_twice(&texts)?;
    Ok(texts.into_iter().map(|text| text.value).collect())
}

fn text(parameter: &Parameter, value: &Located<String>) -> Result<Located<String>, SpecError> {
    let set = value.read(|value| Overrides::parse(parameter.name, value))?;
    Ok(value.with((parameter.set)(&set.value).unwrap_or_default()))
}

//! Ranges of parameters, each found to be one that its parameter takes, and put into an order in which
//! every condition is about one before it.

use super::space::{Condition, Dimension, Domain, ParameterSpace};
use super::spec_toml::{Range, RangeTable};
use crate::experiment::{Located, Reader, SpecError, SpecErrorKind, SpecPlace};
use crate::ga::{Config, Overrides};

/// Parameters that bound a run: what is tuned must not change what a run may take.
const BOUNDS: [&str; 2] = ["max_work", "time_limit"];

/// A range whose texts know where they stand.
#[derive(Clone, Debug)]
pub(super) struct PlacedRange {
    kind: DimensionKind,
    when: Vec<(Located<String>, Vec<Located<String>>)>,
}

#[derive(Clone, Debug)]
enum DimensionKind {
    Values(Vec<Located<String>>),
    Between { from: Located<String>, to: Located<String>, log: bool },
}

impl Range {
    /// A list of values without a condition.
    pub(super) fn several(values: Vec<Located<String>>) -> PlacedRange {
        PlacedRange { kind: DimensionKind::Values(values), when: Vec::new() }
    }

    /// What a table says.
    pub(super) fn read(
        table: RangeTable,
        reader: &Reader<'_>,
        place: SpecPlace,
    ) -> Result<PlacedRange, SpecError> {
        let refused = |refusal| SpecError { place: place.clone(), refusal };
        let scale = table.scale.map(|scale| reader.placed(scale));
        let log = match &scale {
            None => false,
            Some(scale) => match scale.value.as_str() {
                "log" => true,
                "linear" => false,
                _ => return Err(scale.refused(SpecErrorKind::Scale(scale.value.clone()))),
            },
        };
        let ends = (table.from, table.to);
        let kind = match (ends, table.values) {
            ((Some(from), Some(to)), None) => {
                DimensionKind::Between { from: reader.placed(from), to: reader.placed(to), log }
            }
            ((None, None), Some(values)) => DimensionKind::Values(reader.list(values)),
            _ => return Err(refused(SpecErrorKind::NoRange)),
        };
        let when = table.when.into_iter().map(|(name, values)| {
            let place = reader.place(name.span());
            (Located { value: name.into_inner(), place }, reader.list(values))
        });
        Ok(PlacedRange { kind, when: when.collect() })
    }
}

/// The space of what is tuned; `fixed` is what all candidates have.
///
/// # Errors
/// [`SpecError`] on the first thing that is wrong.
pub(super) fn dimensions(
    tuned: Vec<(Located<String>, PlacedRange)>,
    whole: &SpecPlace,
    fixed: &Overrides,
) -> Result<ParameterSpace, SpecError> {
    if tuned.is_empty() {
        return Err(SpecError { place: whole.clone(), refusal: SpecErrorKind::Nothing("ranges") });
    }
    let mut waiting = Vec::new();
    for (name, range) in tuned {
        let parameter = Config::parameter(&name.value).map_err(|error| name.refused(error))?;
        let known =
            |other: &(Located<String>, &'static str, PlacedRange)| other.1 == parameter.name;
        if (parameter.set)(fixed).is_some() || waiting.iter().any(known) {
            return Err(name.refused(SpecErrorKind::Twice(parameter.name.to_owned())));
        }
        if BOUNDS.contains(&parameter.name) {
            return Err(name.refused(SpecErrorKind::Untunable(parameter.name)));
        }
        waiting.push((name, parameter.name, range));
    }
    let mut dimensions: Vec<Dimension> = Vec::new();
    while !waiting.is_empty() {
        let names: Vec<&'static str> = dimensions.iter().map(|known| known.name).collect();
        let is_ready = |range: &PlacedRange| {
            range.when.iter().all(|(other, _)| place(&names, &other.value).is_some())
        };
        let Some(next) = waiting.iter().position(|(_, _, range)| is_ready(range)) else {
            let (name, _, range) = &waiting[0];
            let mut others = range.when.iter().map(|(other, _)| other);
            let lost = others.find(|other| place(&names, &other.value).is_none()).unwrap_or(name);
            return Err(lost.refused(SpecErrorKind::NotTuned(lost.value.clone())));
        };
        let (_, name, range) = waiting.remove(next);
        let mut when = Vec::new();
        for (other, values) in &range.when {
            let Some(dimension) = place(&names, &other.value) else { continue };
            let texts = values.iter().map(|value| text(names[dimension], value));
            when.push(Condition { dimension, values: texts.collect::<Result<_, _>>()? });
        }
        dimensions.push(Dimension { name, domain: domain(name, &range.kind)?, when });
    }
    Ok(ParameterSpace { dimensions })
}

/// The place of a name among others; hyphens may stand for underscores.
fn place(names: &[&'static str], name: &str) -> Option<usize> {
    let name = Config::parameter(name).ok()?.name;
    names.iter().position(|known| *known == name)
}

fn domain(name: &'static str, kind: &DimensionKind) -> Result<Domain, SpecError> {
    let (from, to, log) = match kind {
        DimensionKind::Values(values) => {
            let texts = values.iter().map(|value| text(name, value));
            return Ok(Domain::Names(texts.collect::<Result<_, _>>()?));
        }
        DimensionKind::Between { from, to, log } => (from, to, *log),
    };
    // Each end is a value that the parameter takes.
    let ends = (text(name, from)?, text(name, to)?);
    let empty =
        || to.refused(SpecErrorKind::EmptyRange { from: ends.0.clone(), to: ends.1.clone() });
    let domain = match (ends.0.parse::<f64>(), ends.1.parse::<f64>()) {
        (Ok(low), Ok(high)) if low <= high => match (ends.0.parse(), ends.1.parse()) {
            (Ok(from), Ok(to)) if is_of_whole(name) => Domain::Whole { from, to, log },
            _ => Domain::Real { from: low, to: high, log },
        },
        (Ok(_), Ok(_)) => return Err(empty()),
        _ => return Err(from.refused(SpecErrorKind::NoRange)),
    };
    let is_zero = ends.0.parse::<f64>().is_ok_and(|low| low <= 0.0);
    if log && is_zero { Err(from.refused(SpecErrorKind::LogOfZero)) } else { Ok(domain) }
}

/// Whether a parameter takes whole numbers alone.
fn is_of_whole(name: &'static str) -> bool {
    Overrides::parse(name, "1.5").is_err() && Overrides::parse(name, "0.5").is_err()
}

/// A value of a parameter, written as the parameter writes it.
fn text(name: &'static str, value: &Located<String>) -> Result<String, SpecError> {
    let parameter = Config::parameter(name).map_err(|error| value.refused(error))?;
    let set = Overrides::parse(name, &value.value).map_err(|error| value.refused(error))?;
    Ok((parameter.set)(&set).unwrap_or_default())
}

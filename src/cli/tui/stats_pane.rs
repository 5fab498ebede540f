//! The figures of a run, a name and a number on each line.

use indicatif::HumanCount;
use ratatui::text::Line;

use super::view_model::ViewModel;

/// Columns of the names.
const NAMES: u16 = 11;
/// Columns beside them below which figures come first.
const ROOM: usize = 8;

/// The figures that are known, each in at most `width` columns; `speed` is what the keys set.
pub fn lines(scene: &ViewModel, speed: &str, width: u16) -> Vec<Line<'static>> {
    let Some(frame) = &scene.frame else { return vec![Line::raw("no generation yet")] };
    let population = scene.title.as_ref().map_or(0, |title| title.population);
    let room = usize::from(width.saturating_sub(NAMES));
    let count = |number: u64| {
        let whole = HumanCount(number).to_string();
        if whole.len() <= room.max(ROOM) { whole } else { short(number as f64) }
    };
    let rate = |rate: f64| if rate < 100.0 { format!("{rate:.1}") } else { count(rate as u64) };
    let mut figures = vec![
        ("generation", count(frame.generation.into())),
        ("restarts", count(frame.restart.into())),
        ("best now", frame.best.to_string()),
        ("best ever", format!("{} (in {})", frame.best_so_far, scene.found)),
        ("mean", format!("{:.1}", frame.sum as f64 / f64::from(population.max(1)))),
        ("worst", frame.worst.to_string()),
    ];
    // It is not estimated in every generation.
    if let Some(distinct) = scene.distinct {
        let all = u64::from(population);
        figures.push(("distinct", format!("{} of {}", count(distinct), count(all))));
    }
    figures.push(("work", count(frame.evaluations + frame.moves)));
    if let Some(pulse) = &scene.pulse {
        figures.push(("gens/s", rate(pulse.generations)));
        figures.push(("children/s", rate(pulse.children)));
        // Not every algorithm makes moves.
        if frame.moves > 0 || pulse.moves > 0.0 {
            figures.push(("moves/s", rate(pulse.moves)));
        }
        figures.push(("time", format!("{:.1} s", pulse.elapsed.as_secs_f64())));
    }
    figures.push(("speed", speed.to_owned()));
    let names = usize::from(NAMES);
    // What is cut off is to be a name, never a digit.
    let line = |(name, figure): (&str, String)| match room {
        0..ROOM => Line::raw(format!("{figure} {name}")),
        _ => Line::raw(format!("{name:<names$}{figure}")),
    };
    figures.into_iter().map(line).collect()
}

/// `1.2M` for 1,234,567.
fn short(number: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = units.into_iter().find(|(size, _)| number >= *size);
    unit.map_or_else(|| number.to_string(), |(size, unit)| format!("{:.1}{unit}", number / size))
}

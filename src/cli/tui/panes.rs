//! Panes of text: the figures of a run, the best of each island, and the puzzles of a list.

use ratatui::text::Line;

use super::view_model::{PuzzleList, PuzzleStatus, ViewModel};
use crate::util::quantity::{count, short};

/// Columns of the names of figures.
const NAMES: u16 = 12;
/// The least columns for figures after their names; in fewer they come before the names.
const ROOM: usize = 8;

/// The figures of a run, each in at most `width` columns; `speed` is the speed that keys set.
pub fn figures(model: &ViewModel, speed: &str, width: u16) -> Vec<Line<'static>> {
    let Some(frame) = &model.frame else { return vec![Line::raw("no generation yet")] };
    let population = model.title.as_ref().map_or(0, |title| title.population);
    let room = usize::from(width.saturating_sub(NAMES));
    let count = |number: u64| {
        let whole = count(number);
        if whole.len() <= room.max(ROOM) { whole } else { short(number as f64) }
    };
    let rate = |rate: f64| if rate < 100.0 { format!("{rate:.1}") } else { count(rate as u64) };
    let mut figures = vec![
        ("generation", count(frame.generation.into())),
        ("restarts", count(frame.restart.into())),
        ("best now", frame.best.to_string()),
        ("best so far", format!("{} (gen. {})", frame.best_so_far, model.found)),
        ("mean", format!("{:.1}", frame.sum as f64 / f64::from(population.max(1)))),
        ("worst", frame.worst.to_string()),
    ];
    // It is not estimated in every generation.
    if let Some(distinct) = model.distinct {
        let whole = format!("{} of {}", count(distinct), count(population.into()));
        let shown = if whole.len() <= room { whole } else { count(distinct) };
        figures.push(("distinct", shown));
    }
    figures.push(("work", count(frame.evaluations + frame.moves)));
    figures.push(("speed", speed.to_owned()));
    if let Some(rates) = &model.rates {
        let [generations, children, moves] = rates.per_second;
        figures.push(("children/s", rate(children)));
        figures.push(("time", format!("{:.1} s", rates.elapsed.as_secs_f64())));
        figures.push(("gens/s", rate(generations)));
        // Not every algorithm makes moves.
        if frame.moves > 0 || moves > 0.0 {
            figures.push(("moves/s", rate(moves)));
        }
    }
    let names = usize::from(NAMES);
    // A narrow pane cuts off the name, never a digit.
    let line = |(name, figure): (&str, String)| match room {
        0..ROOM => Line::raw(format!("{figure} {name}")),
        _ => Line::raw(format!("{name:<names$}{figure}")),
    };
    figures.into_iter().map(line).collect()
}

/// The best of each island as a number and a bar, shorter bars being better, in at most `most` lines.
pub fn islands(islands: &[u16], width: u16, most: usize) -> Vec<Line<'static>> {
    let worst = islands.iter().copied().max().unwrap_or(0).max(1);
    let digits = islands.len().to_string().len();
    let left = usize::from(width).saturating_sub(digits + 9);
    let line = |(number, best): (usize, &u16)| {
        let bar = "■".repeat(left * usize::from(*best) / usize::from(worst));
        Line::raw(format!("{:>digits$}  {best:>5}  {bar}", number + 1))
    };
    let mut lines: Vec<Line<'static>> = islands.iter().enumerate().take(most).map(line).collect();
    if islands.len() > most && most > 0 {
        lines.truncate(most - 1);
        lines.push(Line::raw(format!("and {} more", islands.len() + 1 - most)));
    }
    lines
}

/// The last puzzles of a list in at most `most` lines; the last line is the puzzle in progress.
pub fn puzzles(list: &PuzzleList, in_progress: Option<&str>, most: usize) -> Vec<Line<'static>> {
    let total = list.total.map(|total| format!(" of {}", count(total))).unwrap_or_default();
    let (done, solved) = (count(list.done), count(list.solved));
    let mut lines = vec![format!("{done}{total} done, {solved} solved")];
    lines.push("+ solved  - not  ! failed".to_owned());
    let hidden = (list.latest.len() + lines.len() + in_progress.iter().len()).saturating_sub(most);
    let latest = list.latest.iter().skip(hidden).map(|(status, name)| {
        let mark = match status {
            PuzzleStatus::Solved => '+',
            PuzzleStatus::Unsolved => '-',
            PuzzleStatus::Failed => '!',
        };
        format!("{mark} {name}")
    });
    lines.extend(latest.chain(in_progress.map(|name| format!("> {name}"))));
    lines.into_iter().map(Line::raw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_island_has_the_longest_bar_and_hidden_ones_are_counted() {
        let text = |values: &[u16], most| -> Vec<String> {
            islands(values, 20, most).iter().map(ToString::to_string).collect()
        };
        assert_eq!(text(&[10, 5, 0], 3), ["1     10  ■■■■■■■■■■", "2      5  ■■■■■", "3      0  "]);
        assert_eq!(text(&[10, 5, 0], 2), ["1     10  ■■■■■■■■■■", "and 2 more"]);
        assert_eq!(text(&[0, 0], 0), [""; 0]);
    }
}

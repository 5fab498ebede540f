//! The best of each island, as numbers and bars: the shorter, the better.

use ratatui::text::Line;

/// So many lines of islands, the first ones first.
pub fn lines(islands: &[u16], width: u16, most: usize) -> Vec<Line<'static>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_has_the_longest_bar_and_what_has_no_room_is_counted() {
        let text = |islands: &[u16], most| -> Vec<String> {
            lines(islands, 20, most).iter().map(ToString::to_string).collect()
        };
        assert_eq!(text(&[10, 5, 0], 3), ["1     10  ■■■■■■■■■■", "2      5  ■■■■■", "3      0  "]);
        assert_eq!(text(&[10, 5, 0], 2), ["1     10  ■■■■■■■■■■", "and 2 more"]);
        assert_eq!(text(&[0, 0], 0), [""; 0]);
    }
}

//! Escapes text from files and users for a terminal.
//!
//! The contents and the names of files may hold anything: a line feed that begins a line of its own, a
//! sequence that moves the cursor or reverses the text, megabytes. All characters that a terminal would
//! interpret are therefore escaped, and long text is cut.
//!
//! ```text
//! ESC [31mred LF     is shown as     \u{1b}[31mred\n
//! ```

/// Whether a terminal interprets a character instead of showing it: control characters, separators
/// of lines and paragraphs, and characters that change the direction of text (Unicode Standard
/// Annex #9).
fn is_obeyed(c: char) -> bool {
    let turns = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c);
    c.is_control() || turns || ['\u{2028}', '\u{2029}'].contains(&c)
}

/// Text on one line of at most `longest` characters, plus a remark if it was cut.
pub fn line(text: &str, longest: usize) -> String {
    let shown = text.char_indices().nth(longest).map_or(text, |(end, _)| &text[..end]);
    let mut line = written_out(shown, is_obeyed);
    if shown.len() < text.len() {
        line += "...";
    }
    line
}

/// Lines of the program, which may contain text from files and users: line feeds stay.
pub fn lines(text: &str) -> String {
    written_out(text, |c| c != '\n' && is_obeyed(c))
}

fn written_out(text: &str, obeyed: impl Fn(char) -> bool) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if obeyed(c) {
            plain.extend(c.escape_default());
        } else {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(line("a\u{1b}[31m\nb\u{9b}\u{202e}", 99), r"a\u{1b}[31m\nb\u{9b}\u{202e}");
        assert_eq!(line("Grüße, 数独", 99), "Grüße, 数独");
        assert_eq!(line("äöü", 3), "äöü");
        assert_eq!(line("äöüß", 3), "äöü...");
        assert_eq!(line(&"x".repeat(1_000_000), 60).len(), 63);
    }

    #[test]
    fn the_programs_own_lines_stay_lines() {
        assert_eq!(lines("1 2\n\u{7}3\t4\n"), "1 2\n\\u{7}3\\t4\n");
    }
}

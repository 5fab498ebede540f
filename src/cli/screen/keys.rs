//! Keys, and what they mean.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The keys of a run under way, as they are told.
pub const LIVE: &str = "q quit  space pause, go on  n one generation  + faster  - slower  \
                        tab other board  arrows, page up, page down scroll  ? fewer keys";
/// Those of a recording.
pub const RECORDED: &str = "q quit  space pause, go on  n or → next  p or ← previous  \
                            home first  end last  + faster  - slower  tab other board  \
                            arrows, page up, page down scroll  ? fewer keys";

/// What a viewer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Quit,
    /// To stop the program, as Ctrl-Z does.
    Suspend,
    Pause,
    Next,
    Previous,
    First,
    Last,
    Faster,
    Slower,
    OtherBoard,
    Help,
    /// To have everything drawn anew.
    Redraw,
    /// By lines and columns.
    Scroll([i32; 2]),
    /// By pages.
    Page(i32),
}

/// What a key means; arrows to the sides step unless there is something to scroll.
pub fn wish(key: KeyEvent, is_scrolled: bool) -> Option<Wish> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Wish::Quit),
            KeyCode::Char('z') => Some(Wish::Suspend),
            KeyCode::Char('l') => Some(Wish::Redraw),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char('q') => Wish::Quit,
        KeyCode::Char(' ') => Wish::Pause,
        KeyCode::Char('n') => Wish::Next,
        KeyCode::Char('p') => Wish::Previous,
        KeyCode::Char('+' | '=') => Wish::Faster,
        KeyCode::Char('-') => Wish::Slower,
        KeyCode::Char('?' | 'h') => Wish::Help,
        KeyCode::Tab => Wish::OtherBoard,
        KeyCode::Home => Wish::First,
        KeyCode::End => Wish::Last,
        KeyCode::Right if !is_scrolled => Wish::Next,
        KeyCode::Left if !is_scrolled => Wish::Previous,
        KeyCode::Right => Wish::Scroll([0, 3]),
        KeyCode::Left => Wish::Scroll([0, -3]),
        KeyCode::Up => Wish::Scroll([-1, 0]),
        KeyCode::Down => Wish::Scroll([1, 0]),
        KeyCode::PageUp => Wish::Page(-1),
        KeyCode::PageDown => Wish::Page(1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_step_where_nothing_is_to_be_scrolled() {
        let right = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(wish(right, false), Some(Wish::Next));
        assert_eq!(wish(right, true), Some(Wish::Scroll([0, 3])));
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(wish(ctrl_c, true), Some(Wish::Quit));
        let c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::NONE);
        assert_eq!(wish(c, true), None);
    }

    #[test]
    fn each_key_means_what_the_help_says() {
        let plain = |code| wish(KeyEvent::new(code, KeyModifiers::NONE), true);
        for (key, wanted) in [
            ('q', Wish::Quit),
            (' ', Wish::Pause),
            ('n', Wish::Next),
            ('p', Wish::Previous),
            ('+', Wish::Faster),
            ('=', Wish::Faster),
            ('-', Wish::Slower),
            ('?', Wish::Help),
            ('h', Wish::Help),
        ] {
            assert_eq!(plain(KeyCode::Char(key)), Some(wanted), "{key}");
        }
        for (key, wanted) in [
            (KeyCode::Tab, Wish::OtherBoard),
            (KeyCode::Home, Wish::First),
            (KeyCode::End, Wish::Last),
            (KeyCode::Left, Wish::Scroll([0, -3])),
            (KeyCode::Up, Wish::Scroll([-1, 0])),
            (KeyCode::Down, Wish::Scroll([1, 0])),
            (KeyCode::PageUp, Wish::Page(-1)),
            (KeyCode::PageDown, Wish::Page(1)),
        ] {
            assert_eq!(plain(key), Some(wanted), "{key}");
        }
        let left = KeyEvent::new(KeyCode::Left, KeyModifiers::NONE);
        assert_eq!(wish(left, false), Some(Wish::Previous));
        let control = |key| wish(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL), false);
        assert_eq!(control('z'), Some(Wish::Suspend));
        assert_eq!(control('l'), Some(Wish::Redraw));
        assert_eq!(control('q'), None);
        let release = KeyEventKind::Release;
        let released = KeyEvent::new_with_kind(KeyCode::Char('q'), KeyModifiers::NONE, release);
        assert_eq!(wish(released, false), None);
    }
}

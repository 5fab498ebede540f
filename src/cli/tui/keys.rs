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
pub enum KeyCommand {
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
pub fn wish(key: KeyEvent, is_scrolled: bool) -> Option<KeyCommand> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(KeyCommand::Quit),
            KeyCode::Char('z') => Some(KeyCommand::Suspend),
            KeyCode::Char('l') => Some(KeyCommand::Redraw),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char('q') => KeyCommand::Quit,
        KeyCode::Char(' ') => KeyCommand::Pause,
        KeyCode::Char('n') => KeyCommand::Next,
        KeyCode::Char('p') => KeyCommand::Previous,
        KeyCode::Char('+' | '=') => KeyCommand::Faster,
        KeyCode::Char('-') => KeyCommand::Slower,
        KeyCode::Char('?' | 'h') => KeyCommand::Help,
        KeyCode::Tab => KeyCommand::OtherBoard,
        KeyCode::Home => KeyCommand::First,
        KeyCode::End => KeyCommand::Last,
        KeyCode::Right if !is_scrolled => KeyCommand::Next,
        KeyCode::Left if !is_scrolled => KeyCommand::Previous,
        KeyCode::Right => KeyCommand::Scroll([0, 3]),
        KeyCode::Left => KeyCommand::Scroll([0, -3]),
        KeyCode::Up => KeyCommand::Scroll([-1, 0]),
        KeyCode::Down => KeyCommand::Scroll([1, 0]),
        KeyCode::PageUp => KeyCommand::Page(-1),
        KeyCode::PageDown => KeyCommand::Page(1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_step_where_nothing_is_to_be_scrolled() {
        let right = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(wish(right, false), Some(KeyCommand::Next));
        assert_eq!(wish(right, true), Some(KeyCommand::Scroll([0, 3])));
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(wish(ctrl_c, true), Some(KeyCommand::Quit));
        let c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::NONE);
        assert_eq!(wish(c, true), None);
    }

    #[test]
    fn each_key_means_what_the_help_says() {
        let plain = |code| wish(KeyEvent::new(code, KeyModifiers::NONE), true);
        for (key, wanted) in [
            ('q', KeyCommand::Quit),
            (' ', KeyCommand::Pause),
            ('n', KeyCommand::Next),
            ('p', KeyCommand::Previous),
            ('+', KeyCommand::Faster),
            ('=', KeyCommand::Faster),
            ('-', KeyCommand::Slower),
            ('?', KeyCommand::Help),
            ('h', KeyCommand::Help),
        ] {
            assert_eq!(plain(KeyCode::Char(key)), Some(wanted), "{key}");
        }
        for (key, wanted) in [
            (KeyCode::Tab, KeyCommand::OtherBoard),
            (KeyCode::Home, KeyCommand::First),
            (KeyCode::End, KeyCommand::Last),
            (KeyCode::Left, KeyCommand::Scroll([0, -3])),
            (KeyCode::Up, KeyCommand::Scroll([-1, 0])),
            (KeyCode::Down, KeyCommand::Scroll([1, 0])),
            (KeyCode::PageUp, KeyCommand::Page(-1)),
            (KeyCode::PageDown, KeyCommand::Page(1)),
        ] {
            assert_eq!(plain(key), Some(wanted), "{key}");
        }
        let left = KeyEvent::new(KeyCode::Left, KeyModifiers::NONE);
        assert_eq!(wish(left, false), Some(KeyCommand::Previous));
        let control = |key| wish(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL), false);
        assert_eq!(control('z'), Some(KeyCommand::Suspend));
        assert_eq!(control('l'), Some(KeyCommand::Redraw));
        assert_eq!(control('q'), None);
        let release = KeyEventKind::Release;
        let released = KeyEvent::new_with_kind(KeyCode::Char('q'), KeyModifiers::NONE, release);
        assert_eq!(wish(released, false), None);
    }
}

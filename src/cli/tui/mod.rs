//! The screen: a run, live or recorded.
//!
//! | file | holds |
//! | --- | --- |
//! | `view_model` | the state of a run, live or recorded |
//! | `layout` | the layout; `board`, `curve` and `panes` draw its panes |
//! | `keys`, `throttle` | keys and their commands, and the speed that they set |
//! | `terminal` | taking the terminal over and restoring it |
//! | `live` | the screen of a live run |
//! | `player` | the screen of a recording |
//! | `svg` | a frame as SVG |

mod board;
mod curve;
mod keys;
mod layout;
mod live;
mod panes;
mod player;
mod svg;
mod terminal;
mod throttle;
mod view_model;

pub use live::Screen;
pub use player::Player;
pub use terminal::{is_fit, restore};
pub use throttle::Throttle;
pub use view_model::{PuzzleStatus, RunTitle};

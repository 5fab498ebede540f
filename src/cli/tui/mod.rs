//! The screen: a run as one can look at it, live or recorded.
//!
//! | file | holds |
//! | --- | --- |
//! | `scene` | what is known of a run, whoever tells it |
//! | `view` | the layout; `board`, `curve`, `figures`, `islands`, `queue` are its panes |
//! | `typed`, `keys`, `pace` | keys as they come, what they mean, and how fast generations follow each other |
//! | `terminal` | taking the terminal over and giving it back |
//! | `live`, `meter` | a run under way |
//! | `player` | a recording |
//! | `lines` | what is told where there is no screen |
//! | `picture` | a frame as SVG |

mod board;
mod curve;
mod input;
mod islands;
mod keys;
mod layout;
mod live;
mod plain;
mod player;
mod puzzle_list;
mod rate_meter;
mod stats_pane;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;
mod throttle;
mod view_model;

pub use live::Screen;
pub use plain::PlainDisplay;
pub use player::Player;
pub use puzzle_list::PuzzleStatus;
pub use terminal::{is_fit, restore};
pub use throttle::Throttle;
pub use view_model::RunTitle;

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
mod figures;
mod islands;
mod keys;
mod lines;
mod live;
mod meter;
mod pace;
mod picture;
mod player;
mod queue;
mod scene;
mod terminal;
#[cfg(test)]
mod tests;
mod typed;
mod view;

pub use lines::Lines;
pub use live::Screen;
pub use pace::Pace;
pub use player::Player;
pub use queue::Verdict;
pub use scene::Title;
pub use terminal::{is_fit, restore};

//! The plots of a document. Each shows its own title, which is read out too.

use super::markup::{escape, left_out};
use crate::report::Plot;
use crate::report::document::Document;

/// Bytes of all plots at most.
const BYTES: usize = 4 << 20;

/// A figure for each plot; nothing for none.
pub(super) fn plots(document: &dyn Document) -> String {
    let mut text = String::new();
    for Plot { title, svg, .. } in document.plots() {
        let svg = svg.find("<svg").map_or("", |at| svg[at..].trim_end());
        if svg.is_empty() {
            continue;
        }
        if text.len() + svg.len() > BYTES {
            text += &left_out(&format!("There is no room for a plot: {title}. --plot draws all."));
            continue;
        }
        let title = escape(&title);
        text += &format!(
            "<figure class=\"plot\">
<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">
{svg}
</div>
</figure>
"
        );
    }
    text
}

//! Text as markup: what others wrote can be neither an element, nor an attribute, nor a script.

use crate::sanitize;

/// Characters of a text that are shown.
const LONGEST: usize = 2_000;
/// Characters of a name that are shown.
const LONGEST_NAME: usize = 120;
/// Sentences that are shown of a list.
const SENTENCES: usize = 60;

/// Text that may stand in an element or in a quoted attribute. What would be obeyed is written out, and
/// what runs on is cut.
///
/// ```text
/// <b>"x" & y     is shown as     &lt;b&gt;&quot;x&quot; &amp; y
/// ```
pub(super) fn escape(text: &str) -> String {
    escaped(text, LONGEST)
}

/// The same of a name, of which less is enough.
pub(super) fn name(text: &str) -> String {
    escaped(text, LONGEST_NAME)
}

fn escaped(text: &str, longest: usize) -> String {
    let mut escaped = String::with_capacity(text.len().min(longest));
    for c in sanitize::line(text, longest).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON that may stand in a script element: in its strings, where alone these can be, all of them are
/// written as numbers.
pub(super) fn data(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A paragraph for each sentence; nothing for none.
pub(super) fn sentences(sentences: &[String], class: &str) -> String {
    let shown = sentences.iter().take(SENTENCES);
    let mut text: String =
        shown.map(|sentence| format!("<p class=\"{class}\">{}</p>\n", escape(sentence))).collect();
    if let Some(more @ 1..) = sentences.len().checked_sub(SENTENCES) {
        text += &left_out(&format!("{more} more remarks are left out; --export-markdown has all."));
    }
    text
}

/// What is not shown, said where it would stand.
pub(super) fn left_out(what: &str) -> String {
    format!("<p class=\"left-out\">{}</p>\n", escape(what))
}

/// Names and what they stand for; values are markup.
pub(super) fn facts(facts: &[(String, String)]) -> String {
    let row = |(name, value): &(String, String)| {
        format!("<div><dt>{}</dt><dd>{value}</dd></div>\n", escape(name))
    };
    let rows: String = facts.iter().map(row).collect();
    if rows.is_empty() { rows } else { format!("<dl>\n{rows}</dl>\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_is_only_text() {
        assert_eq!(escape("<b>\"x\" & 'y'"), "&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;");
        assert_eq!(escape("a\u{1b}[1m\u{202e}b\0"), r"a\u{1b}[1m\u{202e}b\u{0}");
        assert_eq!(escape("Grüße, 数独"), "Grüße, 数独");
        assert!(escape(&"<".repeat(1_000_000)).len() < 4 * LONGEST + 4);
        assert_eq!(name(&"x".repeat(1_000)).len(), LONGEST_NAME + 3);
    }

    #[test]
    fn data_cannot_end_its_script() {
        let json = serde_json::json!({ "</script><!--": "&amp;]]>" }).to_string();
        let data = data(&json);
        assert!(!data.contains(['<', '>', '&']), "{data}");
        let read: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(read["</script><!--"], "&amp;]]>");
    }
}

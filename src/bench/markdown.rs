//! Results as Markdown: the tables, then the remarks.

use super::{Results, remarks, tables};

/// The document.
pub fn markdown(results: &Results) -> String {
    let mut text = "# evodoku bench\n".to_owned();
    let row = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    for table in tables(results) {
        text += &format!("\n## {}\n\n", table.title);
        text += &row(&mut table.header.iter().map(|name| (*name).to_owned()));
        text += &format!("|{}\n", " --- |".repeat(table.header.len()));
        for cells in table.rows {
            text += &row(&mut cells.into_iter());
        }
    }
    text += "\n";
    for remark in remarks(results) {
        text += &format!("- {remark}\n");
    }
    text
}

//! What `compare` exports is what `docs/reference/exports.md` and its schema say.

use std::fs;

use evodoku::gpu_engine::Adapter;
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::adapter::{Outcome, trial};
use crate::schema::faults;
use crate::support::{Folder, evodoku, export, root, stdout};

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![trial("exports_of_compare_are_as_documented", adapter, documented)]
}

fn documented(adapter: &Adapter) -> Outcome {
    let page = fs::read_to_string(root().join("docs/reference/exports.md"))?;
    let schema = export(&root().join("docs/schema/compare.schema.json"));
    for (section, flags) in [
        ("compare --export-csv", &["--population=50", "--rounds=1"][..]),
        ("compare --on gpu --export-csv", &["003-6x6", "--population=20", "--generations=1"]),
    ] {
        let folder = Folder::new();
        let mut command = evodoku();
        let word = if section.contains("--on gpu") { "gpu" } else { "gpu-score" };
        let on = format!("--on={word}:{}", adapter.info.index);
        command.args(["compare", "--quiet", &on]).args(flags);
        for (flag, name) in [
            ("--export-csv", "c.csv"),
            ("--export-json", "c.json"),
            ("--export-markdown", "c.md"),
            ("--report", "c.html"),
        ] {
            command.args([flag, &folder.argument(name)]);
        }
        let printed = stdout(command, 0);

        let text = page.split(&format!("\n## {section}\n")).nth(1).ok_or("no section")?;
        let text = text.split("\n## ").next().unwrap_or_default();
        let columns = text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let columns: Vec<&str> = columns.collect();
        let csv = fs::read_to_string(folder.path("c.csv"))?;
        assert_eq!(csv.lines().next(), Some(columns.join(",").as_str()), "{section}");

        let whole = export(&folder.path("c.json"));
        assert_eq!(faults(&schema, &whole), [""; 0], "{section}");
        let records = whole["results"].as_array().map_or(0, Vec::len);
        assert_eq!(records, csv.lines().count() - 1);
        assert!(records > 0);
        for column in columns {
            let mut less: Value = whole.clone();
            less["results"][0].as_object_mut().ok_or("no record")?.remove(column);
            assert!(!faults(&schema, &less).is_empty(), "without {column}");
        }
        let mut other = whole.clone();
        other["unheard_of"] = json!(1);
        assert!(!faults(&schema, &other).is_empty());

        // What is printed stands in the tables of both others.
        let last = printed.lines().last().ok_or("nothing was printed")?;
        assert!(fs::read_to_string(folder.path("c.md"))?.contains(last));
        assert!(fs::read_to_string(folder.path("c.html"))?.contains("<h1>"));
    }
    Ok(())
}

//! The tables of `docs/explanation/results.md` that come of experiments are what the kept runs say.
//!
//! Runs are kept in `experiments/results`, a file an experiment, as `--export-runs` writes them. A table stands
//! between two comments, of which the first says of what it is made ([`Request`]):
//!
//! ```text
//! <!-- results: document-000; by method; show success, generations -->
//! | method | solved | generations, median |
//! | --- | --- | --- |
//! | columns | 97 of 100 (92 to 99 %) | 221 |
//! <!-- end -->
//! ```
//!
//! With `EVODOKU_BLESS=1` (`scripts/results`) the tables are written anew.

mod figure;
mod request;
mod runs;
mod table;

use std::fs;

use crate::golden::blessing;
use crate::support::{Folder, root};
use request::Request;
use runs::Runs;
use table::table;

const FIRST: &str = "<!-- results: ";
const LAST: &str = "<!-- end -->";

/// A document with the tables that the runs give, and how many these are.
fn filled(text: &str, read: &dyn Fn(&str) -> Runs) -> (String, usize) {
    let (mut filled, mut count, mut lines) = (String::new(), 0, text.lines());
    while let Some(line) = lines.next() {
        filled += &format!("{line}\n");
        let Some(request) = line.strip_prefix(FIRST).and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        assert!(lines.any(|line| line == LAST), "no '{LAST}' after '{line}'");
        let request = Request::read(request);
        let runs = request.files.iter().map(|file| read(file)).collect::<Vec<_>>();
        filled += &format!("{}{LAST}\n", table(&request, &runs));
        count += 1;
    }
    (filled, count)
}

#[test]
fn tables_are_what_the_kept_runs_say() {
    let folder = root().join("experiments/results");
    if !folder.is_dir() {
        // Not in the package of the crate.
        return;
    }
    let file = root().join("docs/explanation/results.md");
    let text = fs::read_to_string(&file).unwrap();
    let (filled, count) = filled(&text, &|name| Runs::read(&folder.join(format!("{name}.csv"))));
    assert!(count >= 2, "{count} tables");
    if blessing() {
        return fs::write(file, filled).unwrap();
    }
    for (number, (is, should)) in text.lines().zip(filled.lines()).enumerate() {
        assert_eq!(
            is,
            should,
            "line {} of docs/explanation/results.md: run scripts/results",
            number + 1
        );
    }
    assert_eq!(text.len(), filled.len(), "docs/explanation/results.md: run scripts/results");
}

#[test]
fn a_figure_that_is_none_of_the_runs_is_found() {
    let folder = Folder::new();
    let runs = "\
block,puzzle,method,population,solved,stop_reason,fitness,generations,restarts,work,seconds,children_per_second
a,p,boxes,10,true,solved,0,7,0,1000,0.5,2000
a,p,boxes,10,false,time,4,9,2,3000,1.5,2000
a,p,boxes,20,false,generations,2,9,0,3000,1.5,4000
b,p,cells,20,false,generations,6,9,0,3000,1.5,4000
a,q,backtracking,,true,solved,,,,,0.0001,
";
    folder.file("runs.csv", runs);
    let read = |name: &str| Runs::read(&folder.path(&format!("{name}.csv")));
    let document = "\
Text.
<!-- results: runs; where block=a; by puzzle, method; across population; show solved, left -->
| puzzle | method | population 10 | 20 |
| --- | --- | --- | --- |
| p | boxes | 1 of 2, 4.0 | 0 of 1, 2.0 |
| q | backtracking | | |
<!-- end -->
<!-- results: runs; where method=boxes; by population; show success, generations-spread, restarts, work, expected, seconds, rate, stopped -->
| population | solved (95 %) | generations, median (quartiles) | restarts, median (most) | work, median | expected work | seconds a run | children/s | ended by |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 10 | 1 of 2 (9 to 91 %) | none (none to none) | 1 (2) | none | 4,000 | 1.00 | 2,000 | solved 1, time 1 |
| 20 | 0 of 1 (0 to 79 %) | none (none to none) | 0 (0) | none | none | 1.50 | 4,000 | generations 1 |
<!-- end -->
";
    let (made, count) = filled(document, &read);
    assert_eq!((made.as_str(), count), (document, 2));
    let stale = document.replace("1 of 2, 4.0", "2 of 2");
    assert_eq!(filled(&stale, &read).0, document);
}

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::*;
use crate::board::Geometry;
#[cfg(feature = "plot")]
use crate::report::Plot;
use crate::report::document::Fact;
use crate::report::{CurvePoint, ShownBoard, ShownRun, ShownRuns};

/// What nobody should call a puzzle.
const EVIL: &str =
    "</script><script>alert(\"x\")</script>]]>--><img src='x' onerror='y'>&\u{1b}\u{0}";

/// A document of runs, all of whose words are `word`.
struct Many {
    word: String,
    runs: usize,
    geometry: Geometry,
    rows: usize,
}

impl Document for Many {
    fn kind(&self) -> &'static str {
        "solve"
    }

    fn title(&self) -> String {
        self.word.clone()
    }

    fn question(&self) -> String {
        self.word.clone()
    }

    fn answer(&self) -> Vec<String> {
        vec![self.word.clone(); self.rows]
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        vec![("kind", Fact::of("solve")), ("version", Fact::of(&self.word))]
    }

    fn list(&self) -> &'static str {
        "runs"
    }

    fn records(&self) -> Vec<String> {
        Vec::new()
    }

    fn columns(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        Vec::new()
    }

    fn tables(&self) -> Vec<Table> {
        let rows = vec![vec![self.word.clone(), "1".to_owned()]; self.rows];
        let notes = vec![self.word.clone()];
        vec![Table { title: self.word.clone(), header: vec!["name", "figure"], rows, notes }]
    }

    fn remarks(&self) -> Vec<String> {
        vec![self.word.clone(); self.rows]
    }

    fn shown_runs(&self, most: usize) -> ShownRuns {
        let run = |number: usize| {
            let cells = self.geometry.cells();
            ShownRun {
                puzzle: format!("{number} {}", self.word),
                shape: self.geometry.to_string(),
                method: self.word.clone(),
                labels: vec![("block", format!("{} {number}", self.word))],
                seed: u64::MAX,
                solved: number.is_multiple_of(2),
                end: self.word.clone(),
                fitness: Some(number as u16),
                generations: Some(u32::MAX),
                work: Some(u64::MAX),
                seconds: 1.0,
                device: Some(format!("{} {number}", self.word)),
                config: None,
                curve: (0..300)
                    .map(|at| CurvePoint {
                        generation: at * 14_000_000,
                        best: 12_000,
                        worst: 12_000,
                    })
                    .collect(),
                board: Some(ShownBoard {
                    geometry: self.geometry,
                    cells: vec![1; cells],
                    givens: vec![1; cells],
                }),
            }
        };
        let runs = (0..self.runs.min(most)).map(run).collect();
        ShownRuns { runs, of: self.runs, which: "the first" }
    }

    #[cfg(feature = "plot")]
    fn plots(&self) -> Vec<Plot> {
        let svg = "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n";
        vec![Plot { title: self.word.clone(), svg: svg.to_owned(), height: 1 }]
    }
}

fn many(word: &str, runs: usize, shape: (usize, usize), rows: usize) -> String {
    let geometry = Geometry::new(shape.0, shape.1).unwrap();
    let document = Many { word: word.to_owned(), runs, geometry, rows };
    let here = Circumstances { command: word.to_owned(), ..Circumstances::default() };
    page(&document, &here)
}

/// The elements of a page that is well-formed, in order, with their attributes.
fn elements(page: &str) -> Vec<(String, String)> {
    let mut reader = Reader::from_str(page);
    let of = |tag: &BytesStart<'_>| (tag.name().0.to_owned(), tag.attributes_raw().to_owned());
    let mut found = Vec::new();
    let mut depth = 0_i32;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                depth += 1;
                found.push(of(&start));
            }
            Event::Empty(empty) => found.push(of(&empty)),
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    found
}

fn count(elements: &[(String, String)], name: &str) -> usize {
    elements.iter().filter(|(known, _)| known == name).count()
}

#[test]
fn a_page_is_well_formed_and_has_all_parts() {
    let page = many("word", 3, (2, 3), 2);
    let found = elements(&page);
    for id in ["results", "runs", "boards", "origin", "chosen", "curve", "board-2"] {
        assert!(found.iter().any(|(_, rest)| rest.contains(&format!("id=\"{id}\""))), "{id}");
    }
    #[cfg(feature = "plot")]
    assert!(count(&found, "svg") == 1 && !page.contains("<?xml"));
    assert_eq!((count(&found, "h1"), count(&found, "script"), count(&found, "style")), (1, 2, 1));
    // Two tables that sort, and a board for each run.
    assert_eq!(count(&found, "table"), 2 + 3);
    assert!(!page.contains("left out") && !page.contains("no room"));
    // Nothing is fetched.
    let fetched = |(_, rest): &(String, String)| rest.contains("src=") || rest.contains("href=\"h");
    assert!(!found.iter().any(fetched) && !page.contains("url(") && !page.contains("@import"));
}

#[test]
fn what_others_wrote_stays_text_wherever_it_stands() {
    let (plain, evil) = (elements(&many("word", 3, (2, 2), 2)), many(EVIL, 3, (2, 2), 2));
    let names = |elements: &[(String, String)]| -> Vec<String> {
        elements.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&elements(&evil)), names(&plain));
    assert!(!evil.contains("<img") && !evil.contains("alert(\"x\")</script>"));
    assert_eq!(evil.matches("</script>").count(), 2);
    assert!(!evil.contains(['\u{1b}', '\u{0}']));
}

#[test]
fn a_page_is_bounded_and_tells_what_is_left_out() {
    for (word, shape, rows) in [("w", (8, 8), 5), (&"<&".repeat(2_000), (3, 3), 2_000)] {
        let page = many(word, 1_000_000, shape, rows);
        assert!(page.len() < 12 << 20, "{} bytes", page.len());
        assert!(page.contains("of 1,000,000 runs are listed, the first"));
        assert!(page.contains("room for the curves of the first 333 runs"));
        let boards = page.contains("There is no room for 391 boards");
        assert!(boards || shape != (8, 8), "{shape:?}");
        elements(&page);
    }
}

#[test]
fn givens_are_bold_and_conflicts_are_marked() {
    let geometry = Geometry::new(2, 2).unwrap();
    let mut cells = vec![0; 16];
    cells[..3].copy_from_slice(&[1, 1, 2]);
    let mut givens = vec![0; 16];
    (givens[0], givens[2]) = (1, 2);
    let table = board::table(&ShownBoard { geometry, cells, givens });
    let first =
        "<tr><td><mark><b>1</b></mark></td><td><mark>1</mark></td><td><b>2</b></td><td></td></tr>";
    assert!(table.contains(first), "{table}");
    assert_eq!((table.matches("<tbody>").count(), table.matches("<colgroup").count()), (2, 2));
}

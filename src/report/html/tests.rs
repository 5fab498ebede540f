use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::*;
use crate::board::Geometry;
use crate::report::{Field, OnDemand};

/// A name full of markup and control characters.
const EVIL: &str =
    "</script><script>alert(\"x\")</script>]]>--><img src='x' onerror='y'>&\u{1b}\u{0}";

/// The page of a report of so many runs and rows, all of whose words are `word`.
fn many(word: &str, runs: usize, shape: (usize, usize), rows: usize) -> String {
    let geometry = Geometry::new(shape.0, shape.1).unwrap();
    let run = |number: usize| {
        let cells = geometry.cells();
        RunView {
            puzzle: format!("{number} {word}"),
            shape: geometry.to_string(),
            method: word.to_owned(),
            labels: vec![("block", format!("{word} {number}"))],
            seed: u64::MAX,
            solved: number.is_multiple_of(2),
            end: word.to_owned(),
            fitness: Some(number as u16),
            generations: Some(u32::MAX),
            work: Some(u64::MAX),
            seconds: 1.0,
            device: Some(format!("{word} {number}")),
            config: None,
            curve: (0..300)
                .map(|at| CurvePoint { generation: at * 14_000_000, best: 12_000, worst: 12_000 })
                .collect(),
            board: Some(BoardView { geometry, cells: vec![1; cells], givens: vec![1; cells] }),
        }
    };
    let words = |count: usize| OnDemand::new(move || vec![word.to_owned(); count]);
    let report = Report {
        kind: "solve",
        title: word.to_owned(),
        question: OnDemand::new(|| word.to_owned()),
        answer: words(rows),
        fields: OnDemand::new(|| vec![("kind", Field::of("solve")), ("version", Field::of(word))]),
        tables: OnDemand::new(|| {
            let rows = vec![vec![word.to_owned(), "1".to_owned()]; rows];
            let (title, notes) = (word.to_owned(), vec![word.to_owned()]);
            vec![Table { title, header: vec!["name", "figure"], rows, notes }]
        }),
        remarks: words(rows),
        run_views: OnDemand::new(|| RunViews {
            runs: (0..runs.min(MOST_RUN_VIEWS)).map(run).collect(),
            of: runs,
            which: "the first",
        }),
        #[cfg(feature = "plot")]
        plots: OnDemand::new(|| {
            let svg =
                "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n";
            vec![Plot { title: word.to_owned(), svg: svg.to_owned(), height: 1 }]
        }),
        ..Report::default()
    };
    page(&report, &Environment { command: word.to_owned(), ..Environment::default() })
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
    let table = board::table(&BoardView { geometry, cells, givens }).into_string();
    let first =
        "<tr><td><mark><b>1</b></mark></td><td><mark>1</mark></td><td><b>2</b></td><td></td></tr>";
    assert!(table.contains(first), "{table}");
    assert_eq!((table.matches("<tbody>").count(), table.matches("<colgroup").count()), (2, 2));
}

#[test]
fn what_is_obeyed_is_written_out_and_what_runs_on_is_cut() {
    assert_eq!(text("a\u{1b}[1m\u{202e}b\0"), r"a\u{1b}[1m\u{202e}b\u{0}");
    assert_eq!(text("Grüße, 数独"), "Grüße, 数独");
    assert_eq!(text(&"<".repeat(1_000_000)).len(), LONGEST + 3);
    assert_eq!(name(&"x".repeat(1_000)).len(), LONGEST_NAME + 3);
    let markup = left_out("<b>\"x\" & 'y'").into_string();
    assert!(markup.contains("&lt;b&gt;&quot;x&quot; &amp; 'y'"), "{markup}");
}

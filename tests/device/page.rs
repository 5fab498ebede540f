//! The page of `--report` as a browser shows it.
//!
//! Where Chromium or its driver is missing these tests are shown as ignored.

use libtest_mimic::Trial;
use serde_json::json;

use crate::adapter::Outcome;
use crate::browser::{Browser, DOWN, ENTER, Programs, TAB};
use crate::support::{Folder, evodoku, solve, stdout};

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    type Test = fn(&Programs) -> Outcome;
    let tests: [(&str, Test); 3] = [
        ("a_page_is_sorted_and_drawn_and_printed", used),
        ("a_page_fits_wide_and_narrow_screens_in_both_schemes", fits),
        ("what_others_wrote_is_no_script_on_a_page", hostile),
    ];
    let programs = Programs::find();
    if let Err(missing) = &programs {
        eprintln!("pages cannot be looked at: {missing}");
    }
    let trial = |(name, test): (&str, Test)| {
        let programs = programs.clone();
        let ignored = programs.is_err();
        Trial::test(name, move || test(&programs?)).with_ignored_flag(ignored)
    };
    tests.map(trial).into()
}

/// The page of an experiment: eight runs, of which some find no solution.
fn experiment(folder: &Folder) -> std::path::PathBuf {
    let mut command = evodoku();
    command.args(["experiment", "--on=cpu", "--quiet", "--seeds=2", "--preset=boxes"]);
    command.args(["--puzzle", "large-16-40", "003-4x4", "--set", "population=10, 300"]);
    command.args(["max_generations=30", "presolve=none", "--report"]);
    command.arg(folder.path("page.html"));
    stdout(command, 0);
    folder.path("page.html")
}

fn used(programs: &Programs) -> Outcome {
    let folder = Folder::new();
    let page = experiment(&folder);
    let browser = Browser::open(programs, &page)?;
    let value = |expression: &str| browser.value(expression);
    assert!(value("document.querySelectorAll('h1').length == 1")? == true);
    assert!(
        value("document.querySelector('.plot svg').getBoundingClientRect().width > 300")? == true
    );

    // The first run's curve is there, and another's when its row is clicked.
    let drawn = "document.querySelector('#curve path.best').getAttribute('d')";
    let title = "document.querySelector('#curve h3').textContent";
    let first = value(drawn)?;
    browser.click("table.runs tr[data-run='2'] td:nth-child(2)")?;
    assert_ne!(value(drawn)?, first);
    assert!(value(title)?.as_str().is_some_and(|title| title.starts_with("Run 3: large-16-40")));
    let cells = "document.querySelectorAll('#chosen-board td').length";
    assert_eq!(value(cells)?, 256);

    // A column is sorted by a click, the other way round by a key, and then as it was.
    let head =
        "[...document.querySelectorAll('table.runs th')].find(th => th.textContent == 'work')";
    value(&format!("{head}.firstElementChild.id = 'by-work'"))?;
    let column = format!(
        "(at => [...document.querySelectorAll('table.runs tbody tr')]
            .map(row => +row.cells[at].textContent.replaceAll(',', '')))({head}.cellIndex)"
    );
    let works = || -> Result<Vec<u64>, libtest_mimic::Failed> {
        Ok(serde_json::from_value(value(&column)?)?)
    };
    let before = works()?;
    let mut sorted = before.clone();
    sorted.sort_unstable();
    assert_ne!(before, sorted);
    browser.click("#by-work")?;
    assert_eq!(
        (works()?, value(&format!("{head}.ariaSort"))?),
        (sorted.clone(), json!("ascending"))
    );
    browser.press(ENTER)?;
    sorted.reverse();
    assert_eq!((works()?, value(&format!("{head}.ariaSort"))?), (sorted, json!("descending")));
    browser.press(ENTER)?;
    assert_eq!((works()?, value(&format!("{head}.ariaSort"))?), (before, json!(null)));

    // The tab key goes on to the next column, with a ring around it, and to the runs; arrows choose.
    browser.press(TAB)?;
    let ring = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(value("document.activeElement.textContent")?, "seconds");
    assert_eq!(value(ring)?, "solid");
    browser.press(TAB)?;
    assert_eq!(value("document.activeElement.getAttribute('aria-pressed')")?, "true");
    browser.press(DOWN)?;
    assert_eq!(value("document.activeElement.textContent")?, "4");
    assert!(value(title)?.as_str().is_some_and(|title| title.starts_with("Run 4: ")));

    let printed = programs.print(&page)?;
    assert!(printed.starts_with(b"%PDF-") && printed.len() > 10_000, "no PDF");
    assert_eq!(browser.console()?, [json!(null); 0]);
    Ok(())
}

fn fits(programs: &Programs) -> Outcome {
    let folder = Folder::new();
    let browser = Browser::open(programs, &experiment(&folder))?;
    let ground = "getComputedStyle(document.body).backgroundColor";
    let mut grounds = Vec::new();
    for (width, scheme) in [(1280, "light"), (400, "dark")] {
        browser.show(width, scheme)?;
        let beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        let seen = browser.value(&format!("[innerWidth, {beyond}]"))?;
        assert_eq!(seen, json!([width, 0]), "{scheme}");
        grounds.push(browser.value(ground)?);
    }
    assert_ne!(grounds[0], grounds[1]);
    assert_eq!(browser.console()?, [json!(null); 0]);
    Ok(())
}

fn hostile(programs: &Programs) -> Outcome {
    let folder = Folder::new();
    // Puzzles are called after their file.
    let list = folder.file(
        "<img src=x onerror='window.caught = 1'>.txt",
        "123434..2143432.\n11..............\n",
    );
    let mut command = solve(&[&list, "--quiet", "--seed=1", "--box=2x2", "--report"]);
    command.arg(folder.path("page.html")).assert().code(2);
    // The command line has the words too.
    let mut again = solve(&["003-4x4", "--quiet", "--seed=1", "--report"]);
    let odd = folder.path("<img src=x onerror=window.caught=3>.html");
    again.arg(&odd).assert().success();
    for page in [folder.path("page.html"), odd] {
        let link = folder.path("link.html");
        std::fs::copy(page, &link)?;
        let browser = Browser::open(programs, &link)?;
        assert_eq!(browser.value("document.body.innerText.includes('onerror')")?, true);
        assert_eq!(browser.value("window.caught === undefined")?, true);
        assert_eq!(browser.value("document.images.length")?, 0);
        assert_eq!(browser.console()?, [json!(null); 0]);
    }
    Ok(())
}

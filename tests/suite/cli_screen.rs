//! The screen: `solve --watch`, `--slow`, `--record`, and `play`.

use std::fs;
use std::time::{Duration, Instant};

use predicates::prelude::*;
use predicates::str::contains;

#[cfg(unix)]
use crate::pty::Terminal;
use crate::support::{Folder, TINY, evodoku, hopeless, solve, stdout};

/// A run that restarts again and again and ends with its generations.
const RESTARTS: [&str; 9] = [
    "001-hard-01", "--presolve=none", "--preset=boxes", "--population=60", "--set=mutation-rate=0",
    "--set=restart-after=4", "--max-generations=60", "--seed=1", "--format=line",
];

/// The number after a name on the screen.
#[cfg(unix)]
fn figure(text: &str, name: &str) -> u64 {
    let line = text.split(name).nth(1).unwrap_or_else(|| panic!("no {name} in\n{text}"));
    let digits: String = line.trim_start().chars().take_while(|c| *c != ' ').collect();
    digits.replace(',', "").parse().unwrap()
}

/// `evodoku solve --watch` on a terminal.
#[cfg(unix)]
fn watch(size: (u16, u16), arguments: &[&str]) -> Terminal {
    let arguments = [&["solve", "--on=cpu", "--watch"], arguments].concat();
    Terminal::run(size, "xterm-256color", &arguments, None)
}

#[cfg(unix)]
#[test]
fn a_run_is_watched_paused_stepped_resized_and_ended() {
    let mut terminal = watch((80, 24), &hopeless(&["--slow=20"]));
    let panes =
        ["easter-monster", "best so far", "fitness: best mean worst", "children/s", "running"];
    let text = terminal.await_shown("every pane", |screen| {
        let text = screen.contents();
        text.contains("this generation") && panes.iter().all(|pane| text.contains(pane))
    });
    // It moves.
    let first = figure(&text, "generation ");
    terminal.await_shown("another generation", |screen| {
        figure(&screen.contents(), "generation ") > first + 1
    });
    terminal.type_keys(b" ");
    terminal.await_text("paused");
    // The generation that was under way may still come, on a busy machine after a while.
    std::thread::sleep(Duration::from_millis(500));
    let paused = figure(&terminal.await_text("paused"), "generation ");
    terminal.type_keys(b"n");
    terminal.await_shown("the next generation", |screen| {
        (1..=2).contains(&(figure(&screen.contents(), "generation ") - paused))
    });
    // Nothing of one size is left in another.
    for size in [(120, 40), (40, 12), (80, 24)] {
        terminal.resize(size);
        terminal.await_shown("the whole width", |screen| {
            let lines: Vec<String> = screen.rows(0, size.0).collect();
            let frames = lines.iter().filter(|line| line.contains('┐')).count();
            let full =
                lines.iter().any(|line| line.trim_end().ends_with('┐') && width(line) == size.0);
            full && frames <= 2 && lines[usize::from(size.1) - 1].starts_with("paused")
        });
    }
    terminal.type_keys(b"?");
    terminal.await_text("fewer keys");
    terminal.type_keys(b"q");
    let (code, text, bytes) = terminal.end();
    assert_eq!(code, 130, "{text}");
    assert!(text.contains("easter-monster: interrupted with "), "{text}");
    assert!(text.contains("# not solved: "), "{text}");
    let bytes = String::from_utf8_lossy(&bytes);
    let times = |sequence: &str| bytes.matches(sequence).count();
    assert_eq!((times("\u{1b}[?1049h"), times("\u{1b}[?1049l")), (1, 1));
}

/// Columns that a line takes.
#[cfg(unix)]
fn width(line: &str) -> u16 {
    line.trim_end().chars().count() as u16
}

#[cfg(unix)]
#[test]
fn whatever_ends_it_gives_the_terminal_back() {
    for ends in [
        |terminal: &Terminal| terminal.type_keys(&[3]),
        |terminal: &Terminal| {
            terminal.signal("TERM");
        },
    ] {
        let mut terminal = watch((80, 24), &hopeless(&[]));
        terminal.await_text("this generation");
        // A group of processes that no shell looks after is not stopped: it goes on at once.
        terminal.type_keys(&[26]);
        let taken = "\u{1b}[?1049h";
        terminal.await_bytes("the screen after Ctrl-Z", |bytes| bytes.matches(taken).count() == 2);
        terminal.await_text("this generation");
        ends(&terminal);
        let (code, text, bytes) = terminal.end();
        assert_eq!(code, 130, "{text}");
        assert!(text.contains("# not solved"), "{text}");
        assert_eq!(String::from_utf8_lossy(&bytes).matches("\u{1b}[?1049l").count(), 2);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_that_ends_the_process_gives_the_terminal_back() {
    for name in ["QUIT", "ABRT", "SEGV", "USR1", "XCPU", "TRAP", "SYS", "PROF"] {
        let mut terminal = watch((80, 24), &hopeless(&[]));
        terminal.await_text("this generation");
        terminal.signal(name);
        // The modes and the screen are looked at there.
        let (code, ..) = terminal.end();
        assert_eq!(code, -1, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_terminal_of_any_size_lets_the_run_go_on() {
    const RUNNING: &str = "running, generation ";
    let mut terminal = watch((80, 24), &hopeless(&[]));
    terminal.await_text(RUNNING);
    let cleared = |times: usize| move |bytes: &str| bytes.matches("\u{1b}[2J").count() >= times;
    for (index, size) in
        [(u16::MAX, u16::MAX), (1, 1), (32_767, 32_767), (80, 24)].into_iter().enumerate()
    {
        terminal.claim_size(size);
        terminal.await_bytes("a frame of another size", cleared(index + 1));
    }
    let before = figure(&terminal.await_text(RUNNING), RUNNING);
    terminal
        .await_shown("a later generation", |screen| figure(&screen.contents(), RUNNING) > before);
    terminal.signal("TERM");
    assert_eq!(terminal.end().0, 130);
}

#[cfg(unix)]
#[test]
fn what_was_found_stays_until_a_key_and_is_printed_then() {
    let folder = Folder::new();
    let out = fs::File::create(folder.path("out")).unwrap();
    let solve = ["solve", "--on=cpu", "--watch", "003-6x6", "003-4x4", "--presolve=none"];
    let solve = [&solve[..], &["--population=200", "--seed=1"]].concat();
    let mut terminal = Terminal::run((100, 30), "xterm", &solve, Some(out));
    let text = terminal.await_text("all done");
    assert!(text.contains("2 of 2 done, 2 solved") && text.contains("+ 003-6x6"), "{text}");
    // stdout is a file: nothing waits for the key.
    assert!(fs::read_to_string(folder.path("out")).unwrap().contains("1 3 6 | 4 5 2"));
    terminal.type_keys(b"q");
    let (code, text, _) = terminal.end();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("solved 2 of 2"), "{text}");
}

/// A hang-up ends what is looked at, too: nobody can press a key any more.
#[cfg(unix)]
#[test]
fn nothing_goes_on_when_the_terminal_is_closed() {
    let mut terminal = watch((80, 24), &hopeless(&["--slow=20"]));
    terminal.await_text("this generation");
    terminal.hang_up();
    let mut terminal = watch((100, 30), &["003-6x6", "--presolve=none", "--seed=1"]);
    terminal.await_text("solved, generation");
    terminal.hang_up();
    let folder = Folder::new();
    let recording = folder.argument("r.rec");
    solve(&[&RESTARTS[..], &["--record", &recording]].concat()).assert().code(1);
    let mut terminal = Terminal::run((80, 24), "xterm", &["play", &recording], None);
    terminal.await_text("generation");
    terminal.hang_up();
}

#[cfg(unix)]
#[test]
fn a_terminal_that_shows_no_screen_gets_lines() {
    for (size, term) in [((80, 24), "dumb"), ((1, 24), "xterm")] {
        let arguments = [&["solve", "--on=cpu", "--watch"], &RESTARTS[..]].concat();
        let (code, _, bytes) = Terminal::run(size, term, &arguments, None).end();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(code, 1, "{text}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
        assert!(text.contains("001-hard-01: generation 0, best "), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn sentences_are_broken_between_words_where_a_terminal_is_narrow() {
    let run = ["--preset=boxes", "--population=50", "--max-generations=3", "--seed=1"];
    let run = [&["solve", "easter-monster", "--on=cpu"], &run[..]].concat();
    for columns in [30, 44, 61] {
        let (code, text, _) = Terminal::run((columns, 60), "xterm", &run, None).end();
        assert_eq!(code, 1, "{text}");
        let words: Vec<&str> =
            text.split_whitespace().map(|word| word.trim_matches([',', ':', '('])).collect();
        let whole = ["generations", "conflicts", "evaluations", "population", "presolve"];
        assert!(whole.iter().all(|word| words.contains(word)), "{columns}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn what_makes_no_moves_has_no_row_of_them() {
    let mut terminal = watch((80, 24), &hopeless(&["--slow=20"]));
    let text = terminal.await_text("children/s");
    assert!(!text.contains("moves/s"), "{text}");
    terminal.type_keys(b"q");
    terminal.end();
}

#[cfg(unix)]
#[test]
fn a_progress_bar_takes_one_line() {
    for columns in [30, 80] {
        let run = ["solve", "--on=cpu"];
        let run = [&run[..], &hopeless(&["--time-limit=2s"])].concat();
        let mut terminal = Terminal::run((columns, 24), "xterm", &run, None);
        let text = terminal.await_text("generation");
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        let (code, _, bytes) = terminal.end();
        assert_eq!(code, 1);
        let drawn = String::from_utf8_lossy(&bytes);
        assert!(drawn.contains("easter-monster: gen"), "{drawn:?}");
        // Only remarks stand above it.
        let bar = text.lines().filter(|line| line.contains("easter-monster: g")).count();
        assert!(bar == 1 && lines <= 8, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn the_bar_of_a_list_tells_how_much_is_left_where_it_can_be_counted() {
    // The first is solved at once; the others end with their time.
    let list = [&["solve", "--on=cpu", "003-4x4", "003-6x6"], &hopeless(&["--time-limit=2s"])[..]];
    for (columns, bars) in
        [(30, ["1/3 ", "3/3 "]), (80, ["] 1 of 3 puzzles, ", "] 3 of 3 puzzles, "])]
    {
        let mut terminal = Terminal::run((columns, 24), "xterm", &list.concat(), None);
        for bar in bars {
            terminal.await_bytes(bar, |came| came.contains(bar));
        }
        let (code, text, _) = terminal.end();
        assert_eq!(code, 1, "{text}");
        assert!(!bars.iter().any(|bar| text.contains(bar)), "it goes with the last puzzle: {text}");
    }
    // What is typed can be read but once.
    let mut terminal = Terminal::run((80, 24), "xterm", &["solve", "--on=cpu", "-"], None);
    terminal.type_keys(format!("{TINY}\n{TINY}\n\x04").as_bytes());
    terminal.await_bytes("the rate", |came| {
        came.contains("2 puzzles, ") && came.contains(" puzzles/s, solved 2")
    });
    let (code, _, bytes) = terminal.end();
    assert_eq!(code, 0);
    assert!(!String::from_utf8_lossy(&bytes).contains("2 of 2 puzzles"));
}

#[test]
fn in_a_pipe_there_are_lines() {
    let mut command = solve(&RESTARTS);
    let lines = contains("001-hard-01: generation 0, best ").and(contains("\u{1b}").not());
    command.arg("--watch").assert().code(1).stderr(lines.and(contains("\r").not()));
}

#[test]
fn generations_follow_each_other_slowly() {
    let start = Instant::now();
    solve(&hopeless(&["--set=max-generations=10", "--slow=20"])).assert().code(1);
    // 10 generations after the first.
    assert!(start.elapsed() >= Duration::from_millis(450), "{:?}", start.elapsed());
    for wrong in ["0", "x", "-1"] {
        solve(&["003-4x4", &format!("--slow={wrong}")]).assert().code(2).stderr(contains("--slow"));
    }
}

#[test]
fn recordings_of_a_run_are_equal_and_end_with_its_board() {
    let folder = Folder::new();
    let files = ["a.rec", "b.rec"].map(|name| folder.argument(name));
    let found = stdout(
        {
            let mut command = solve(&RESTARTS);
            command.args(["--threads=1", "--chunk=7", "--record", &files[0]]);
            command
        },
        1,
    );
    solve(&RESTARTS).args(["--slow=1000", "--record", &files[1]]).assert().code(1);
    assert_eq!(fs::read(&files[0]).unwrap(), fs::read(&files[1]).unwrap());

    let mut play = evodoku();
    play.args(["play", &files[0]]);
    let told = stdout(play, 0);
    assert!(told.starts_with("# 001-hard-01: boxes, population 60, seed 1\n"), "{told}");
    let fitness = found.split(' ').nth(3).unwrap();
    let end = format!("\n# stop reason: generations, fitness {fitness}\n");
    let (lines, _) = told.split_once(&end).unwrap_or_else(|| panic!("{told}"));
    assert!(lines.lines().last().unwrap().starts_with("# generation 60, "), "{told}");
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let board: Vec<&str> = told.lines().skip_while(|line| line.starts_with('#')).collect();
    assert_eq!(digits(&board.concat()), digits(found.lines().nth(1).unwrap()));

    // Restarts are there, and a recording of several runs.
    let many = folder.argument("many.rec");
    solve(&["003-4x4", "003-6x6", "--presolve=none", "--runs=2", "--record", &many])
        .args(["--population=200", "--seed=1"])
        .assert()
        .success();
    let mut play = evodoku();
    play.args(["play", &many]);
    let told = stdout(play, 0);
    assert_eq!(told.matches("# stop reason: solved, fitness 0").count(), 4, "{told}");
    assert!(told.contains("1 3 6"), "{told}");
}

#[test]
fn a_recording_of_what_presolve_solved_shows_its_board() {
    let folder = Folder::new();
    let file = folder.argument("a.rec");
    let found = stdout(solve(&["003-puzzle4", "--record", &file]), 0);
    let mut play = evodoku();
    play.args(["play", &file]);
    let told = stdout(play, 0);
    assert!(
        told.contains("# stop reason: presolved, fitness 0") && told.ends_with(&found),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn a_recording_is_played_forwards_and_backwards() {
    let folder = Folder::new();
    let file = folder.argument("a.rec");
    let found = stdout(
        {
            let mut command = solve(&["003-6x6", "--presolve=none", "--preset=boxes"]);
            command.args(["--population=40", "--seed=5", "--record", &file]);
            command
        },
        0,
    );
    let arguments = ["play", &file, "--slow=0.5"];
    let mut terminal = Terminal::run((80, 24), "xterm", &arguments, None);
    let first = terminal.await_text("playing, 1 of");
    terminal.type_keys(b"n");
    terminal.await_text("paused, 2 of");
    terminal.type_keys(b"p");
    let again = terminal.await_text("paused, 1 of");
    assert_eq!(figure(&again, "best now"), figure(&first, "best now"));
    terminal.type_keys(b"\x1b[F");
    let last = terminal.await_text("ended: solved");
    for row in found.lines().filter(|row| !row.contains('-')) {
        assert!(last.contains(&row.replace('|', "│")), "{row} in\n{last}");
    }
    terminal.type_keys(b"q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn what_is_no_recording_is_not_played() {
    let folder = Folder::new();
    let file = folder.file("x.txt", "123434..21434321\n");
    for (file, said) in
        [(file.as_str(), "is not a recording"), ("none.rec", "cannot read none.rec")]
    {
        let mut play = evodoku();
        play.args(["play", file])
            .assert()
            .code(2)
            .stderr(contains(said).and(contains("\n").count(1)));
    }
    // Neither an input nor another output is overwritten.
    solve(&[&file, "--record", &file]).assert().code(2);
    let out = folder.argument("out");
    solve(&["003-4x4", "--record", &out, "--trace", &out]).assert().code(2);
}

#[test]
fn a_generation_becomes_a_picture() {
    let folder = Folder::new();
    let (file, svg) = (folder.argument("a.rec"), folder.argument("a.svg"));
    solve(&RESTARTS).args(["--record", &file]).assert().code(1);
    let mut play = evodoku();
    play.args(["play", &file, "--svg", &svg, "--generation=20", "--size=90x30"]).assert().success();
    let mut beyond = evodoku();
    beyond.args(["play", &file, "--svg", &svg, "--generation=99999"]);
    beyond.assert().code(2).stderr(contains("a.rec: the last generation is "));
    let picture = fs::read_to_string(svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(picture.contains("this generation") && picture.len() < 60_000, "{}", picture.len());
    let mut reader = quick_xml::Reader::from_str(&picture);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    let mut play = evodoku();
    play.args(["play", &file, "--svg", &file]).assert().code(2);
}

/// The picture in README is what the program draws: with `EVODOKU_BLESS=1` it is drawn anew.
#[cfg(unix)]
#[test]
fn the_picture_in_the_readme_is_drawn_by_the_program() {
    use crate::golden::blessing;
    use crate::support::{binary, root};

    let folder = Folder::new();
    let (kept, drawn) = (root().join("docs/screen.svg"), folder.path("screen.svg"));
    let mut script = std::process::Command::new(root().join("scripts/screen"));
    assert!(script.arg(&drawn).env("EVODOKU", binary()).status().unwrap().success());
    if blessing() {
        fs::copy(&drawn, &kept).unwrap();
    }
    let same = fs::read(kept).unwrap() == fs::read(drawn).unwrap();
    assert!(same, "docs/screen.svg is another picture than scripts/screen draws");
}

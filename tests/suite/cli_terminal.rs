//! What a terminal is shown: nothing that others wrote moves its cursor or fills it.

use std::fs;

use crate::support::{Folder, evodoku, stdout};

/// What a terminal obeys, as a name of a file may hold it.
#[cfg(unix)]
const EVIL: &str = "e\u{1b}[31m\n\u{202e}vil";
/// The same as it is shown.
#[cfg(unix)]
const SHOWN: &str = r"e\u{1b}[31m\n\u{202e}vil";

/// stdout and stderr of a command.
fn both(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = evodoku();
    let output = command.current_dir(folder.path("")).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let obeyed = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
    text
}

#[cfg(unix)]
#[test]
fn names_of_files_are_written_out() {
    let folder = Folder::new();
    let file = format!("{EVIL}.sdm");
    let list = "123434..21434321\n1234341221434321\n12\n";
    folder.file(&file, list);
    folder.file(
        "s.toml",
        "name = \"a\\u001b[31m\\nb\"\npuzzles = ['003-4x4']\nmethods = ['boxes']\n",
    );
    let json = format!("{EVIL}.json");
    for arguments in [
        &["solve", &file, "--seed=1"][..],
        &["check", &file],
        &["convert", &file, "--to=line"],
        &["verify", &file, "003-4x4"],
        &["experiment", "--puzzle", &file, "--preset", "boxes"],
        &["solve", "003-4x4", "--export-json", &format!("{EVIL}/none.json")],
        &["solve", "003-4x4", &format!("--{EVIL}")],
        &["solve", "003-4x4", "--box", EVIL],
        &["solve", EVIL],
    ] {
        assert!(both(&folder, arguments).contains(SHOWN), "{arguments:?}");
    }
    both(&folder, &["solve", "003-4x4", "--export-json", &json]);
    let said = both(&folder, &["experiment", "s.toml", "--on=cpu"]);
    assert!(said.contains(r"a\u{1b}[31m\nb: 1 cell, 1 run"), "{said}");
}

#[test]
fn a_name_in_a_file_is_cut() {
    let folder = Folder::new();
    let xml = folder.file("x.xml", format!("<{}/>", "\u{1b}[31mevil".repeat(1 << 20)));
    let said = both(&folder, &["solve", &xml]);
    assert!(said.contains(r"<\u{1b}[31mevil") && said.len() < 4_000, "{} bytes", said.len());
    let wrong = folder.file("y.xml", format!("<opensudoku></{}>", "z".repeat(1 << 20)));
    assert!(both(&folder, &["solve", &wrong]).len() < 4_000);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_shown_is_a_failure() {
    for arguments in [&["--help"][..], &["--version"], &["solve", "--help"], &["puzzles"]] {
        let mut command = evodoku();
        command.args(arguments);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(command.get_program());
        let output = command.args(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("evodoku: No space left on device"), "{said}");
        let mut command = evodoku();
        command.args(arguments);
        assert!(!stdout(command, 0).is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = OsStr::from_bytes(b"bad\xff.sdm");
    fs::write(folder.path("").join(name), "123434..21434321\n").unwrap();
    for arguments in [&["solve", "--on=cpu"][..], &["check"], &["convert", "--to=line"]] {
        let mut command = evodoku();
        command.current_dir(folder.path("")).args(arguments).arg(name);
        assert!(!stdout(command, 0).is_empty(), "{arguments:?}");
    }
    let mut command = evodoku();
    command.current_dir(folder.path("")).args(["verify", "003-4x4"]).arg(name).assert().code(1);
    let mut command = evodoku();
    let export = OsStr::from_bytes(b"out\xff.json");
    command.current_dir(folder.path("")).args(["solve", "003-4x4", "--export-json"]).arg(export);
    stdout(command, 0);
    assert!(folder.path("").join(export).exists());
    // An experiment takes them by flag, and beside a spec in a folder of such a name.
    let place = folder.path("").join(OsStr::from_bytes(b"place\xff"));
    fs::create_dir(&place).unwrap();
    fs::copy(folder.path("").join(name), place.join("own.sdm")).unwrap();
    fs::write(place.join("spec.toml"), "puzzles = \"own.sdm\"\nmethods = \"backtracking\"\n")
        .unwrap();
    for arguments in [
        &[OsStr::new("--method=backtracking"), OsStr::new("--puzzle"), name][..],
        &[place.join("spec.toml").as_os_str()],
    ] {
        let mut command = evodoku();
        command.current_dir(folder.path("")).arg("experiment").args(arguments);
        assert!(stdout(command, 0).contains("backtracking"), "{arguments:?}");
    }
}

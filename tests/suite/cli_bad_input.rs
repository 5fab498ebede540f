//! Bad input and faults: one clear sentence on stderr, exit code 2, nothing on stdout.

use std::fs;
use std::path::Path;

use crate::support::{Folder, TINY, evodoku, solve, trace};
use assert_cmd::Command;

/// A puzzle that takes a run, so that an error before the run differs from one in it.
const PUZZLE: &str = "easter-monster";

/// Checks that the command is refused, and that the sentence holds all of `parts`.
fn refused(mut command: Command, parts: &[&str]) {
    let assert = command.assert().code(2).stdout("");
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let sentence = said.lines().next().unwrap();
    let ours = sentence.starts_with("evodoku: ") && said.lines().count() == 1;
    // What clap refuses, it follows with a pointer to the help.
    let claps = sentence.starts_with("error: ") && said.ends_with("try '--help'.\n");
    assert!(ours || claps, "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let text = if ours { sentence } else { &said };
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in: {text}");
    }
}

fn refused_puzzle(puzzle: &str, parts: &[&str]) {
    refused(solve(&[puzzle]), parts);
    refused(
        {
            let mut verify = evodoku();
            verify.args(["verify", puzzle, TINY]);
            verify
        },
        parts,
    );
}

fn refused_flags(flags: &[&str], parts: &[&str]) {
    refused(solve(&[&[PUZZLE], flags].concat()), parts);
}

#[test]
fn a_wrong_number_of_cells_is_reported_with_the_nearest_side() {
    let folder = Folder::new();
    let short = folder.file("short.txt", format!("# a comment\n{}", "5........\n".repeat(8)));
    refused_puzzle(
        &short,
        &[&short, "72 cells, 8 lines of 9", "the nearest board is 9x9 with 81 cells"],
    );
    refused_puzzle(
        &".".repeat(80),
        &["typed grid: 80 cells; the nearest board is 9x9 with 81 cells"],
    );
    refused_puzzle(&"0 ".repeat(255), &["255 cells; the nearest board is 16x16 with 256 cells"]);
    refused_puzzle(&". ".repeat(49), &["49 cells; the nearest board is 6x6"]);
}

#[test]
fn a_value_above_the_side_is_reported_with_its_place() {
    refused_puzzle(
        "1234 3412 2153 4321",
        &["line 1 column 13: the value 5 is larger than the side of the board, 4"],
    );
    let folder = Folder::new();
    let large = format!("# sixteen\n{}17{}", "0 ".repeat(20), " 0".repeat(235));
    let file = folder.file("large.txt", large);
    refused_puzzle(
        &file,
        &["line 2 column 41: the value 17 is larger than the side of the board, 16"],
    );
}

#[test]
fn an_unknown_character_is_reported_with_its_place() {
    let folder = Folder::new();
    let file = folder.file("odd.txt", "12|34\n34|..\n--+--\n21|4y\n43|21\n");
    refused_puzzle(
        &file,
        &[&file, "line 4 column 5: unexpected character 'y'; a blank is a single . 0 _ * ? or x"],
    );
    refused_puzzle(
        "12y434..2143432.",
        &[
            "typed grid: line 1 column 3: unexpected character 'y'; a blank is a single . 0 _ * ? or x",
        ],
    );
}

#[test]
fn texts_without_a_puzzle_are_reported() {
    let folder = Folder::new();
    let empty = folder.file("empty.txt", "");
    refused_puzzle(&empty, &[&empty, "empty"]);
    let frames = folder.file("frames.txt", "# nothing\n---+---\n");
    refused_puzzle(&frames, &[&frames, "no cell"]);
    let bytes = folder.file("bytes.txt", b"12\xff34");
    refused_puzzle(&bytes, &[&bytes, "is not UTF-8 text (at byte 3)"]);
    refused_puzzle(&folder.argument("."), &["is a directory, not a puzzle"]);
    refused_puzzle("/nowhere/at/all.txt", &["'/nowhere/at/all.txt' is not a file"]);
    refused_puzzle("ai-escargto", &["(did you mean ai-escargot?)"]);
    let mut stdin = solve(&["-"]);
    stdin.write_stdin("");
    refused(stdin, &["stdin: the text has no cells"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let file = folder.file("secret.txt", TINY);
    fs::set_permissions(folder.path("secret.txt"), fs::Permissions::from_mode(0o0)).unwrap();
    // A user who may read everything can read it.
    if fs::read(folder.path("secret.txt")).is_err() {
        refused_puzzle(&file, &["cannot read", &file, "ermission denied"]);
    }
    // No process may read memory at address 0.
    if Path::new("/proc/self/mem").exists() {
        refused_puzzle("/proc/self/mem", &["cannot read /proc/self/mem"]);
    }
}

#[test]
fn contradictory_givens_are_reported_with_units_and_values() {
    let puzzle = "003-puzzle5-unsolvable";
    for presolve in ["none", "naked", "singles", "probing"] {
        refused(
            solve(&[puzzle, "--presolve", presolve]),
            &[
                "003-puzzle5-unsolvable has no solution",
                "column 5 holds 2 twice",
                "column 5 holds 8 twice",
                "column 6 holds 6 twice",
            ],
        );
    }
    for presolve in ["naked", "singles", "probing"] {
        let told = |puzzle, sentence| {
            refused(solve(&[puzzle, "--presolve", presolve]), &["typed has no solution", sentence]);
        };
        told("123. ...4 .... ....", "row 1 column 4 has no candidate left");
        told("1... ...1 .1.. ..2.", "row 4 has no place for 1");
    }
}

#[test]
fn a_box_shape_has_to_fit() {
    refused_flags(&["--box=2x3"], &["81 cells, but a board with boxes of 2x3 has 36 cells"]);
    refused_flags(&["--box=1x9"], &["a box of 1x9", "at least 2 rows and 2 columns"]);
    refused_flags(&["--box=9x9"], &["a box of 9x9", "at most 64"]);
    refused_flags(&["--box=nine"], &["'nine' is not a box shape", "as in 3x3"]);
}

#[test]
fn a_population_has_to_fit() {
    let run = |population| {
        refused_flags(
            &["--population", population],
            &["--population", population, "it takes a whole number from 1 to 4294967294"],
        )
    };
    run("0");
    run("-1");
    run("many");
    run("4294967295");
    let mut compare = evodoku();
    compare.args(["compare", "--population=0"]);
    refused(compare, &["--population"]);
}

#[test]
fn a_population_beyond_the_memory_says_what_it_would_need() {
    let sentence = ["a population of 4000000000 needs ", "iB, but only ", "iB are available"];
    refused_flags(&["--population=4000000000"], &sentence);
    let mut compare = evodoku();
    compare.args(["compare", "--population=4000000000"]);
    refused(compare, &sentence);
}

#[test]
fn an_output_that_cannot_be_written_is_found_before_the_run() {
    let folder = Folder::new();
    let file = folder.file("file", "");
    for (path, reason) in [
        (folder.argument("none/out"), if cfg!(unix) { "No such file" } else { "" }),
        (folder.argument("."), "is a directory"),
        (format!("{file}/out"), ""),
    ] {
        for flag in ["--trace", "--export-json"] {
            // The run itself would not end.
            refused_flags(
                &[flag, &path, "--population=4000000000"],
                &["cannot write", &path, reason],
            );
        }
    }
    let before = folder.file("before.csv", "kept");
    let path = folder.argument("none/out");
    refused_flags(&["--trace", &before, "--export-json", &path], &["cannot write", &path]);
    assert_eq!(fs::read_to_string(before).unwrap(), "kept");
}

#[test]
fn an_unknown_name_is_reported_with_the_nearest() {
    refused_flags(
        &["--preset=boxs"],
        &["invalid value 'boxs' for '--preset", "a similar value exists: 'boxes'"],
    );
    refused_flags(&["--set=radis=3"], &["there is no parameter 'radis' (did you mean 'radius'?)"]);
    refused_flags(
        &["--set=crossover=subst"],
        &["crossover: 'subst' is not one of", "(did you mean 'subset'?)"],
    );
    refused_flags(&["--presolve=single"], &["a similar value exists: 'singles'"]);
    refused_flags(&["--set=radius"], &["--set", "it takes name=value, not 'radius'"]);
    refused(evodoku_with(&["solve", PUZZLE, "--on=cpu:0"]), &["cpu takes no adapter"]);
    refused(evodoku_with(&["solve", PUZZLE, "--on=gpus"]), &["'gpus' is not one of auto, cpu"]);
}

#[test]
fn numbers_out_of_range_are_reported_with_the_range() {
    refused_flags(&["--set=mutation-rate=2"], &["mutation_rate is '2', but it takes 0 to 1"]);
    refused_flags(&["--set=best-share=NaN"], &["best_share is 'NaN', but it takes 0 to 1"]);
    refused_flags(&["--max-generations=-1"], &["value '-1'", "it takes a whole number from 0 to"]);
    refused_flags(
        &["--max-generations", "-1"],
        &["value '-1'", "it takes a whole number from 0 to"],
    );
    refused_flags(
        &["--max-work=x"],
        &["value 'x' for '--max-work <N>': it takes a whole number from 0 to"],
    );
    refused_flags(&["--time-limit=-0.5"], &["value '-0.5'", "it takes 0 to"]);
    refused_flags(&["--runs=0"], &["--runs", "it takes a whole number from 1 to 4294967295"]);
    refused_flags(&["--chunk=0"], &["--chunk", "it takes a whole number from 1"]);
    refused_flags(&["--threads=0"], &["--threads"]);
    refused_flags(&["--threads=1k5"], &["--threads", "it takes a whole number from 1 to 4096"]);
    for seed in ["x", "-1", "1.5", "1e99"] {
        let sentence = "it takes a whole number from 0 to 2^64 - 1, as in 1000 or 1k";
        refused_flags(&["--seed", seed], &[&format!("'{seed}' for '--seed <N>': {sentence}")]);
    }
}

#[test]
fn flags_that_take_numbers_report_values_that_begin_with_a_hyphen() {
    let time = "it takes 0 to 1000000000 seconds, or a time such as 500ms, 5s or 2min";
    refused_flags(&["--time-limit", "-5s"], &["value '-5s'", time]);
    refused_flags(&["--seed", "-5s"], &["--seed <N>", "it takes a whole number from 0"]);
    refused_flags(
        &["--checkpoint-every", "-5s"],
        &["it takes a time up to 1000000000 s, as in 30s or 2min"],
    );
    let check = ["check", PUZZLE, "--time-limit", "-5s"];
    refused(
        evodoku_with(&check),
        &["it takes a time from 0 to 1000000000 s, as in 60, 60s or 2min"],
    );
    let experiment = ["experiment", "--puzzle", PUZZLE, "--time-limit", "-5s"];
    refused(evodoku_with(&experiment), &["time_limit is '-5s'", time]);
}

#[test]
fn a_seed_is_read_as_other_numbers_are() {
    let seeded = |seed: &str| {
        let mut command = solve(&["003-4x4", "--preset=boxes", "--verbose", "--seed", seed]);
        String::from_utf8(command.assert().code(0).get_output().stderr.clone()).unwrap()
    };
    assert!(seeded("1k").contains("seed 1000"), "{}", seeded("1k"));
    let generated = |seed: &str| {
        let mut command = evodoku_with(&["generate", "--givens=30", "--seed", seed]);
        command.assert().code(0).get_output().stdout.clone()
    };
    assert_eq!(generated("2k"), generated("2000"));
}

#[test]
fn rates_that_do_not_fill_the_population_are_reported() {
    let rule = "(best_share + random_share) / 2 * children must be 1";
    for setting in ["children=3", "best-share=0.3", "random_share=0"] {
        refused_flags(&["--preset=boxes", "--set", setting], &[rule]);
    }
    let couples = ["pairing=neighbours", "encoding=rows", "children=1"];
    let odd = ["crossover=pmx", "best_share=1", "random_share=1"];
    let set = couples.iter().chain(&odd).flat_map(|value| ["--set", value]);
    let flags: Vec<&str> = ["--preset=boxes", "--population=6"].into_iter().chain(set).collect();
    refused_flags(&flags, &["set children to a multiple of 2"]);
    // The rule itself is met by other rates.
    solve(&[PUZZLE, "--preset=boxes", "--max-generations=1"])
        .args(["--set=best-share=0.1", "--set=random-share=0.3", "--set=children=5"])
        .assert()
        .code(1);
}

#[test]
fn a_bad_config_file_is_reported_with_its_line() {
    let folder = Folder::new();
    for (text, parts) in [
        ("population = 5\n\nradus = 3\n", &["line 3: there is no parameter 'radus'"][..]),
        ("population = 5\nradius = = 3\n", &["line 2: "]),
        (
            "# nothing\npopulation = 0\n",
            &["line 2: population is '0', but it takes a whole number from 1 to"],
        ),
        ("\npreset = 'boxs'\n", &["line 2: 'boxs' is not one of", "did you mean 'boxes'?"]),
        ("population = 5\npopulation = 6\n", &["line 2: "]),
        ("population = true\n", &["line 1: population takes a number or a name"]),
        ("[boxes]\npopulation = 5\n", &["line 1: "]),
    ] {
        let file = folder.file("run.toml", text);
        refused_flags(&["--config", &file], &[&[&file[..]], parts].concat());
    }
    refused_flags(&["--config=/nowhere/run.toml"], &["cannot read /nowhere/run.toml"]);
}

#[test]
fn flags_that_exclude_each_other_are_reported() {
    let on_gpu = ["solve", PUZZLE, "--simd=scalar", "--on=gpu-score"];
    refused(evodoku_with(&on_gpu), &["--simd scalar applies to scoring on the CPU"]);
    let adapter = ["solve", PUZZLE, "--simd=scalar", "--on=auto:0"];
    refused(evodoku_with(&adapter), &["--simd scalar applies to scoring on the CPU"]);
}

#[test]
fn vector_instructions_that_are_not_there_are_reported() {
    let foreign = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    let sentence = format!("this machine does not support {foreign}: it supports scalar");
    refused_flags(&["--simd", foreign], &[&sentence]);
    refused_flags(
        &["--simd=avx3"],
        &["invalid value 'avx3'", "scalar, sse4.2, avx2, avx512, neon"],
    );
}

#[test]
fn usage_is_explained() {
    refused(evodoku_with(&["solve"]), &["stdin: the text has no cells"]);
    refused(evodoku_with(&["verify", PUZZLE]), &["stdin: the text has no cells"]);
    refused(evodoku_with(&["verify"]), &["required arguments"]);
    refused(evodoku_with(&["sovle", PUZZLE]), &["unrecognized subcommand 'sovle'"]);
    refused(evodoku_with(&["solve", PUZZLE, "--fast"]), &["unexpected argument '--fast'"]);
    evodoku().assert().code(2).stdout("");
}

/// What other programs call otherwise, and words that are no commands, lead to what is meant.
#[test]
fn other_names_lead_to_what_is_meant() {
    for (arguments, part) in [
        (&["solve", PUZZLE, "--mutation-rate", "0.1"][..], "use --set mutation_rate=VALUE"),
        (&["experiment", "--puzzle", PUZZLE, "--elites=2"], "use --set elites=VALUE"),
        (&["solve", PUZZLE, "--max-evaluations", "1k"], "use --max-work N"),
        (&["solve", PUZZLE, "--gpu"], "use --on gpu"),
        (&["solve", "boxes"], "is a preset, not a puzzle: solve takes one, as in --preset boxes"),
        (&["bench", "--gpu"], "unexpected argument '--gpu'"),
        (&["compare", "boxes", "cellular"], "--preset boxes cellular --compare method"),
        (&[PUZZLE], "use evodoku solve easter-monster"),
        (&[TINY], "use evodoku solve 1234"),
        (&["cellular"], "use evodoku presets cellular"),
        (&["-"], "unrecognized subcommand '-'"),
        (&["bench", "--populations", "1k-1M"], "or several, as in 1k,10k,1M"),
        (
            &["bench", "--populations", "1,000"],
            "1,000 may mean 1000 or 1, 000: for 1, 000, put a space",
        ),
        (
            &["bench", "--threads", "2,1,000,000"],
            "2,1,000,000 may mean 2, 1000000 or 2, 1, 000, 000: ",
        ),
        (
            &["experiment", "--puzzle", PUZZLE, "--set", "population=1,000"],
            "may mean 1000 or 1, 000",
        ),
        (
            &["solve", PUZZLE, "--population", "1,00"],
            "it takes a whole number from 1 to 4294967294",
        ),
    ] {
        refused(evodoku_with(arguments), &[part]);
    }
    // One number is read as it is printed.
    let budget = ["--preset=boxes", "--presolve=none", "--max-generations=1", "--population=1,000"];
    let mut printed = solve(&["003-4x4"]);
    printed.args(budget);
    let mut plain = solve(&["003-4x4"]);
    plain.args(budget[..3].iter().chain(&["--population=1000"]));
    assert_eq!(printed.output().unwrap().stdout, plain.output().unwrap().stdout);
}

fn evodoku_with(arguments: &[&str]) -> Command {
    let mut command = evodoku();
    command.args(arguments);
    command
}

/// The loader of graphics drivers finds none where these variables point.
#[cfg(target_os = "linux")]
fn without_adapters(arguments: &[&str]) -> Command {
    let mut command = evodoku_with(arguments);
    command.env_remove("VK_ADD_DRIVER_FILES");
    command.env("VK_DRIVER_FILES", "/nowhere").env("VK_ICD_FILENAMES", "/nowhere");
    command
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_adapters_is_reported() {
    for (arguments, sentence) in [
        (&["solve", PUZZLE, "--on=gpu-score"][..], "no graphics adapter was found"),
        (&["solve", PUZZLE, "--on=gpu-score:0"], "this machine has no graphics adapter"),
        (&["compare"], "this machine has no graphics adapter"),
    ] {
        refused(without_adapters(arguments), &[sentence]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn auto_and_devices_work_without_adapters() {
    use predicates::str::contains;
    without_adapters(&["solve", "003-6x6", "--preset=boxes", "--population=2000"])
        .assert()
        .success()
        .stderr(contains("running on the CPU: no graphics adapter was found"));
    without_adapters(&["devices"])
        .assert()
        .success()
        .stdout("")
        .stderr(contains("no graphics adapter was found"));
}

#[test]
fn the_trace_before_a_bad_puzzle_is_written() {
    let folder = Folder::new();
    let file = folder.argument("trace.csv");
    solve(&["003-6x6", "nonsense", "--presolve=none", "--population=200", "--trace", &file])
        .assert()
        .code(2);
    assert!(trace(&folder.path("trace.csv")).len() > 1);
}

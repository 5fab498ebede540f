//! `solve --checkpoint` and `--resume`: a run that was killed goes on as if it had not been.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

use crate::support::{
    Folder, SOLUTION_6X6, Witness, in_time, is_long, is_written, solve, under_way, wait_until,
};

/// Runs of some dozen generations, none of which finds a solution: with restarts, with memory, with
/// searches, on islands, with children that are compared with all.
const RUNS: [&[&str]; 5] = [
    &[
        "easter-monster", "--preset=boxes", "--population=3000", "--set=restart_after=7",
        "--max-generations=90",
    ],
    &[
        "easter-monster", "--preset=cellular", "--population=600", "--set=tries=40",
        "--max-generations=50",
    ],
    &[
        "easter-monster",
        "--preset=boxes",
        "--population=3000",
        "--set=islands=3",
        "--set=migration_interval=2",
        "--max-generations=90",
    ],
    &[
        "large-16-40", "--preset=tabu", "--population=12", "--set=tabu_steps=300",
        "--max-generations=150",
    ],
    &[
        "easter-monster",
        "--preset=cellular",
        "--population=300",
        "--set=replacement=keep-distance",
        "--set=offspring=150",
        "--set=distance=4",
        "--set=tries=20",
        "--max-generations=60",
    ],
];
/// What they have in common.
const COMMON: [&str; 5] =
    ["--on=cpu", "--presolve=none", "--seed=7", "--format=line", "--set=distinct_every=4"];

/// A run that soon has spent its budget.
const SPENT: [&str; 6] = [
    "easter-monster", "--presolve=none", "--preset=boxes", "--population=100", "--seed=1",
    "--max-generations=3",
];

/// The checkpoint of that run.
fn spent(folder: &Folder) -> String {
    let keep = folder.argument("run.keep");
    let kept = ["--checkpoint", &keep, "--checkpoint-every=1g"];
    solve(&[&SPENT[..], &kept].concat()).assert().code(1);
    keep
}

/// What `solve` says that is refused.
fn refused(arguments: &[&str]) -> String {
    let refused = solve(arguments).assert().code(2);
    String::from_utf8_lossy(&refused.get_output().stderr).into_owned()
}

/// Where a command writes, and what is killed there.
struct Place {
    folder: Folder,
}

impl Place {
    fn new() -> Self {
        Self { folder: Folder::new() }
    }

    fn checkpoint(&self) -> PathBuf {
        self.folder.path("run.keep")
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(cargo_bin!("evodoku"));
        command.arg("solve").args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Begins a run that writes all there is.
    fn begin(&self, run: &[&str], every: &str) -> Child {
        let file = |name| self.folder.argument(name);
        let outputs = [
            "--trace",
            &file("trace.csv"),
            "--export-json",
            &file("runs.json"),
            "--record",
            &file("run.rec"),
            "--checkpoint",
            &file("run.keep"),
            "--checkpoint-every",
            every,
        ];
        self.spawn(&[run, &COMMON, &outputs].concat())
    }

    fn resume(&self, more: &[&str]) -> Child {
        self.spawn(&[&["--resume", &self.folder.argument("run.keep")], more].concat())
    }

    /// Goes on for a generation with what was kept.
    fn is_gone_on_with(&self) {
        let more = self.resume(&["--max-generations=1"]).wait_with_output().unwrap();
        assert_eq!(more.status.code(), Some(1), "{}", String::from_utf8_lossy(&more.stderr));
    }

    /// Rows of the trace.
    fn rows(&self) -> usize {
        fs::read_to_string(self.folder.path("trace.csv")).map_or(0, |text| text.lines().count())
    }

    /// What has been written, and how it ended.
    fn witness(&self, output: Output) -> (Option<i32>, Witness) {
        let code = output.status.code();
        (code, Witness::left_in(&self.folder, output))
    }
}

fn signal(child: &Child, name: &str) {
    let arguments = ["-s", name, &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(arguments).status().unwrap().success());
}

/// Kills a run that is under way; nothing if it was over.
fn kill(mut child: Child) -> Option<()> {
    let was_under_way = under_way(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    was_under_way
}

/// A run that nobody disturbs, how it ended, and how long it took.
fn undisturbed(run: &[&str]) -> (Option<i32>, Witness, Duration) {
    let place = Place::new();
    let start = Instant::now();
    let output = place.begin(run, "1h").wait_with_output().unwrap();
    let took = start.elapsed();
    let (code, witness) = place.witness(output);
    (code, witness, took)
}

#[test]
fn a_run_that_was_killed_twice_ends_as_if_it_had_not_been() {
    for run in RUNS {
        let expected = undisturbed(run);
        let rows = expected.1.trace.len();
        in_time(|| {
            let place = Place::new();
            let mut child = place.begin(run, "3g");
            for part in [3, 2] {
                wait_until(&mut child, || place.rows() > rows / part)?;
                under_way(&mut child)?;
                child.kill().unwrap();
                child.wait().unwrap();
                assert!(place.checkpoint().exists());
                child = place.resume(&[]);
            }
            let found = place.witness(child.wait_with_output().unwrap());
            assert_eq!(found, (expected.0, expected.1.clone()), "{run:?}");
            Some(())
        });
    }
}

/// Kills at any moment after the first checkpoint: a hundred with `EVODOKU_TEST_LONG=1`.
#[test]
fn a_run_that_is_killed_at_any_moment_ends_as_if_it_had_not_been() {
    let each = if is_long() { 100 / RUNS.len() } else { 1 };
    // On a busy machine a run would not get on if it were killed again and again.
    const MOST_IN_A_ROW: usize = 4;
    let mut drawn = 0x9e37_79b9_7f4a_7c15u64;
    for run in RUNS {
        let (code, expected, took) = undisturbed(run);
        let mut kills = 0;
        while kills < each {
            let place = Place::new();
            let mut child = place.begin(run, "1g");
            for _ in 0..MOST_IN_A_ROW {
                // One that is over ends the loop below.
                let _ = wait_until(&mut child, || is_written(&place.checkpoint()));
                drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                sleep(took.mul_f64((drawn >> 40) as f64 / f64::from(1 << 24)));
                if child.try_wait().unwrap().is_some() {
                    break;
                }
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
                child = place.resume(&[]);
            }
            let found = place.witness(child.wait_with_output().unwrap());
            assert_eq!(found, (code, expected.clone()), "{run:?}");
        }
    }
}

#[test]
fn a_request_to_end_leaves_a_checkpoint() {
    for name in ["INT", "TERM"] {
        let run = RUNS[2];
        let expected = undisturbed(run);
        in_time(|| {
            let place = Place::new();
            let mut child = place.begin(run, "1h");
            // The first is written at once, the next an hour later.
            wait_until(&mut child, || is_written(&place.checkpoint()))?;
            let first = fs::read(place.checkpoint()).ok()?;
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            if output.status.code() == expected.0 {
                return None;
            }
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(130), "{said}");
            assert!(said.contains("solve --resume"), "{said}");
            assert_ne!(fs::read(place.checkpoint()).unwrap(), first);
            let found = place.witness(place.resume(&[]).wait_with_output().unwrap());
            assert_eq!(found, (expected.0, expected.1.clone()), "{name}");
            Some(())
        });
    }
}

#[test]
fn what_has_ended_leaves_no_checkpoint_but_for_a_budget() {
    let place = Place::new();
    let keep = place.folder.argument("run.keep");
    solve(&["003-6x6", "--presolve=none", "--seed=1", "--checkpoint", &keep]).assert().code(0);
    assert!(!place.checkpoint().exists());
    // What presolve solves needs no islands.
    let solved = ["1..43421214...12", "--preset=columns", "--population=1", "--set=islands=3"];
    solve(&solved).args(["--presolve=subsets", "--checkpoint", &keep]).assert().code(0);
    let spent = [
        "easter-monster", "--presolve=none", "--preset=boxes", "--population=100", "--seed=1",
        "--format=line",
    ];
    let with = |generations: &'static str, more: &[&str]| {
        let arguments = [&spent, &[generations][..], more].concat();
        solve(&arguments).assert().code(1).get_output().stdout.clone()
    };
    with("--max-generations=10", &["--checkpoint", &keep]);
    assert!(place.checkpoint().exists());
    let longer = solve(&["--resume", &keep, "--max-generations=30"]).assert().code(1);
    assert_eq!(longer.get_output().stdout, with("--max-generations=30", &[]));
    // The same budget is spent already.
    let again = solve(&["--resume", &keep]).assert().code(1);
    assert_eq!(again.get_output().stdout, with("--max-generations=30", &[]));
    // How it gets more is said each time.
    for ended in [&longer, &again] {
        let said = String::from_utf8_lossy(&ended.get_output().stderr);
        let how = format!("continue with evodoku solve --resume {keep}, with a larger ");
        assert!(said.contains(&how), "{said}");
    }
}

#[test]
fn lists_and_runs_go_on_with_what_is_missing() {
    let folder = Folder::new();
    let hard = ".".repeat(36);
    let list = folder.file("list.sdm", format!("{SOLUTION_6X6}\n{hard}\n{hard}\n{SOLUTION_6X6}\n"));
    let common = [
        "--on=cpu", "--presolve=none", "--preset=cells", "--population=400", "--seed=1",
        "--set=mutation-rate=0", "--set=restart-after=0", "--max-generations=400", "--format=line",
        "--threads=2",
    ];
    for (puzzles, runs) in [(list.as_str(), "1"), (hard.as_str(), "4"), (list.as_str(), "2")] {
        let place = Place::new();
        let whole = place.folder.argument("whole.json");
        let input = [puzzles, "--runs", runs];
        let alone = place.spawn(&[&input[..], &common, &["--export-json", &whole]].concat());
        let expected = alone.wait_with_output().unwrap();
        let (json, keep) = (place.folder.argument("runs.json"), place.folder.argument("run.keep"));
        let kept = ["--export-json", &json, "--checkpoint", &keep, "--checkpoint-every=5g"];
        let mut child = place.spawn(&[&input[..], &common, &kept].concat());
        for _ in 0..3 {
            let _ = wait_until(&mut child, || is_written(&place.checkpoint()));
            sleep(Duration::from_millis(150));
            child.kill().unwrap();
            child.wait().unwrap();
            if !is_written(&place.checkpoint()) {
                // It was just over: perhaps it was killed before it removed the runs that had ended.
                let anew = ["--overwrite"];
                child = place.spawn(&[&input[..], &common, &kept, &anew].concat());
            } else {
                child = place.resume(&["--threads=1"]);
            }
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), expected.status.code(), "{said}");
        assert_eq!(output.stdout, expected.stdout);
        let runs_of = |name: &str| {
            let runs = crate::support::export(&place.folder.path(name))["runs"].take();
            crate::support::without_machine(runs)
        };
        let mut found = runs_of("runs.json").as_array().unwrap().clone();
        let mut wanted = runs_of("whole.json").as_array().unwrap().clone();
        // Runs are written when they end.
        for runs in [&mut found, &mut wanted] {
            runs.sort_by_key(|run| (run["name"].to_string(), run["seed"].as_u64()));
        }
        assert_eq!(found, wanted);
    }
}

#[test]
fn runs_that_have_ended_are_beside_the_checkpoint_which_does_not_grow_with_them() {
    let place = Place::new();
    let (folder, file) = (&place.folder, |name| place.folder.argument(name));
    let hard = ".".repeat(36);
    let list = folder.file("list.sdm", format!("{SOLUTION_6X6}\n").repeat(300) + &hard);
    let run = |generations: &'static str| {
        [&list, "--preset=cells", "--presolve=none", "--population=50", "--seed=1", generations]
            .map(str::to_owned)
    };
    let spawn = |more: &[&str], run: &[String]| {
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        place.spawn(&[&run[..], &["--format=line", "--set=restart-after=0"], more].concat())
    };
    let expected = spawn(&[], &run("--max-generations=30")).wait_with_output().unwrap();
    let kept = ["--checkpoint", &file("run.keep"), "--checkpoint-every=1g"];
    let mut child = spawn(&kept, &run("--max-generations=1000000000"));
    let written =
        || fs::metadata(folder.path("run.keep.runs")).is_ok_and(|data| data.len() > 9_000);
    wait_until(&mut child, written).unwrap();
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let [size, beside] =
        ["run.keep", "run.keep.runs"].map(|name| fs::metadata(folder.path(name)).unwrap().len());
    assert!(size < 5_000 && beside > 9_000, "{size} and {beside} bytes");

    let whole = fs::read(folder.path("run.keep.runs")).unwrap();
    let mut changed = whole.clone();
    changed[100] ^= 1;
    // The one before it needs the same bytes, as far as it goes.
    for bytes in [&changed[..], &whole[..100], b""] {
        fs::write(folder.path("run.keep.runs"), bytes).unwrap();
        let said = refused(&["--resume", &file("run.keep")]);
        let end = "run.keep.runs was changed: it holds the finished runs of the checkpoint";
        assert!(said.trim_end().ends_with(end), "{said}");
    }
    fs::remove_file(folder.path("run.keep.runs")).unwrap();
    let said = refused(&["--resume", &file("run.keep")]);
    assert!(said.contains("run.keep.runs is missing: it holds the finished runs"), "{said}");
    // What follows is of a later checkpoint, or of a run that was killed.
    fs::write(folder.path("run.keep.runs"), [&whole[..], b"torn"].concat()).unwrap();
    fs::write(folder.path("other.runs"), "notes").unwrap();
    let other = ["--max-generations=30", "--checkpoint", &file("other")];
    let said = refused(&[&["--resume", &file("run.keep")][..], &other].concat());
    assert!(said.contains("other.runs does not hold runs of a checkpoint and would be"), "{said}");
    // Those of another checkpoint, which may have been moved, are no less.
    fs::write(folder.path("other.runs"), &whole).unwrap();
    let said = refused(&[&["--resume", &file("run.keep")][..], &other].concat());
    assert!(
        said.contains("other.runs holds the runs of a checkpoint that no longer exists"),
        "{said}"
    );
    fs::remove_file(folder.path("other.runs")).unwrap();
    // What is read is not written over.
    std::os::unix::fs::symlink(file("run.keep"), folder.path("link")).unwrap();
    for from in ["run.keep", "run.keep.1", "link"] {
        for read in [from, "run.keep.runs"] {
            let to = ["--export-csv", &file(read)];
            let said = refused(&[&["--resume", &file(from)][..], &other, &to].concat());
            assert!(said.contains(&format!("{read} is read by this command")), "{from}: {said}");
        }
    }
    let resumed = place.resume(&other).wait_with_output().unwrap();
    assert_eq!(resumed.status.code(), expected.status.code());
    assert_eq!(resumed.stdout, expected.stdout);
    assert!(!folder.path("other").exists() && !folder.path("other.runs").exists());
    assert!(folder.path("run.keep.runs").exists(), "nothing was written to it");
    let again = place.resume(&["--max-generations=30"]).wait_with_output().unwrap();
    assert_eq!(again.stdout, expected.stdout);
    assert!(!folder.path("run.keep").exists() && !folder.path("run.keep.runs").exists());
}

#[test]
fn a_checkpoint_that_is_resumed_and_overwritten_stays_until_it_is_replaced() {
    for through_link in [false, true] {
        let place = Place::new();
        let keep = spent(&place.folder);
        let [trace, link] = ["trace.csv", "link"].map(|name| place.folder.argument(name));
        std::os::unix::fs::symlink(&keep, &link).unwrap();
        let from = if through_link { &link } else { &keep };
        let to = ["--checkpoint", &keep, "--overwrite", "--checkpoint-every=1h", "--trace", &trace];
        let run = ["--resume", from, "--max-generations=1000000000"];
        let mut child = place.spawn(&[&run[..], &to].concat());
        wait_until(&mut child, || place.rows() > 10).unwrap();
        kill(child).unwrap();
        place.is_gone_on_with();
    }
}

#[test]
fn a_run_that_has_ended_is_none_of_another_budget() {
    let place = Place::new();
    let keep = place.folder.argument("run.keep");
    let run = ["001-hard-01", "--preset=boxes", "--population=20", "--runs=4000000", "--quiet"];
    let kept = ["--max-generations=3", "--checkpoint", &keep, "--checkpoint-every=1g"];
    let mut child = place.spawn(&[&run[..], &COMMON, &kept].concat());
    let has_runs = || {
        let data = fs::metadata(place.folder.path("run.keep.runs"));
        data.is_ok_and(|data| data.len() > 1_000)
    };
    wait_until(&mut child, has_runs).unwrap();
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for other in ["--max-generations=4", "--max-generations=0"] {
        let said = refused(&["--resume", &keep, other]);
        assert!(said.contains("this run ended with a smaller max_generations"), "{said}");
    }
}

#[test]
fn a_trace_that_another_process_writes_is_not_cut() {
    let place = Place::new();
    let [keep, other] = ["run.keep", "other"].map(|name| place.folder.argument(name));
    let trace = ["--trace", &place.folder.argument("trace.csv")];
    let kept = ["--checkpoint", &keep, "--checkpoint-every=1g"];
    solve(&[&SPENT[..], &kept, &trace].concat()).assert().code(1);
    let more = ["--max-generations=1000000000", "--slow=20"];
    let mut first = place.resume(&more);
    let rows = place.rows();
    wait_until(&mut first, || place.rows() > rows + 5).unwrap();
    let before = place.rows();
    let second = ["--resume", &keep, "--checkpoint", &other, "--max-generations=9"];
    let second = solve(&second).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another evodoku process writes it"), "{said}");
    assert_eq!(second.status.code(), Some(2), "{said}");
    assert!(place.rows() >= before);
    kill(first).unwrap();
}

#[test]
fn a_list_goes_on_through_a_link_and_from_the_checkpoint_before() {
    let place = Place::new();
    let (folder, file) = (&place.folder, |name| place.folder.argument(name));
    fs::create_dir(folder.path("real")).unwrap();
    std::os::unix::fs::symlink(folder.path("real/run"), folder.path("run.keep")).unwrap();
    let hard = ".".repeat(36);
    let list = folder.file("list.sdm", format!("{SOLUTION_6X6}\n").repeat(300) + &hard);
    let run = [&list, "--preset=cells", "--presolve=none", "--population=50", "--seed=1"];
    let more = ["--format=line", "--set=restart-after=0"];
    let short = "--max-generations=30";
    let expected = place.spawn(&[&run[..], &more, &[short]].concat()).wait_with_output().unwrap();
    let kept = ["--checkpoint", &file("run.keep"), "--checkpoint-every=1g"];
    let mut child =
        place.spawn(&[&run[..], &more, &kept, &["--max-generations=1000000000"]].concat());
    let [runs, one_before] = ["real/run.runs", "real/run.1"].map(|name| folder.path(name));
    let written =
        || fs::metadata(&runs).is_ok_and(|data| data.len() > 9_000) && one_before.exists();
    wait_until(&mut child, written).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // A kill may come just when the one before was removed for the next.
    if !one_before.exists() {
        fs::copy(folder.path("real/run"), &one_before).unwrap();
    }
    // The last one is damaged: its file is written again, and the one before it stays until then.
    fs::write(folder.path("real/run"), "evodoku checkpoint damaged").unwrap();
    let before = fs::read(folder.path("real/run.1")).unwrap();
    let from_before = ["--resume", &file("real/run.1"), "--checkpoint", &file("real/run")];
    let mut child = place.spawn(&[&from_before[..], &["--max-generations=1000000000"]].concat());
    wait_until(&mut child, || {
        fs::read(folder.path("real/run")).is_ok_and(|bytes| bytes.len() > 100)
    })
    .unwrap();
    signal(&child, "STOP");
    if let Ok(first) = fs::read(&one_before) {
        assert!(first == before || !first.ends_with(b"damaged"), "the damaged one took its place");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A list that is gone was not changed.
    let moved = folder.path("moved.sdm");
    fs::rename(&list, &moved).unwrap();
    let refused = place.resume(&[short]).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("list.sdm' is not a file"), "{said}");
    fs::rename(&moved, &list).unwrap();
    let resumed = place.resume(&[short]).wait_with_output().unwrap();
    assert_eq!(resumed.status.code(), expected.status.code());
    assert_eq!(resumed.stdout, expected.stdout);
    // Of one that was killed a file may stay that it was writing.
    for name in ["run", "run.1", "run.runs"] {
        assert!(!folder.path("real").join(name).exists(), "{name}");
    }
}

#[test]
fn what_contradicts_a_checkpoint_is_refused_by_name() {
    let folder = Folder::new();
    let keep = spent(&folder);
    let other = ["--resume", &keep];
    for (more, sentence) in [
        (&["ai-escargot"][..], "is for easter-monster, not ai-escargot"),
        (&["--seed=2"], "was made with seed 1, not 2"),
        (&["--runs=2"], "was made with 1 run per puzzle, not 2"),
        (&["--preset=cells"], "was made with preset boxes, not cells"),
        (&["--population=200"], "was made with population=100, not 200"),
        (&["--set=mutation-rate=0.5"], "mutation_rate is not set in"),
        (&["--presolve=singles"], "was made with presolve=none, not singles"),
        (&["--box=2x3"], "--box and --alphabet are those of the checkpoint"),
        (&["--alphabet=ABCDEFGHI"], "--box and --alphabet are those of the checkpoint"),
    ] {
        let said = refused(&[&other[..], more].concat());
        assert!(said.contains(sentence), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    // The same once more is no contradiction.
    solve(&[&SPENT[..], &other].concat()).assert().code(1);
}

#[test]
fn what_is_torn_changed_or_none_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let keep = spent(&folder);
    let whole = fs::read(folder.path("run.keep")).unwrap();
    let instead = format!("use --resume {keep}.1 for the previous checkpoint");
    for (bytes, what) in [
        (&whole[..whole.len() / 2], "is incomplete"),
        (&[&whole[..99], &[whole[99] ^ 1], &whole[100..]].concat(), "was changed"),
        (b"puzzle,seed\n", "is not a checkpoint"),
        (b"evodoku checkpoint 99\n", "is a checkpoint of format 99"),
    ] {
        fs::write(folder.path("run.keep"), bytes).unwrap();
        let said = refused(&["--resume", &keep]);
        assert!(said.contains(what) && said.contains(&instead), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    solve(&["--resume", &format!("{keep}.1")]).assert().code(1);
    let alone = folder.argument("alone.keep");
    fs::write(&alone, &whole[..whole.len() / 2]).unwrap();
    let said = refused(&["--resume", &alone]);
    assert!(said.ends_with("; start over, without --resume\n"), "{said}");
    let said = refused(&["--resume", &folder.argument("none.keep")]);
    assert!(said.contains("cannot read"), "{said}");
}

#[test]
fn a_checkpoint_of_other_runs_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let keep = spent(&folder);
    let mut bytes = fs::read(folder.path("run.keep")).unwrap();
    // The line, whose it is, and the version of the program: then that of its runs.
    let version = env!("CARGO_PKG_VERSION");
    let at = "evodoku checkpoint 6\n".len() + 1 + "solve".len() + 1 + version.len();
    assert_eq!(u32::from(bytes[at]), evodoku::RESULTS_VERSION);
    bytes[at] += 1;
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&checksum);
    fs::write(folder.path("run.keep"), &bytes).unwrap();
    let said = refused(&["--resume", &keep]);
    let (now, later) = (evodoku::RESULTS_VERSION, evodoku::RESULTS_VERSION + 1);
    let sentence = format!(
        "is from evodoku {version} with results version {later}, not {now}: use the evodoku that wrote it, or start over"
    );
    assert!(said.contains(&sentence), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn two_processes_do_not_go_on_with_one_run() {
    in_time(|| {
        let place = Place::new();
        let mut child =
            place.begin(&[&RUNS[0][..4], &["--max-generations=1000000"]].concat(), "1g");
        wait_until(&mut child, || is_written(&place.checkpoint()) && place.rows() > 5)?;
        let keep = place.folder.argument("run.keep");
        let anew = ["003-6x6", "--checkpoint", &keep, "--overwrite"];
        for second in [&["--resume", &keep][..], &anew] {
            let said = refused(second);
            assert!(said.contains("another evodoku process uses"), "{said}");
        }
        kill(child)?;
        // Nobody is any more.
        place.is_gone_on_with();
        Some(())
    });
}

/// There was nothing to hold when they began.
#[test]
fn of_two_processes_that_begin_under_one_name_one_keeps_its_run() {
    in_time(|| {
        let place = Place::new();
        let [keep, pipe] = ["run.keep", "pipe"].map(|name| place.folder.argument(name));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let waits = place.spawn(&[&pipe, "--presolve=none", "--seed=1", "--checkpoint", &keep]);
        // Opened when the other process opens it, by then with its checkpoint found to be free.
        let mut puzzle = fs::File::options().write(true).open(&pipe).unwrap();
        let mut child =
            place.begin(&[&RUNS[0][..4], &["--max-generations=1000000"]].concat(), "1g");
        let written = wait_until(&mut child, || is_written(&place.checkpoint()));
        puzzle.write_all(include_bytes!("../../puzzles/documents/003-6x6.txt")).unwrap();
        drop(puzzle);
        let output = waits.wait_with_output().unwrap();
        let killed = kill(child);
        written.and(killed)?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(said.matches("another evodoku process uses it").count(), 1, "{said}");
        place.is_gone_on_with();
        Some(())
    });
}

#[test]
fn a_checkpoint_that_cannot_be_written_any_more_costs_nothing_but_itself() {
    in_time(|| {
        let place = Place::new();
        fs::create_dir(place.folder.path("gone")).unwrap();
        let keep = place.folder.argument("gone/run.keep");
        let run = [RUNS[0], &COMMON].concat();
        let expected = place.spawn(&run).wait_with_output().unwrap().stdout;
        let mut child =
            place.spawn(&[&run[..], &["--checkpoint", &keep, "--checkpoint-every=1g"]].concat());
        wait_until(&mut child, || is_written(&place.folder.path("gone/run.keep")))?;
        // A file in the place of the folder: nobody writes there, not even who may do everything.
        fs::rename(place.folder.path("gone"), place.folder.path("away")).unwrap();
        fs::write(place.folder.path("gone"), "").unwrap();
        under_way(&mut child)?;
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout), (Some(1), expected), "{said}");
        // The last one may have been written just before.
        let told = said.matches("cannot write").count();
        assert!(told <= 1, "{said}");
        (told == 1).then_some(())?;
        assert!(said.contains("the previous checkpoint is unchanged"), "{said}");
        Some(())
    });
}

#[test]
fn a_checkpoint_of_another_run_is_not_lost_over_a_name() {
    let folder = Folder::new();
    let keep = spent(&folder);
    let held = fs::read(&keep).unwrap();
    let other = ["003-6x6", "--presolve=none", "--seed=1", "--checkpoint", &keep];
    let said = refused(&other);
    assert!(said.contains("run.keep exists: "), "{said}");
    assert!(said.contains("--resume") && said.contains("--overwrite"), "{said}");
    assert_eq!(fs::read(&keep).unwrap(), held);
    // The one before it counts as well, what holds nothing does not.
    fs::rename(&keep, format!("{keep}.1")).unwrap();
    fs::write(&keep, "").unwrap();
    assert!(refused(&other).contains("run.keep.1 exists: "));
    // Who goes on from the one before keeps the next in its place.
    let resume = ["--resume", &format!("{keep}.1"), "--checkpoint", &keep, "--max-generations=5"];
    solve(&resume).assert().code(1);
    assert!(fs::read(&keep).unwrap().len() > 100);
    solve(&[&other[..], &["--overwrite"]].concat()).assert().code(0);
    assert!(!Path::new(&keep).exists(), "the run has ended");
}

#[test]
fn a_resumed_run_prints_in_the_alphabet_it_was_read_in() {
    let folder = Folder::new();
    let keep = folder.argument("run.keep");
    let letters = folder.file("letters.txt", "A.....C..B.....D");
    let run = ["--alphabet=ABCD", "--presolve=none", "--seed=1", "--format=line"];
    let spent =
        ["--max-generations=1", "--preset=boxes", "--population=2", "--set=mutation_rate=0"];
    let kept = ["--checkpoint", &keep, "--checkpoint-every=1g"];
    let first = solve(&[&[letters.as_str()], &run[..], &spent, &kept].concat()).assert().code(1);
    let resumed = solve(&["--resume", &keep]).assert().code(1);
    let printed = String::from_utf8_lossy(&resumed.get_output().stdout).into_owned();
    assert_eq!(printed.as_bytes(), first.get_output().stdout);
    assert!(
        printed.lines().nth(1).unwrap().chars().skip(2).all(|c| "ABCD".contains(c)),
        "{printed}"
    );
}

#[test]
fn what_can_be_no_checkpoint_is_refused_before_the_run() {
    let folder = Folder::new();
    let at = folder.argument("no/such/folder.keep");
    for (arguments, what) in [
        (&["003-6x6", "--checkpoint", "/dev/full"][..], "is a file, not a pipe or a device"),
        (&["003-6x6", "--checkpoint", &at], "cannot write"),
        (&["003-6x6", "--checkpoint-every", "3s"], "<--checkpoint <FILE>|--resume <FILE>>"),
        (
            &["003-6x6", "--checkpoint-every", "often", "--checkpoint", &at],
            "generations, as in 100g",
        ),
    ] {
        let said = refused(arguments);
        assert!(said.contains(what), "{said}");
    }
    let list = solve(&["-", "--checkpoint", &folder.argument("l.keep")])
        .write_stdin(format!("{SOLUTION_6X6}\n{SOLUTION_6X6}\n"))
        .assert()
        .code(2);
    let said = String::from_utf8_lossy(&list.get_output().stderr).into_owned();
    assert!(said.contains("but stdin and pipes can be read only once"), "{said}");
}

#[test]
fn a_trace_that_was_changed_meanwhile_is_not_written_over() {
    let place = Place::new();
    let mut child = place.begin(RUNS[0], "1g");
    // Over or not, it has left a trace.
    let _ = wait_until(&mut child, || place.rows() > 5);
    child.kill().unwrap();
    child.wait().unwrap();
    let trace = place.folder.path("trace.csv");
    let changed = fs::read_to_string(&trace).unwrap().replacen("easter", "EASTER", 1);
    fs::write(&trace, &changed).unwrap();
    let output = place.resume(&[]).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("it was changed after the checkpoint"), "{said}");
    assert_eq!(fs::read_to_string(&trace).unwrap(), changed);
    // Another file gets the rest.
    let other = place.folder.argument("rest.csv");
    let output = place.resume(&["--trace", &other]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_was_moved_with_a_checkpoint_is_gone_on_with() {
    let (code, expected, _) = undisturbed(RUNS[0]);
    let (place, moved) = (Place::new(), Place::new());
    let mut child = place.begin(RUNS[0], "1g");
    let _ = wait_until(&mut child, || place.rows() > 5);
    child.kill().unwrap();
    child.wait().unwrap();
    for name in ["trace.csv", "run.rec", "run.keep"] {
        fs::rename(place.folder.path(name), moved.folder.path(name)).unwrap();
    }
    let file = |name| moved.folder.argument(name);
    let (trace, record, export) = (file("trace.csv"), file("run.rec"), file("runs.json"));
    let files = ["--trace", &trace, "--record", &record, "--export-json", &export];
    let output = moved.resume(&files).wait_with_output().unwrap();
    assert_eq!(moved.witness(output), (code, expected));
}

#[test]
fn a_file_that_is_no_checkpoint_is_never_replaced() {
    let folder = Folder::new();
    let text = "1234............\n";
    let file = folder.file("mine.txt", text);
    for more in [&[][..], &["--overwrite"]] {
        let said = refused(&[&["003-4x4", "--checkpoint", &file][..], more].concat());
        let sentence = "mine.txt is not a checkpoint and would be overwritten: move it\n";
        assert!(said.ends_with(sentence), "{said}");
        assert_eq!(fs::read_to_string(folder.path("mine.txt")).unwrap(), text);
    }
}

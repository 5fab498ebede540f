//! The command under `mpirun`: lists and experiments over ranks.
//!
//! More ranks than cores take turns: these tests need no cluster, only Open MPI.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use evodoku::board::Presolve;
use evodoku::ga::parts;
use evodoku::ga::{GenerationReport, Observer, Overrides};
use evodoku::{Preset, Solver, format};
use serde_json::Value;

use crate::cli_experiment::{Folder, SLOW, wait_for_runs};
use crate::support::{self, OF_THE_MACHINE, REPRODUCIBLE, TINY, binary, hopeless, in_time, mpirun};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Its output without lines that tell how long something took.
fn untimed(output: &Output) -> Vec<String> {
    let text = text(output.stdout.clone());
    text.lines().filter(|line| !line.contains("seconds")).map(str::to_owned).collect()
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The process of a rank.
#[cfg(target_os = "linux")]
fn process_of(mpirun: &Child, rank: usize) -> Option<u32> {
    let of_rank = format!("OMPI_COMM_WORLD_RANK={rank}");
    let parent = format!("PPid:\t{}", mpirun.id());
    let is_it = |pid: &u32| {
        let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let status = String::from_utf8_lossy(&read("status")).into_owned();
        let environment = read("environ");
        status.lines().any(|line| line == parent)
            && environment.split(|byte| *byte == 0).any(|word| word == of_rank.as_bytes())
    };
    let processes = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    processes.into_iter().find(is_it)
}

fn signal(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
#[cfg_attr(feature = "mpi", ignore = "of a build without the feature mpi")]
fn a_build_without_mpi_does_nothing_several_times() {
    for (names, rank) in [
        (["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], "0"),
        (["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], "3"),
        (["PMI_RANK", "PMI_SIZE"], "0"),
    ] {
        let mut command = support::evodoku();
        command.env(names[0], rank).env(names[1], "4").args(["solve", TINY]);
        let assert = command.assert().code(2).stdout("");
        let said = text(assert.get_output().stderr.clone());
        // Once is enough.
        assert_eq!(said.lines().count(), usize::from(rank == "0"), "{said}");
        assert!(rank != "0" || said.contains("mpirun started 4 processes"), "{said}");
    }
    // One process is what it always was.
    let mut command = support::evodoku();
    command.env("OMPI_COMM_WORLD_RANK", "0").env("OMPI_COMM_WORLD_SIZE", "1");
    command.args(["solve", "--on=cpu", TINY]).assert().code(0);
}

#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn a_list_over_ranks_is_printed_and_exported_as_by_one_process() {
    let folder = support::Folder::new();
    let puzzles = ["003-4x4", "no-such-puzzle", "003-6x6", TINY, "001-easy-03", "003-6x6"];
    let list = format!("{}{TINY}\n", "1234341221434321\n..34341221434321\n".repeat(20));
    folder.file("list.sdm", list);
    let settings = "--on=cpu --presolve=none --population=200 --max-generations=30 --seed=3 \
                    --runs=2 --format=line --threads=1";
    let arguments: Vec<&str> = ["solve"]
        .into_iter()
        .chain(puzzles)
        .chain(["list.sdm"])
        .chain(settings.split(' '))
        .collect();
    let exported = |name: &str| {
        let mut export = support::export(&folder.path(name));
        let mut runs = export["runs"].take();
        for run in runs.as_array_mut().unwrap() {
            OF_THE_MACHINE.iter().for_each(|name| drop(run.as_object_mut().unwrap().remove(*name)));
        }
        // Written as they end, in whatever order.
        let mut runs: Vec<String> = runs.as_array().unwrap().iter().map(Value::to_string).collect();
        runs.sort();
        runs
    };
    let alone = Command::new(binary())
        .current_dir(folder.path(""))
        .args(&arguments)
        .args(["--export-json", "alone.json"])
        .output()
        .unwrap();
    assert_eq!(code(&alone), Some(2), "{}", String::from_utf8_lossy(&alone.stderr));
    let together = |ranks| {
        in_time(|| {
            let more = [&arguments[..], &["--export-json", "ranks.json"]].concat();
            let output = mpirun(&folder.path(""), ranks, &more).output().unwrap();
            let said = text(output.stderr.clone());
            // A rank was over before mpirun knew that it had begun, which it takes for a failure.
            (!said.contains("with PID 0 on")).then_some(())?;
            assert_eq!(code(&output), Some(2), "{said}");
            assert_eq!(untimed(&output), untimed(&alone), "{said}");
            assert_eq!(exported("ranks.json"), exported("alone.json"));
            assert_eq!(said.matches("no-such-puzzle").count(), 1, "{said}");
            assert_eq!(said.matches("puzzles/s").count(), 1, "{said}");
            assert!(said.contains(&format!("{ranks} at a time")), "{said}");
            Some(())
        });
    };
    [2, 3].into_iter().for_each(together);
}

const SMALL: &str = "puzzles = ['003-4x4', '003-6x6']\nmethods = ['boxes', 'backtracking']\n\
                     seeds = 6\n[parameters]\npopulation = [8, 40]\nmax_generations = 30\n";

const EXPORTS: [&str; 8] = [
    "--export-json", "r.json", "--export-csv", "r.csv", "--export-markdown", "r.md", "--plot",
    "r.svg",
];

fn experiment(folder: &Folder, ranks: usize, arguments: &[&str]) -> Command {
    let all = [&["experiment", "spec.toml", "--on=cpu", "--threads=1"], &EXPORTS[..], arguments];
    mpirun(&folder.path(""), ranks, &all.concat())
}

#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn an_experiment_over_ranks_is_exported_as_by_one_process() {
    let alone = Folder::new(SMALL);
    alone.done(&[]);
    for ranks in [1, 3] {
        let folder = Folder::new(SMALL);
        let output = experiment(&folder, ranks, &[]).output().unwrap();
        let said = text(output.stderr.clone());
        assert_eq!(code(&output), Some(0), "{said}");
        assert_eq!(folder.files(), alone.files());
        // One voice.
        assert_eq!(said.matches("spec: 6 cells, 26 runs").count(), 1, "{said}");
        let at_a_time = format!("{ranks} at a time");
        assert!(said.contains(&at_a_time) && text(output.stdout).matches("003-4x4").count() == 3);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn a_killed_rank_ends_the_job_and_loses_only_what_was_under_way() {
    let whole = Folder::new(SLOW);
    whole.done(&[]);
    in_time(|| {
        let folder = Folder::new(SLOW);
        let mut job = experiment(&folder, 3, &[]).spawn().unwrap();
        wait_for_runs(&folder, &mut job)?;
        signal("-KILL", process_of(&job, 2)?);
        let output = job.wait_with_output().unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&folder.done(&["--resume"]).stderr).into_owned();
        let there = said.split_once(" runs (").unwrap().1.split_once(" finished").unwrap().0;
        let there: usize = there.parse().unwrap();
        // All were done when it was killed.
        (there < 40).then_some(())?;
        assert!(there >= 5, "{said}");
        assert_eq!(folder.files(), whole.files());
        Some(())
    });
}

#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn ranks_that_are_about_to_do_different_things_are_refused() {
    let folder = Folder::new(SMALL);
    let path = folder.path("");
    let both = |one: &[&str], other: &[&str]| {
        let mut command = mpirun(&path, 1, one);
        command.args([":", "-n", "1"]).arg(binary()).args(other);
        let start = Instant::now();
        let output = command.output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(120));
        assert_eq!(code(&output), Some(2));
        assert_eq!(text(output.stdout), "");
        let said = text(output.stderr);
        assert_eq!(said.matches("evodoku: ").count(), 1, "{said}");
        said
    };
    let solve = ["solve", "003-4x4", "003-6x6", "--population=20"];
    let other = ["solve", "003-4x4", "003-6x6", "--population=30"];
    let said = both(&solve, &other);
    let sentence =
        "rank 1 has parameters 'population=30', but rank 0 has 'population=20': all ranks";
    assert!(said.contains(sentence), "{said}");
    let said = both(&solve, &["solve", "003-4x4", "--population=0"]);
    assert!(
        said.contains("evodoku: rank 1: ")
            && said.contains("it takes a whole number from 1 to 4294967294"),
        "{said}"
    );

    fs::write(folder.path("other.toml"), SMALL.replace("= 6", "= 7")).unwrap();
    let said = both(&["experiment", "spec.toml"], &["experiment", "other.toml"]);
    assert!(said.contains("rank 1 has spec fingerprint "), "{said}");
    let said = both(&["experiment", "none.toml"], &["experiment", "none.toml"]);
    assert!(said.contains("evodoku: none.toml: cannot be read"), "{said}");
}

/// Waits until a rank has computed for so long.
#[cfg(target_os = "linux")]
fn wait_for_work(process: u32, ticks: u64) {
    let deadline = Instant::now() + Duration::from_secs(120);
    let worked = || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // After the name come the state, ten numbers, and the time in user mode.
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
        fields.split(' ').nth(11).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0)
    };
    while worked() < ticks {
        assert!(Instant::now() < deadline, "no rank was at work in two minutes");
        sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn an_interrupt_ends_all_ranks_and_prints_what_there_is() {
    let folder = support::Folder::new();
    let settings = hopeless(&["ai-escargot", "--presolve=none", "--on=cpu", "--threads=1"]);
    let arguments: Vec<&str> = ["solve"].into_iter().chain(settings).collect();
    for (kind, to_mpirun, expected) in
        // What mpirun itself ends with, when it is asked to end, is its own choice.
        [("-INT", false, Some(130)), ("-INT", true, None), ("-TERM", true, None)]
    {
        let mut job = mpirun(&folder.path(""), 2, &arguments).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(120);
        while process_of(&job, 0).is_none() || process_of(&job, 1).is_none() {
            let over = job.try_wait().unwrap();
            assert!(Instant::now() < deadline && over.is_none(), "{over:?}");
            sleep(Duration::from_millis(20));
        }
        let ranks = [0, 1].map(|rank| process_of(&job, rank).unwrap());
        ranks.iter().for_each(|rank| wait_for_work(*rank, 100));
        let start = Instant::now();
        signal(kind, if to_mpirun { job.id() } else { ranks[0] });
        let output = job.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success()
                && expected.is_none_or(|code| output.status.code() == Some(code)),
            "{said}"
        );
        // A board for each rank that was at work.
        let printed = text(output.stdout);
        assert_eq!(printed.matches("# not solved: ").count(), 2, "{said}");
    }
}

/// What a run is on any number of ranks: the result and the trace, times aside.
fn run_of(
    folder: &support::Folder,
    mut command: Command,
    ranks: usize,
) -> (String, Vec<Vec<String>>) {
    let name = format!("{ranks}.csv");
    let output = command.args(["--trace", &name]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(code(&output), Some(0 | 1)), "{ranks} ranks: {said}");
    let mut trace = support::trace(&folder.path(&name));
    trace.iter_mut().for_each(|row| row.truncate(REPRODUCIBLE));
    (text(output.stdout), trace)
}

#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn islands_over_ranks_are_the_run_of_one_process() {
    let folder = support::Folder::new();
    let path = folder.path("");
    for (settings, all) in [
        (
            "easter-monster --preset cellular --population 300 --set islands=5 --max-generations 30",
            &[2][..],
        ),
        (
            "large-16-45 --preset memetic --set islands=4 --set tabu-steps=50 --max-generations 20",
            &[3],
        ),
        (
            "easter-monster --preset boxes --population 90 --set islands=8 --set restart-after=5 \
          --max-generations 30",
            &[2],
        ),
        ("003-4x4 --preset boxes --population 24 --set islands=8 --max-generations 20", &[3, 8]),
    ] {
        let arguments: Vec<&str> = ["solve"]
            .into_iter()
            .chain(settings.split_whitespace())
            .chain("--on cpu --presolve none --seed 4 --format line --threads 1".split(' '))
            .chain("--set migration-interval=2 --set migrants=2 --set distinct-every=3".split(' '))
            .collect();
        let mut alone = Command::new(binary());
        alone.current_dir(&path).args(&arguments);
        let alone = run_of(&folder, alone, 1);
        assert!(alone.1.len() > 2, "{settings} gives too few generations to compare");
        for ranks in all {
            let found = run_of(&folder, mpirun(&path, *ranks, &arguments), *ranks);
            assert_eq!(found, alone, "{settings} on {ranks} ranks");
        }
    }
}

/// Notes the lowest fitness of each island in the last generation.
#[derive(Default)]
struct Islands(Vec<u16>);

impl Observer for Islands {
    fn on_generation(&mut self, report: &GenerationReport<'_>) -> ControlFlow<()> {
        self.0 = report.islands.to_vec();
        ControlFlow::Continue(())
    }
}

#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn a_solution_on_another_rank_ends_the_job_as_in_one_process() {
    let puzzle = format::load("003-6x6", None).unwrap().puzzle;
    let settings = Overrides {
        islands: Some(4),
        population: Some(200),
        presolve: Some(Presolve::None),
        ..Overrides::default()
    };
    let ranks = 2;
    let first = parts(4, ranks)[0].clone();
    // A seed whose first solution is on an island of the other rank.
    let is_elsewhere = |seed: &u64| {
        let mut islands = Islands::default();
        let solver = Solver::new(Preset::Boxes).set(settings.clone()).seed(*seed);
        let outcome = solver.solve_with(&puzzle, &mut islands).unwrap().outcome;
        let solved = islands.0.iter().position(|fitness| *fitness == 0);
        outcome.generations > 2 && solved.is_some_and(|island| !first.contains(&island))
    };
    let seed = (1..100).find(is_elsewhere).unwrap().to_string();

    let folder = support::Folder::new();
    let path = folder.path("");
    let arguments: Vec<&str> =
        "solve 003-6x6 --preset boxes --population 200 --set islands=4 --presolve \
                                none --on cpu --threads 1 --format line --seed"
            .split_whitespace()
            .chain([&seed[..]])
            .collect();
    let mut alone = Command::new(binary());
    alone.current_dir(&path).args(&arguments);
    let alone = run_of(&folder, alone, 1);
    assert_eq!(alone.0.trim_end(), support::SOLUTION_6X6);
    assert_eq!(run_of(&folder, mpirun(&path, ranks, &arguments), ranks), alone, "seed {seed}");
}

#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn ranks_without_islands_are_named_or_refused() {
    let folder = support::Folder::new();
    let settings = "easter-monster --preset boxes --population 20 --max-generations 3 --presolve none \
                    --threads 1";
    let solve = |ranks, more: &[&str]| {
        let arguments: Vec<&str> = ["solve"].into_iter().chain(settings.split(' ')).collect();
        mpirun(&folder.path(""), ranks, &[&arguments, more].concat()).output().unwrap()
    };
    let output = solve(2, &["--on=cpu"]);
    let said = text(output.stderr.clone());
    assert_eq!(code(&output), Some(2), "{said}");
    assert!(said.contains("evodoku: 2 ranks cannot work on one run without islands"), "{said}");
    let output = solve(4, &["--on=cpu", "--set", "islands=2"]);
    let said = text(output.stderr.clone());
    assert_eq!(code(&output), Some(1), "{said}");
    assert!(said.contains("2 islands on 2 of 4 ranks"), "{said}");
    // An engine that one rank cannot make.
    let output = solve(2, &["--on", "gpu-score:each", "--set", "islands=2"]);
    let said = text(output.stderr.clone());
    assert!(code(&output) == Some(2) && said.matches("evodoku: ").count() == 1, "{said}");
}

/// A run on islands that nothing but the user ends, under way on all ranks.
#[cfg(target_os = "linux")]
fn endless(folder: &Path, ranks: usize) -> (Child, Vec<u32>) {
    let mut settings = hopeless(&["--on=cpu", "--threads=1", "--presolve=none"]);
    settings.extend(["--set=islands=4", "--set=migration-interval=1", "--set=migrants=2"]);
    let arguments: Vec<&str> = ["solve"].into_iter().chain(settings).collect();
    let job = mpirun(folder, ranks, &arguments).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    let of = |rank| {
        loop {
            if let Some(process) = process_of(&job, rank) {
                return process;
            }
            assert!(Instant::now() < deadline);
            sleep(Duration::from_millis(20));
        }
    };
    let processes: Vec<u32> = (0..ranks).map(of).collect();
    processes.iter().for_each(|process| wait_for_work(*process, 100));
    (job, processes)
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn an_interrupt_ends_a_run_on_islands_with_its_best_board() {
    let folder = support::Folder::new();
    for (kind, to, expected) in
        // To mpirun, which ends with what it likes, to rank 0, and to another rank alone.
        [("-TERM", None, None), ("-INT", Some(0), Some(130)), ("-INT", Some(1), Some(130))]
    {
        let (job, processes) = endless(&folder.path(""), 2);
        let start = Instant::now();
        signal(kind, to.map_or(job.id(), |rank: usize| processes[rank]));
        let output = job.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let ended = expected.is_none_or(|code| output.status.code() == Some(code));
        assert!(!output.status.success() && ended, "{kind} {to:?}: {said}");
        let printed = text(output.stdout);
        assert_eq!(printed.matches("# not solved: ").count(), 1, "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(feature = "mpi"), ignore = "needs the feature mpi")]
fn a_killed_rank_ends_a_run_on_islands() {
    let folder = support::Folder::new();
    let (job, processes) = endless(&folder.path(""), 3);
    signal("-KILL", processes[2]);
    let output = job.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("signal 9"), "{said}");
}

//! What `evodoku solve` reports of a run: the effective configuration, the export, the trace.

use crate::support::{
    COLUMNS, Folder, REPRODUCIBLE, SOLUTION_6X6, TINY, export, hopeless, record, solve, trace,
};
use serde_json::json;

#[test]
fn a_random_seed_is_recorded_and_gives_the_same_run_again() {
    let first = record(&["003-6x6", "--presolve=none", "--population=50"], 0);
    let seed = format!("--seed={}", first["seed"]);
    let again = record(&["003-6x6", "--presolve=none", "--population=50", &seed], 0);
    assert_eq!(first["work"], again["work"]);
    assert_ne!(first["seed"], record(&["003-6x6"], 0)["seed"]);
}

#[test]
fn a_flag_comes_before_set_before_the_file_before_the_preset() {
    let folder = Folder::new();
    let file = folder.file(
        "run.toml",
        "preset = 'boxes'\nmax_generations = 7\npopulation = 300\nmax-work = 9_000\n\
         mutation_rate = 0.5\ncrossover = 'one-point'\n",
    );
    let config = |arguments: &[&str]| {
        let run = record(&[&[TINY, "--config", &file], arguments].concat(), 0);
        assert_eq!(run["preset"], run["config"]["preset"]);
        assert_eq!(run["population"], run["config"]["population"]);
        run["config"].clone()
    };
    let from_file = config(&[]);
    for (name, value) in [
        ("preset", json!("boxes")),
        ("population", json!(300)),
        ("max_generations", json!(7)),
        ("max_work", json!(9000)),
        ("mutation_rate", json!(0.5)),
        ("crossover", json!("one-point")),
        // These two are the preset's.
        ("restart_after", json!(30)),
        ("presolve", json!("none")),
    ] {
        assert_eq!(from_file[name], value, "{name}");
    }
    let set = config(&[
        "--set=population=400",
        "--set=max_generations=6",
        "--set=crossover=subset",
        "--set=time-limit=60",
        "--population=500",
        "--presolve=naked",
    ]);
    for (name, value) in [
        ("population", json!(500)),
        ("max_generations", json!(6)),
        ("crossover", json!("subset")),
        ("time_limit", json!(60.0)),
        ("presolve", json!("naked")),
        ("max_work", json!(9000)),
    ] {
        assert_eq!(set[name], value, "{name}");
    }
    let memetic = config(&["--preset=memetic"]);
    assert_eq!((&memetic["preset"], &memetic["population"]), (&json!("memetic"), &json!(300)));
    assert_eq!(memetic["presolve"], "probing");
}

#[test]
fn the_export_holds_every_field_of_a_run() {
    let folder = Folder::new();
    let file = folder.file("runs.json", "an older export");
    solve(&["003-6x6", "--presolve=none", "--population=200", "--seed=3", "--threads=2"])
        .arg("--preset=cellular")
        .args(["--export-json", &file])
        .assert()
        .success();
    let all = export(&folder.path("runs.json"));
    assert_eq!(all["version"], env!("CARGO_PKG_VERSION"));
    let run = all["runs"][0].as_object().unwrap();
    for (name, value) in [
        ("name", json!("003-6x6")),
        ("puzzle", json!(".3.4....56.3...1...1.3.5.64.31..1.46")),
        ("solution", json!(SOLUTION_6X6)),
        ("solved", json!(true)),
        ("fitness", json!(0)),
        ("stop_reason", json!("solved")),
        ("presolve", json!("none")),
        ("free_cells", json!(20)),
        ("restarts", json!(0)),
        ("preset", json!("cellular")),
        ("population", json!(200)),
        ("seed", json!(3)),
        ("backend", json!("cpu")),
        ("adapter", json!(null)),
        ("driver", json!(null)),
        ("threads", json!(2)),
        ("fault", json!(null)),
    ] {
        assert_eq!(run[name], value, "{name}");
    }
    let figure = |name: &str| run[name].as_u64().unwrap_or_else(|| panic!("{name}"));
    assert_eq!(figure("evaluations"), 200 * (figure("generations") + 1));
    assert_eq!(figure("work"), figure("evaluations") + figure("moves"));
    assert!(run["seconds"].as_f64().unwrap() > 0.0);
    assert!(run["config"].as_object().unwrap().len() > 15);

    let unsolved = record(&hopeless(&["--max-generations=1"]), 1);
    assert_eq!((&unsolved["solved"], &unsolved["solution"]), (&json!(false), &json!(null)));
}

#[test]
fn the_trace_has_a_row_for_every_generation() {
    let folder = Folder::new();
    let file = folder.argument("trace.csv");
    solve(&hopeless(&["--max-generations=12", "--set=restart-after=1", "--trace", &file]))
        .arg("003-4x4")
        .assert()
        .code(1);
    let rows = trace(&folder.path("trace.csv"));
    assert_eq!(rows[0], COLUMNS);
    let of = |column: &str, row: &[String]| {
        row[COLUMNS.iter().position(|name| *name == column).unwrap()].clone()
    };
    let number = |column: &str, row: &[String]| of(column, row).parse::<f64>().unwrap();

    let (monster, other): (Vec<_>, Vec<_>) =
        rows[1..].iter().partition(|row| row[0] == "easter-monster");
    assert!(!other.is_empty() && other.iter().all(|row| row[0] == "003-4x4"));
    assert_eq!(monster.len(), 13);
    for (generation, row) in monster.iter().enumerate() {
        assert_eq!(of("generation", row), generation.to_string());
        assert_eq!(of("evaluations", row), (100 * (generation + 1)).to_string());
        assert_eq!(of("moves", row), "0");
        let (best, mean, worst) = (number("best", row), number("mean", row), number("worst", row));
        assert!(number("best_so_far", row) <= best && best <= mean && mean <= worst);
        assert_eq!(of("mean", row).split_once('.').unwrap().1.len(), 3);
        // Estimated every tenth generation.
        assert_eq!(of("distinct", row).is_empty(), generation % 10 != 0);
        COLUMNS[REPRODUCIBLE..].iter().for_each(|column| assert!(number(column, row) >= 0.0));
    }
    let restarts = number("restart", monster[12]);
    assert!((1.0..12.0).contains(&restarts), "{restarts}");
}

#[test]
fn a_presolved_puzzle_has_no_row_in_the_trace() {
    let folder = Folder::new();
    solve(&[TINY, "--trace", &folder.argument("trace.csv")]).assert().success();
    assert_eq!(trace(&folder.path("trace.csv")), [COLUMNS]);
}

#[test]
fn parameters_are_written_with_hyphens_or_underscores() {
    for name in ["restart-after", "restart_after", " restart_after "] {
        let run = record(&[TINY, "--set", &format!("{name}=9")], 0);
        assert_eq!(run["config"]["restart_after"], 9);
    }
}

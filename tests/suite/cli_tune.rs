//! `evodoku tune`: what it finds is the same however it is run, and is what it says.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::schema::faults;
use crate::support::{Folder, evodoku, export, root, solve};

/// Small puzzles that boxes soon solve, so that work is what is saved.
const SPEC: &str = "method = 'boxes'
training = ['003-4x4', '003-6x6']
validation = ['003-puzzle4']
budget = 160
cost = 'work-then-fitness'
validation_seeds = 3
[parameters]
presolve = 'none'
max_work = 4_000
max_generations = 0
population = { from = 4, to = 400, scale = 'log' }
mutation_rate = { from = 0.05, to = 1.0 }
restart_after = [0, 10, 30]
restart_elites = { from = 0, to = 3, when = { restart_after = [10, 30] } }
";

/// Tunes a spec in a folder: its exit code and what it said.
fn tune(folder: &Folder, spec: &str, arguments: &[&str]) -> (i32, String, String) {
    folder.file("spec.toml", spec);
    let mut command = evodoku();
    command.current_dir(folder.path("")).args(["tune", "spec.toml", "--on=cpu"]);
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Finds that a tuning is refused with this sentence.
fn refused(folder: &Folder, spec: &str, arguments: &[&str], sentence: &str) {
    let (code, _, said) = tune(folder, spec, arguments);
    assert_eq!(code, 2, "{sentence}: {said}");
    assert!(said.contains(sentence), "{sentence}: {said}");
}

/// The export, without times.
fn timeless(path: &Path) -> Value {
    let mut whole = export(path);
    for run in whole["runs"].as_array_mut().unwrap() {
        let run = run.as_object_mut().unwrap();
        run.retain(|name, _| !["seconds", "crc32"].contains(&name.as_str()));
    }
    whole
}

#[test]
fn the_same_is_found_on_any_number_of_threads_and_when_it_is_resumed() {
    let folder = Folder::new();
    let one = ["--jobs=1", "--threads=1", "--export-json", "one.json", "--journal", "j"];
    let (code, printed, said) = tune(&folder, SPEC, &one);
    assert_eq!(code, 0, "{said}");
    assert!(printed.contains("winner") && said.contains("iteration 1: "), "{printed}{said}");
    let many = ["--jobs=3", "--threads=3", "--export-json", "many.json", "--quiet"];
    assert_eq!(tune(&folder, SPEC, &many).0, 0);
    let whole = timeless(&folder.path("one.json"));
    assert_eq!(timeless(&folder.path("many.json")), whole);

    // Half of it is there, and a line that was cut off.
    let journal = fs::read_to_string(folder.path("j")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    let half = format!("{}\n{{\"val", lines[..lines.len() / 2].join("\n"));
    fs::write(folder.path("j"), &half).unwrap();
    refused(&folder, SPEC, &["--journal", "j"], "use --resume to complete them");
    folder.file("mine.txt", "1234............\n");
    for more in [&[][..], &["--overwrite"], &["--resume"]] {
        let arguments = [&["--journal", "mine.txt"][..], more].concat();
        refused(&folder, SPEC, &arguments, "mine.txt is not a journal and would be overwritten");
    }
    assert_eq!(fs::read_to_string(folder.path("mine.txt")).unwrap(), "1234............\n");
    let resumed = ["--journal", "j", "--resume", "--export-json", "again.json"];
    assert_eq!(tune(&folder, SPEC, &resumed).0, 0);
    assert_eq!(timeless(&folder.path("again.json")), whole);
    assert_eq!(fs::read_to_string(folder.path("j")).unwrap().lines().count(), lines.len());
    // Of a head that was cut off nothing is lost.
    fs::write(folder.path("torn"), &lines[0][..40]).unwrap();
    let torn = ["--journal", "torn", "--resume", "--export-json", "begun.json"];
    assert_eq!(tune(&folder, SPEC, &torn).0, 0);
    assert_eq!(timeless(&folder.path("begun.json")), whole);
    // Other puzzles are another tuning; another budget is not.
    let other = SPEC.replace("'003-4x4', ", "");
    let again = ["--journal", "j", "--resume"];
    refused(&folder, &other, &again, "j, line 1: it is for another method, other puzzles");
    let larger = SPEC.replace("budget = 160", "budget = 180");
    assert_eq!(tune(&folder, &larger, &["--journal", "j", "--resume", "--quiet"]).0, 0);
    // A line that was changed is refused.
    fs::write(folder.path("j"), journal.replacen("\"seed\":1,", "\"seed\":2,", 1)).unwrap();
    refused(&folder, SPEC, &again, "nothing in the file was used");
}

#[test]
fn what_wins_is_written_for_config_and_the_export_is_as_documented() {
    let folder = Folder::new();
    let exports = [
        "--export-json", "t.json", "--export-csv", "t.csv", "--export-config", "best.toml",
        "--report", "t.html", "--export-markdown", "t.md", "--quiet",
    ];
    let (code, _, said) = tune(&folder, SPEC, &exports);
    assert_eq!(code, 0, "{said}");
    let whole = export(&folder.path("t.json"));
    let schema = export(&root().join("docs/schema/tune.schema.json"));
    assert_eq!(faults(&schema, &whole), [""; 0]);
    let mut less = whole.clone();
    less["iterations"][0].as_object_mut().unwrap().remove("runs");
    assert!(!faults(&schema, &less).is_empty());

    let training = |run: &&Value| run["list"] == "training";
    let runs = whole["runs"].as_array().unwrap();
    let raced = runs.iter().filter(training).count() as u64;
    let told: u64 =
        whole["iterations"].as_array().unwrap().iter().map(|it| it["runs"].as_u64().unwrap()).sum();
    assert_eq!(raced, told);
    assert!((100..=160).contains(&raced), "{raced}");
    assert_eq!(csv::Reader::from_path(folder.path("t.csv")).unwrap().records().count(), runs.len());

    // The file sets what the winner has, beside what is fixed.
    let config: toml::Table =
        fs::read_to_string(folder.path("best.toml")).unwrap().parse().unwrap();
    assert_eq!(config["preset"].as_str(), Some("boxes"));
    assert_eq!(config["max_work"].as_integer(), Some(4_000));
    for (name, value) in whole["winner"].as_object().unwrap() {
        assert_eq!(&config[name].to_string(), value.to_string().trim_matches('"'), "{name}");
    }
    let best = folder.argument("best.toml");
    let solved = solve(&["003-4x4", "--config", &best, "--quiet"]).output().unwrap();
    assert!(solved.status.code().is_some_and(|code| code < 2), "{solved:?}");
    for name in ["t.html", "t.md"] {
        let text = fs::read_to_string(folder.path(name)).unwrap();
        assert!(text.contains("Iterations"), "{name}");
    }
}

#[test]
fn a_winner_with_values_that_have_no_effect_says_so() {
    let folder = Folder::new();
    let spec = SPEC.replace("mutation_rate = {", "mutation = 'none'\nmutation_rate = {");
    let (code, _, said) = tune(&folder, &spec, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("mutation_rate was set, but has no effect with mutation=none"), "{said}");
    // A time limit makes costs depend on the machine.
    assert!(!said.contains("time_limit"), "{said}");
    let spec = SPEC.replace("max_work =", "time_limit = '9s'\nmax_work =");
    let (_, _, said) = tune(&folder, &spec, &[]);
    assert!(said.contains("costs depend on the machine with time_limit: use max_work"), "{said}");
}

#[test]
fn a_candidate_whose_islands_are_too_small_is_not_sampled() {
    let folder = Folder::new();
    let spec = SPEC.replace("population = {", "islands = 40\npopulation = {");
    let (code, _, said) = tune(&folder, &spec, &[]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_cannot_be_tuned_is_refused_with_its_line() {
    let folder = Folder::new();
    for (from, to, sentence) in [
        ("budget = 160", "", "the key budget or work is missing"),
        ("[10, 30]", "[10, 40]", "line 14: restart_after is never 40"),
        ("budget = 160", "budget = 3", "the budget is too small for a race"),
        ("budget = 160", "budget = 160\ntest = 't'", "line 5: there is no key 'test' in a tuning"),
        (
            "budget = 160",
            "budgte = 160",
            "line 4: there is no key 'budgte' in a tuning (did you mean 'budget'?)",
        ),
        ("'003-puzzle4'", "'003-6x6'", "line 3: 003-6x6 is in both training and validation"),
        ("method = 'boxes'", "method = 'backtracking'", "line 1: backtracking cannot be tuned"),
        ("from = 4, to = 400", "from = 400, to = 4", "line 11: the range from 400 to 4 is empty"),
        (
            "from = 4,",
            "from = 0,",
            "line 11: population is '0', but it takes a whole number from 1 to ",
        ),
        (
            "from = 0.05,",
            "from = 0, scale = 'log',",
            "line 12: a range with a log scale must begin above 0",
        ),
        ("scale = 'log'", "scale = 'cubic'", "line 11: 'cubic' is not a scale"),
        ("population =", "populaton =", "there is no parameter 'populaton'"),
        (
            "{ restart_after = [10, 30] }",
            "{ tries = 3 }",
            "line 14: 'tries' is used in this `when`, so its range",
        ),
        (
            "scale = 'log'",
            "sclae = 'log'",
            "there is no key 'sclae' in a range (did you mean 'scale'?)",
        ),
        ("from = 0.05,", "from = true,", "line 12"),
        ("[0, 10, 30]", "[0, 10, 10]", "line 13: 10 is given twice"),
        (
            "cost = 'work-then-fitness'",
            "cost = 'fitness'\npenalty = 5",
            "line 6: penalty needs the cost work or work-then-fitness",
        ),
        ("max_work = 4_000\n", "", "[parameters] must set max_work"),
        ("max_work = 4_000", "max_work = [1, 2]", "line 9: max_work cannot be tuned"),
    ] {
        assert!(SPEC.contains(from), "{from}");
        refused(&folder, &SPEC.replacen(from, to, 1), &[], sentence);
    }
    let unsolvable = SPEC.replace("'003-6x6'", "'003-puzzle5-unsolvable'");
    let unsolvable = unsolvable.replace("presolve = 'none'", "presolve = 'probing'");
    refused(&folder, &unsolvable, &[], "003-puzzle5-unsolvable ");
}

#[test]
fn the_spec_that_init_prints_can_be_tuned() {
    let folder = Folder::new();
    let printed = evodoku().args(["tune", "--init"]).output().unwrap();
    assert!(printed.status.success() && printed.stderr.is_empty(), "{printed:?}");
    let spec = String::from_utf8(printed.stdout).unwrap();
    assert!(spec.contains("\nbudget = 120\n"), "{spec}");
    let short = spec.replacen("budget = 120", "budget = 3", 1);
    refused(&folder, &short, &[], "the budget is too small for a race");
}

#[test]
fn what_the_runs_do_not_show_is_not_concluded() {
    let folder = Folder::new();
    let few = SPEC.replace("validation_seeds = 3", "validation_seeds = 1");
    let few = few.replace("restart_after = [0, 10, 30]", "restart_after = [10, 30]");
    // The winner and the default have one run each.
    let seeds = (1..=8).map(|seed| tune(&folder, &format!("seed = {seed}\n{few}"), &["--quiet"]));
    let said = seeds.map(|(_, printed, _)| printed).collect::<String>();
    assert!(said.contains("Validation allows no conclusion: it needs at least 5 runs"), "{said}");
    assert!(said.contains("had the best mean rank.") && !said.contains("significant"), "{said}");

    let blind = "method = 'boxes'\ntraining = ['001-hard-01']\nvalidation = ['ai-escargot']\nbudget = 60\n\
                 [parameters]\nmax_work = 200\npopulation = { from = 5, to = 50 }\n";
    let (code, printed, said) = tune(&folder, blind, &["--quiet"]);
    assert_eq!(code, 0, "{said}");
    let said = printed.replace('\n', " ");
    let what = "No training run was solved within 1.1 times max_work, so all cost the same";
    assert!(said.contains(what), "{said}");
    let by_fitness = blind.replacen("budget", "cost = 'fitness'\nbudget", 1);
    let (_, printed, _) = tune(&folder, &by_fitness, &["--quiet"]);
    assert!(!printed.contains("No training run was solved"), "{printed}");
}

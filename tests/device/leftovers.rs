//! Kernels whose workgroup memory holds what others left there, as that of a GPU does: nothing may be read
//! of it that was not written before.
//!
//! Software drivers hide that: they hand out zeros, or what the same kernel wrote. So each kernel fills
//! its workgroup memory with numbers that could be its own, before it does anything else.

use std::sync::atomic::AtomicBool;

use evodoku::board::Geometry;
use evodoku::ga::{Preset, Run};
use evodoku::gpu_engine::{Adapter, Device};
use evodoku::internals::PipelineCache;
use libtest_mimic::Trial;

use crate::adapter::{Outcome, as_a_card, trial};
use crate::engine::dug;
use crate::engines::{on_cpu, on_device, with};

/// Words that a turn of a loop fills: llvmpipe counts turns.
const AT_ONCE: usize = 32;
/// Step and place as an entry of the ring of tabu search has them, and small numbers for all others.
const LEFT: &str =
    "\nfn left_over(at: u32) -> u32 {\n    return ((at * 5u) % 97u << 13u) | (at * 7u) % 61u;\n}\n";

/// The tests of this file.
pub fn trials(adapter: &Result<Adapter, String>) -> Vec<Trial> {
    vec![
        trial("what_workgroup_memory_held_before_means_nothing", adapter, means_nothing),
        trial("a_word_that_nobody_wrote_is_found", adapter, is_found),
    ]
}

/// A kernel that forgets to begin its sum of moves.
fn is_found(adapter: &Adapter) -> Outcome {
    let forgetful = |source: String| filled(source.replace("atomicStore(&group_moves, 0u);", ""));
    let kernels = PipelineCache::new(&Device::open(&as_a_card(adapter))?)?.rewritten(forgetful);
    let few = "presolve=none max_generations=1 population=50";
    let (space, config) = with(&dug(Geometry::new(3, 3)?, 1), Preset::Cellular, few)?;
    let interrupted = AtomicBool::new(false);
    let run = Run::new(&space, &config, 5, &interrupted);
    assert!(on_device(&run, &kernels, None)? != on_cpu(&run)?);
    Ok(())
}

fn means_nothing(adapter: &Adapter) -> Outcome {
    let kernels = PipelineCache::new(&Device::open(&as_a_card(adapter))?)?.rewritten(filled);
    let few = "presolve=none max_generations=3";
    for (preset, [box_rows, box_cols], set) in [
        (Preset::Memetic, [3, 3], "population=12 offspring=8 tabu_steps=400"),
        (Preset::Memetic, [5, 5], "population=12 offspring=8 tabu_steps=150"),
        (Preset::Memetic, [3, 3], "population=300 offspring=300 tabu_steps=9 distance=20"),
        // Rounds of two steps, in which prohibitions get longer.
        (
            Preset::Memetic,
            [6, 6],
            "population=20 offspring=16 tabu_steps=60 encoding=cells tenure_share=0",
        ),
        (Preset::Eviction, [3, 3], "population=4 proposals=5000 eta_proposals=1000"),
        (Preset::Eviction, [6, 6], "population=2 proposals=2000 eta_proposals=1000"),
        (Preset::Cellular, [3, 3], "population=300"),
        (Preset::Cellular, [5, 5], "population=70 tries=9"),
        (Preset::Boxes, [3, 3], "population=300"),
        (Preset::Cells, [4, 4], "population=100"),
        (Preset::Columns, [3, 3], "population=100"),
        (Preset::RowsRank, [3, 3], "population=300"),
        (Preset::RowsRoulette, [3, 3], "population=300"),
    ] {
        let puzzle = dug(Geometry::new(box_rows, box_cols)?, 1);
        let (space, config) = with(&puzzle, preset, &format!("{few} {set}"))?;
        let interrupted = AtomicBool::new(false);
        let run = Run::new(&space, &config, 5, &interrupted);
        let equal = on_device(&run, &kernels, None)? == on_cpu(&run)?;
        assert!(equal, "{preset} {} {set}", puzzle.geometry);
    }
    Ok(())
}

/// The kernel, which fills its workgroup memory first.
fn filled(source: String) -> String {
    let declared = source.lines().filter_map(|line| {
        line.strip_prefix("var<workgroup> ")?.strip_suffix(';')?.split_once(": ")
    });
    let entry = source.find("@compute").expect("an entry point");
    let (before, from) = source.split_at(entry);
    let (header, rest) = from.split_once(") {\n").expect("its body");
    let (_, size) = header.split_once("@workgroup_size(").expect("its size");
    let (size, _) = size.split_once(')').expect("its size");
    let (header, lane) = with_lane(header);
    let all: String = declared.map(|(name, kind)| fill(&source, name, kind, &lane, size)).collect();
    if all.is_empty() {
        return source;
    }
    format!("{before}{header}) {{\n{all}    workgroupBarrier();\n{rest}{LEFT}")
}

/// The head of an entry point that knows the number of its lane, and what that is called.
fn with_lane(header: &str) -> (String, String) {
    let known = "@builtin(local_invocation_index) ";
    if let Some((_, after)) = header.split_once(known) {
        let name = after.split(':').next().unwrap_or_default();
        return (header.to_owned(), name.to_owned());
    }
    let at = header.find("fn ").expect("a function");
    let open = at + header[at..].find('(').expect("its parameters") + 1;
    let (before, parameters) = header.split_at(open);
    let header = format!("{before}{known}lane_of_all: u32, {parameters}");
    (header, "lane_of_all".to_owned())
}

/// What fills a variable.
fn fill(source: &str, name: &str, kind: &str, lane: &str, size: &str) -> String {
    let put = |place: &str, kind: &str, at: &str| match kind {
        "u32" => format!("{place} = left_over({at});"),
        "atomic<u32>" => format!("atomicStore(&{place}, left_over({at}));"),
        "vec2<u32>" | "vec4<u32>" => format!("{place} = {kind}(left_over({at}));"),
        row if row.starts_with("array<u32, ") => {
            let length = row.trim_start_matches("array<u32, ").trim_end_matches('>');
            let word = format!("{place}[word] = left_over({at} + word);");
            format!("for (var word = 0u; word < {length}; word++) {{ {word} }}")
        }
        // All fields are words.
        name => {
            let (_, fields) = source.split_once(&format!("struct {name} {{\n")).expect("a struct");
            let (fields, _) = fields.split_once('}').expect("its end");
            let fields = fields.lines().filter_map(|field| field.trim().split_once(": u32,"));
            let assigned = fields.map(|(field, _)| format!("{place}.{field} = left_over({at}); "));
            assigned.collect()
        }
    };
    let array = kind.strip_prefix("array<").and_then(|kind| kind.strip_suffix('>'));
    let Some((element, length)) = array.and_then(|array| array.rsplit_once(", ")) else {
        return format!("    if ({lane} == 0u) {{\n        {}\n    }}\n", put(name, kind, "3u"));
    };
    let at = |k: usize| format!("at_{name} + {k}u");
    let puts: String = (0..AT_ONCE)
        .map(|k| {
            let put = put(&format!("{name}[{}]", at(k)), element, &at(k));
            format!("        if ({} < {length}) {{ {put} }}\n", at(k))
        })
        .collect();
    format!(
        "    for (var at_{name} = {lane} * {AT_ONCE}u; at_{name} < {length}; at_{name} += {size} * {AT_ONCE}u) {{\n\
         {puts}    }}\n"
    )
}

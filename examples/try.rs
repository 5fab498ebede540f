use evodoku::{board::*, evolve::*, propagate::*, score::*};
use std::sync::atomic::AtomicBool;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = a[1].len();
    let toks: Vec<&str> = a[1].split_whitespace().collect();
    let givens: Vec<u8> = if toks.len() > 1 {
        toks.iter().map(|t| t.parse().unwrap()).collect()
    } else {
        a[1].chars().map(|c| c.to_digit(10).unwrap_or(0) as u8).collect()
    };
    let side = (givens.len() as f64).sqrt() as usize;
    let _ = n;
    let g = Geometry::squarest(side).unwrap();
    let puzzle = Puzzle { name: "x".into(), geometry: g, givens };
    let mut c = Config::of(a[2].parse().unwrap());
    let mut seeds = 0..1;
    for s in &a[3..] {
        let (k, v) = s.split_once('=').unwrap();
        if k == "seeds" { seeds = 1..v.parse::<u64>().unwrap() + 1 } else { c.set(k, v).unwrap() }
    }
    let space = presolve(&puzzle, c.presolve).unwrap();
    eprint!("free {} ", space.free.len());
    for seed in seeds {
        let i = AtomicBool::new(false);
        let mut p = Pipeline::new(Box::new(CpuEvaluator::new(g, None)));
        let o = Run { space: &space, config: &c, seed, interrupted: &i }
            .evolve(&mut p, &mut ())
            .unwrap();
        println!(
            "seed {seed} {:?} f{} gens {} restarts {} work {} {:.2}s {:.0} ch/s",
            o.stop_reason,
            o.fitness,
            o.generations,
            o.restarts,
            o.work(),
            o.elapsed.as_secs_f64(),
            o.evaluations as f64 / o.elapsed.as_secs_f64()
        );
    }
}

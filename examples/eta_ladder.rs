//! Replicas of eviction search on a ladder of eta, which exchange their boards.
//!
//! A replica is a partial board without conflicts (see the local search `eviction`): an unassigned cell
//! takes a random candidate, and the cells in conflict with it are evicted. If there is at most one such cell,
//! this always happens. With two such cells it happens with probability eta, with three with eta², and so on.
//! The probability of a board is proportional to eta to the power of its number of unassigned cells. So
//! neighbours on the ladder exchange their boards with the Metropolis probability for these weights. A board
//! that is stuck at a low eta can move to a high eta, change there, and return as another board.
//!
//! The optional last argument is a number of Kempe chains to try in each round. A Kempe chain is a set of
//! cells that hold one of two values and are connected through rows, columns and boxes. The two values are
//! exchanged in all cells of the chain, unless a cell is fixed or cannot hold the other value.
//!
//! ```text
//! $ evodoku generate --box 6x6 --fill 0.5 --seed 7000 > board.txt
//! $ cargo run --profile bench --example eta_ladder -- board.txt 1 600
//!     1 s     0.04 G proposals  fewest   9  a rung: 31.3 24.4 ...
//! ```
//!
//! Sources: Swendsen & Wang, *Replica Monte Carlo simulation of spin-glasses*, 1986; Hukushima & Nemoto,
//! *Exchange Monte Carlo method*, 1996; chains: Kempe, *On the geographical problem of the four colours*, 1879.

use std::error::Error;
use std::time::{Duration, Instant};

use evodoku::board::{BLANK, Presolve, SearchSpace, presolve, verify};
use evodoku::format;
use evodoku::random::{Draws, GenerationRng, StreamStage, WHOLE_POPULATION};
use rayon::prelude::*;

/// Eta on the highest and on the lowest rung: just above and well below where 49x49 boards melt.
const ETA: (f64, f64) = (0.0225, 0.010);
const RUNGS: usize = 10;
/// Proposals of each replica between two exchanges.
const SWEEP: u32 = 1 << 18;
/// Proposals between two rounds of Kempe chains.
const ROUND: u32 = 1 << 10;
/// Instead of a cell where none holds a value.
const NOBODY: u16 = u16::MAX;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [board, seed, seconds, chains @ ..] = &given[..] else {
        return Err("what is wanted: BOARD SEED SECONDS [CHAINS]".into());
    };
    let puzzle = format::load(board, None)?.puzzle;
    let space = presolve(&puzzle, Presolve::Probing)?;
    if space.free.is_empty() {
        return Err("presolve alone solves this puzzle".into());
    }
    let chains = chains.first().map_or(Ok(0), |chains| chains.parse())?;
    let mut ladder = Ladder::new(&space, seed.parse()?, chains);
    let (start, limit) = (Instant::now(), Duration::from_secs(seconds.parse()?));
    let mut told = Duration::ZERO;
    while ladder.solution.is_none() && start.elapsed() < limit {
        ladder.sweep();
        if start.elapsed() >= told || ladder.solution.is_some() {
            println!("{:5.0} s {}", start.elapsed().as_secs_f64(), ladder.line());
            told = start.elapsed() + limit / 100;
        }
    }
    if let Some(board) = &ladder.solution {
        verify(&puzzle, board)?;
        println!("{}", format::grid(puzzle.geometry, board));
    }
    Ok(())
}

/// The free cells, and what each may hold.
struct Cells {
    /// Where the holders of the values of a cell's row, column and box start, value 0 left out.
    units: Vec<[usize; 3]>,
    values: Vec<Vec<u8>>,
    /// Length of the table of holders.
    holders: usize,
}

impl Cells {
    fn of(space: &SearchSpace) -> Self {
        let geometry = space.geometry();
        let side = geometry.side();
        let units = |cell: &usize| {
            let mut start = 0;
            geometry.units_with(*cell).map(|unit| {
                start += side * side;
                start - side * side + unit.index * side
            })
        };
        let values = |cell: &usize| {
            let free = |value: &u8| {
                geometry
                    .units_with(*cell)
                    .into_iter()
                    .all(|unit| geometry.unit_cells(unit).all(|peer| space.fixed[peer] != *value))
            };
            (1..=side as u8).filter(|value| space.allows(*cell, *value)).filter(free).collect()
        };
        Self {
            units: space.free.iter().map(units).collect(),
            values: space.free.iter().map(values).collect(),
            holders: 3 * side * side + 1,
        }
    }
}

/// A partial board without conflicts.
#[derive(Clone)]
struct Replica {
    /// For each unit and value the free cell that holds it.
    holders: Vec<u16>,
    /// Of each cell its value, or a blank.
    board: Vec<u8>,
    unassigned: Vec<u16>,
    /// The fewest unassigned cells so far.
    fewest: usize,
    /// Chains that were tried, that could be exchanged, and the cells of these.
    chains: [u64; 3],
}

impl Replica {
    fn new(cells: &Cells) -> Self {
        let count = cells.units.len();
        Self {
            holders: vec![NOBODY; cells.holders],
            board: vec![BLANK; count],
            unassigned: (0..count as u16).collect(),
            fewest: count,
            chains: [0; 3],
        }
    }

    fn hold(&mut self, cells: &Cells, cell: u16, value: u8, holder: u16) {
        for start in cells.units[usize::from(cell)] {
            self.holders[start + usize::from(value)] = holder;
        }
        self.board[usize::from(cell)] = if holder == NOBODY { BLANK } else { value };
    }

    /// Makes proposals, `bounds` being the probability for each number of evicted peers in units of
    /// 2^-32, until all are made or no cell is unassigned.
    fn sweep(&mut self, cells: &Cells, bounds: [u32; 4], chains: u32, draws: &mut Draws) {
        for number in 0..SWEEP {
            if number % ROUND == 0 {
                (0..chains).for_each(|_| self.chain(cells, draws));
            }
            self.propose(cells, bounds, draws);
            self.fewest = self.fewest.min(self.unassigned.len());
            if self.fewest == 0 {
                return;
            }
        }
    }

    fn propose(&mut self, cells: &Cells, bounds: [u32; 4], draws: &mut Draws) {
        let at = draws.below(self.unassigned.len() as u32) as usize;
        let cell = self.unassigned[at];
        let values = &cells.values[usize::from(cell)];
        let value = values[draws.below(values.len() as u32) as usize];
        let [row, column, block] =
            cells.units[usize::from(cell)].map(|start| self.holders[start + usize::from(value)]);
        // A peer of two units is in the way once.
        let block = if block == row || block == column { NOBODY } else { block };
        let in_the_way = [row, column, block].into_iter().filter(|peer| *peer != NOBODY);
        if draws.word() > bounds[in_the_way.clone().count()] {
            return;
        }
        self.unassigned.swap_remove(at);
        for peer in in_the_way {
            self.hold(cells, peer, value, NOBODY);
            self.unassigned.push(peer);
        }
        self.hold(cells, cell, value, cell);
    }

    /// Exchanges two values along the chain of a random cell, if no cell of it stands in the way.
    fn chain(&mut self, cells: &Cells, draws: &mut Draws) {
        let first = draws.below(self.board.len() as u32) as u16;
        let values = &cells.values[usize::from(first)];
        let pair =
            [self.board[usize::from(first)], values[draws.below(values.len() as u32) as usize]];
        if pair[0] == BLANK || pair[0] == pair[1] {
            return;
        }
        self.chains[0] += 1;
        let other = |value: u8| if value == pair[0] { pair[1] } else { pair[0] };
        let mut chain = vec![first];
        let mut at = 0;
        while at < chain.len() {
            let cell = usize::from(chain[at]);
            let wanted = other(self.board[cell]);
            if !cells.values[cell].contains(&wanted) {
                return;
            }
            for start in cells.units[cell] {
                let peer = self.holders[start + usize::from(wanted)];
                if peer != NOBODY && !chain.contains(&peer) {
                    chain.push(peer);
                }
            }
            at += 1;
        }
        let values: Vec<u8> = chain.iter().map(|cell| self.board[usize::from(*cell)]).collect();
        chain.iter().zip(&values).for_each(|(cell, value)| self.hold(cells, *cell, *value, NOBODY));
        chain
            .iter()
            .zip(&values)
            .for_each(|(cell, value)| self.hold(cells, *cell, other(*value), *cell));
        self.chains[1] += 1;
        self.chains[2] += chain.len() as u64;
    }
}

/// Replicas, the one of the highest eta first.
struct Ladder<'a> {
    space: &'a SearchSpace,
    cells: Cells,
    rungs: Vec<(f64, Replica)>,
    seed: u64,
    chains: u32,
    sweeps: u32,
    solution: Option<Vec<u8>>,
}

impl<'a> Ladder<'a> {
    fn new(space: &'a SearchSpace, seed: u64, chains: u32) -> Self {
        let cells = Cells::of(space);
        let part = (ETA.1 / ETA.0).powf(1.0 / (RUNGS - 1) as f64);
        let eta = |rung: usize| ETA.0 * part.powi(rung as i32);
        let rungs = (0..RUNGS).map(|rung| (eta(rung), Replica::new(&cells))).collect();
        Self { space, cells, rungs, seed, chains, sweeps: 0, solution: None }
    }

    /// Lets each replica go on, side by side, and neighbours exchange boards from the top down.
    fn sweep(&mut self) {
        let Self { cells, rungs, chains, .. } = self;
        let seed = GenerationRng::new(self.seed, self.sweeps);
        rungs.par_iter_mut().enumerate().for_each(|(rung, (eta, replica))| {
            let bound = |probability: f64| (probability * f64::from(u32::MAX)) as u32;
            let bounds = [u32::MAX, u32::MAX, bound(*eta), bound(*eta * *eta)];
            replica.sweep(
                cells,
                bounds,
                *chains,
                &mut seed.draws(StreamStage::Improve, rung as u32),
            );
        });
        self.sweeps += 1;
        if let Some((_, replica)) = self.rungs.iter().find(|(_, replica)| replica.fewest == 0) {
            let mut board = self.space.fixed.clone();
            self.space
                .free
                .iter()
                .zip(&replica.board)
                .for_each(|(cell, value)| board[*cell] = *value);
            board.truncate(self.space.geometry().cells());
            self.solution = Some(board);
        }
        let mut draws = seed.draws(StreamStage::Improve, WHOLE_POPULATION);
        for rung in 1..RUNGS {
            let [(high, above), (low, below)] = &mut self.rungs[rung - 1..=rung] else { continue };
            let more = below.unassigned.len() as f64 - above.unassigned.len() as f64;
            let probability = ((*high / *low).ln() * more).exp();
            if f64::from(draws.word()) < probability * f64::from(u32::MAX) {
                std::mem::swap(above, below);
            }
        }
    }

    /// How far it is.
    fn line(&self) -> String {
        let proposals = f64::from(self.sweeps) * f64::from(SWEEP) * RUNGS as f64 / 1e9;
        let fewest = self.rungs.iter().map(|(_, replica)| replica.fewest).min().unwrap_or(0);
        let counts: Vec<String> =
            self.rungs.iter().map(|(_, replica)| replica.unassigned.len().to_string()).collect();
        let counts = counts.join(" ");
        let mut line = format!("{proposals:8.2} G proposals  fewest {fewest:3}  a rung: {counts}");
        if self.chains > 0 {
            let sum =
                |of: usize| self.rungs.iter().map(|(_, replica)| replica.chains[of]).sum::<u64>();
            let [tried, exchanged, cells] = [sum(0), sum(1), sum(2)];
            line += &format!("  chains: {exchanged} of {tried}, {cells} cells");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_solved_with_chains_and_without() {
        let puzzle = format::load("001-easy-03", None).unwrap().puzzle;
        let space = presolve(&puzzle, Presolve::None).unwrap();
        for chains in [0, 4] {
            let mut ladder = Ladder::new(&space, 1, chains);
            while ladder.solution.is_none() && ladder.sweeps < 100 {
                ladder.sweep();
            }
            let board = ladder.solution.as_deref().expect("a solution");
            assert_eq!(verify(&puzzle, board), Ok(()));
            assert_eq!(ladder.line().contains("chains"), chains > 0);
        }
    }
}

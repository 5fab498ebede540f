use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

fn fact(name: &str, value: &str) -> Fact {
    Fact(name.to_owned(), value.to_owned())
}

/// What each rank is told, where they are about to do so.
fn agreed(facts: Vec<Result<Vec<Fact>, String>>) -> Vec<Result<Vec<usize>, RanksError>> {
    let ranks = Ranks::connected(facts.len());
    thread::scope(|scope| {
        let told = ranks.into_iter().zip(facts).map(|(ranks, facts)| {
            scope.spawn(move || match facts {
                Ok(facts) => {
                    let told = ranks.agree(facts, 10 + ranks.rank(), Sharing::Runs);
                    ranks.leave(None);
                    told.map(|(seats, _)| seats)
                }
                Err(what) => {
                    ranks.leave(Some(what));
                    Err(RanksError::CalledOff)
                }
            })
        });
        let told: Vec<_> = told.collect();
        told.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn what_differs_between_ranks_is_named() {
    let same = Ok(vec![fact("version", "1"), fact("spec", "abc")]);
    let told = agreed(vec![same.clone(); 3]);
    assert_eq!(told, [Ok(vec![10, 11, 12]), Ok(vec![]), Ok(vec![])]);

    let other = Ok(vec![fact("version", "1"), fact("spec", "xyz")]);
    let told = agreed(vec![same.clone(), same.clone(), other.clone()]);
    assert_eq!(
        told[0].as_ref().unwrap_err().to_string(),
        "rank 2 has spec xyz, but rank 0 abc: all ranks must have the same"
    );
    assert_eq!(told[1..], [Err(RanksError::CalledOff), Err(RanksError::CalledOff)]);

    let told = agreed(vec![same.clone(), Err("no such file".to_owned()), other]);
    assert_eq!(told[0].as_ref().unwrap_err().to_string(), "rank 1: no such file");

    // Rank 0 never gets there.
    let told = agreed(vec![Err("no such file".to_owned()), same.clone(), same]);
    assert_eq!(told, vec![Err(RanksError::CalledOff); 3]);
}

/// Doubles numbers on the crew until none is left; a rank is told when everything ends.
fn doubled(numbers: u32, seats: Vec<usize>, interrupted: &AtomicBool) -> BTreeSet<u32> {
    let ranks = Ranks::connected(seats.len());
    let jobs = Mutex::new(0..numbers);
    let crew = Crew::new(&ranks[0], seats);
    thread::scope(|scope| {
        for rank in &ranks[1..] {
            scope.spawn(|| {
                let ended = AtomicBool::new(false);
                let orders = Orders::new(rank, &ended);
                for (seat, job) in &orders {
                    let reply = if ended.load(Ordering::Relaxed) {
                        Reply::Interrupted
                    } else {
                        Reply::Done((2 * job.parse::<u32>().unwrap()).to_string())
                    };
                    orders.done(seat, reply);
                }
            });
        }
        crew.lead(interrupted, |away| {
            let work = |mut away: Away<'_>| {
                let next = || jobs.lock().unwrap().next();
                let mut done = Vec::new();
                while let Some(number) = next() {
                    match away.work(number.to_string()) {
                        Reply::Done(text) => done.push(text.parse().unwrap()),
                        Reply::Interrupted => break,
                        Reply::Failed(what) => panic!("{what}"),
                    }
                }
                done
            };
            thread::scope(|scope| {
                let seats: Vec<_> =
                    away.into_iter().map(|away| scope.spawn(move || work(away))).collect();
                seats.into_iter().flat_map(|seat| seat.join().unwrap()).collect()
            })
        })
    })
}

#[test]
fn a_crew_does_every_job_once_and_is_dismissed() {
    let interrupted = AtomicBool::new(false);
    for seats in [vec![9, 1], vec![1, 2, 3], vec![1, 0, 4]] {
        let found = doubled(50, seats, &interrupted);
        assert_eq!(found, (0..50).map(|number| 2 * number).collect());
    }
}

#[test]
fn the_wish_to_end_reaches_the_crew() {
    let found = doubled(u32::MAX, vec![1, 1, 1], &AtomicBool::new(true));
    assert!(found.len() < 1_000_000);
}

#[test]
fn places_are_called_by_what_they_are() {
    let called = |ranks: &[Ranks]| ranks.iter().map(|rank| rank.place().to_string()).collect();
    let names: [Vec<String>; 2] = [called(&Ranks::connected(2)), called(&Ranks::adapters(2))];
    assert_eq!(names, [["rank 0", "rank 1"], ["adapter 0", "adapter 1"]]);
}

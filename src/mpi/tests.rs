use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;
use crate::run::RemoteWorker;

fn setting(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// What each rank is told, where they are about to do so.
fn agreed(settings: Vec<Result<SharedSettings, String>>) -> Vec<Result<Vec<usize>, MpiError>> {
    let ranks = Communicator::threads(settings.len(), NodeKind::Rank);
    thread::scope(|scope| {
        let told = ranks.into_iter().zip(settings).map(|(ranks, settings)| {
            scope.spawn(move || match settings {
                Ok(settings) => {
                    let jobs = 10 + ranks.rank();
                    let told = ranks.handshake(settings, jobs, SharingMode::Runs);
                    ranks.finish(None);
                    told.map(|(jobs, _)| jobs)
                }
                Err(error) => {
                    ranks.finish(Some(error));
                    Err(MpiError::Cancelled)
                }
            })
        });
        let told: Vec<_> = told.collect();
        told.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn what_differs_between_ranks_is_named() {
    let same = Ok(vec![setting("version", "1"), setting("spec", "abc")]);
    let told = agreed(vec![same.clone(); 3]);
    assert_eq!(told, [Ok(vec![10, 11, 12]), Ok(vec![]), Ok(vec![])]);

    let other = Ok(vec![setting("version", "1"), setting("spec", "xyz")]);
    let told = agreed(vec![same.clone(), same.clone(), other.clone()]);
    assert_eq!(
        told[0].as_ref().unwrap_err().to_string(),
        "rank 2 has spec xyz, but rank 0 abc: all ranks must have the same"
    );
    assert_eq!(told[1..], [Err(MpiError::Cancelled), Err(MpiError::Cancelled)]);

    let told = agreed(vec![same.clone(), Err("no such file".to_owned()), other]);
    assert_eq!(told[0].as_ref().unwrap_err().to_string(), "rank 1: no such file");

    // Rank 0 never gets there.
    let told = agreed(vec![Err("no such file".to_owned()), same.clone(), same]);
    assert_eq!(told, vec![Err(MpiError::Cancelled); 3]);
}

/// Doubles numbers on other ranks until none is left; a rank is told when everything ends.
fn doubled(numbers: u32, jobs: Vec<usize>, interrupted: &AtomicBool) -> BTreeSet<u32> {
    let ranks = Communicator::threads(jobs.len(), NodeKind::Rank);
    let numbers = Mutex::new(0..numbers);
    let queue = JobQueue::new(&ranks[0], jobs);
    thread::scope(|scope| {
        for rank in &ranks[1..] {
            scope.spawn(|| {
                let ended = AtomicBool::new(false);
                let stream = &JobStream::new(rank, &ended);
                for (number, job) in (0..).zip(stream) {
                    let double = || (2 * job.parse::<u32>().unwrap()).to_string();
                    stream.reply(number, Ok((!ended.load(Ordering::Relaxed)).then(double)));
                }
            });
        }
        queue.run(interrupted, |workers| {
            let work = |mut worker: RemoteWorker<'_>| {
                let next = || numbers.lock().unwrap().next();
                let mut done = Vec::new();
                while let Some(number) = next()
                    && let Some(text) = (worker.run)(number.to_string()).unwrap()
                {
                    done.push(text.parse().unwrap());
                }
                done
            };
            thread::scope(|scope| {
                let workers: Vec<_> =
                    workers.into_iter().map(|worker| scope.spawn(move || work(worker))).collect();
                workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
            })
        })
    })
}

#[test]
fn a_job_queue_does_every_job_once() {
    let interrupted = AtomicBool::new(false);
    for jobs in [vec![9, 1], vec![1, 2, 3], vec![1, 0, 4]] {
        let found = doubled(50, jobs, &interrupted);
        assert_eq!(found, (0..50).map(|number| 2 * number).collect());
    }
}

#[test]
fn an_interrupt_reaches_other_ranks() {
    let found = doubled(u32::MAX, vec![1, 1, 1], &AtomicBool::new(true));
    assert!(found.len() < 1_000_000);
}

#[test]
fn ranks_are_named_by_their_kind() {
    let names = |kind| -> Vec<String> {
        Communicator::threads(2, kind).iter().map(Communicator::node).collect()
    };
    assert_eq!(names(NodeKind::Rank), ["rank 0", "rank 1"]);
    assert_eq!(names(NodeKind::Adapter), ["adapter 0", "adapter 1"]);
}

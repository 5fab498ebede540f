//! Engines that note what they are asked for.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::ga::GenerationKind;

/// What was asked of which engine: generations to carry out, or a state.
#[derive(Clone, Debug, PartialEq)]
enum Asked {
    Advance(u32, u32),
    Export,
    Import,
}

/// An engine of this number, which carries out all that is wanted.
struct Noting {
    number: usize,
    asked: Rc<RefCell<Vec<(usize, Asked)>>>,
    fault: Option<EvaluatorError>,
}

impl Noting {
    fn note(&self, asked: Asked) {
        self.asked.borrow_mut().push((self.number, asked));
    }
}

impl Engine for Noting {
    fn step(&mut self, wanted: &GenerationRequest<'_>) -> Result<bool, RunError> {
        self.note(Asked::Advance(wanted.generation, wanted.generations));
        Ok(true)
    }

    fn summaries(&self) -> &[GenerationStats] {
        &[]
    }

    fn export(&mut self) -> Result<PopulationSnapshot, RunError> {
        self.note(Asked::Export);
        Ok(PopulationSnapshot::default())
    }

    fn import(&mut self, _: &PopulationSnapshot) -> Result<(), RunError> {
        self.note(Asked::Import);
        Ok(())
    }

    fn fault(&self) -> Option<&EvaluatorError> {
        self.fault.as_ref()
    }

    fn consequence(&self) -> &'static str {
        "all is lost"
    }
}

#[test]
fn each_leg_goes_to_its_engine_with_the_state_of_the_one_before() {
    let asked = Rc::new(RefCell::new(Vec::new()));
    let engine =
        |number, fault| Box::new(Noting { number, asked: asked.clone(), fault }) as Box<dyn Engine>;
    let lost = || Some(EvaluatorError::DeviceLost("unplugged".into()));
    let legs = [(0, 4), (0, 100), (1, 7), (9, 0), (0, 2)];
    let mut next = legs.into_iter().map(|(engine, generations)| Leg { engine, generations });
    let others = vec![engine(1, None), engine(2, lost())];
    let mut given_up = Vec::new();
    let turn = |turn: &Turn<'_>| {
        given_up.push(turn.given_up.to_vec());
        next.next().unwrap()
    };
    let mut relay = Relay::new(engine(0, None), others, turn);
    let mut step = |generation| {
        let (source, distinct_every, below) = (GenerationKind::Parents, 0, 0);
        let (generations, stop) = (10, &|| false);
        let wanted =
            GenerationRequest { generation, source, generations, distinct_every, below, stop };
        assert!(relay.step(&wanted).unwrap());
        (relay.fault().cloned(), relay.given_up().cloned(), relay.consequence())
    };
    use Asked::{Advance, Export, Import};
    // As far as the leg goes, or the run wants.
    assert_eq!(step(0), (None, None, "all is lost"));
    step(4);
    // Engine 9 is the last there is, and a leg is one generation at least.
    step(14);
    assert_eq!(step(21), (lost(), lost(), "all is lost"));
    step(22);
    let expected = [
        (0, Advance(0, 4)),
        (0, Advance(4, 10)),
        (0, Export),
        (1, Import),
        (1, Advance(14, 7)),
        (1, Export),
        (2, Import),
        (2, Advance(21, 1)),
        (2, Export),
        (0, Import),
        (0, Advance(22, 2)),
    ];
    assert_eq!(*asked.borrow(), expected);
    relay.for_each_island(&mut |_, _| ()).unwrap();
    assert_eq!(asked.borrow().last(), Some(&(0, Export)));
    drop(relay);
    // Whoever carried the last generation out.
    assert_eq!(given_up, [[2]; 5]);
}

#[test]
fn an_engine_that_fails_while_it_hands_over_has_given_up() {
    /// Fails as soon as its state is asked for, and gives it all the same.
    struct Failing(Option<EvaluatorError>);

    impl Engine for Failing {
        fn step(&mut self, _: &GenerationRequest<'_>) -> Result<bool, RunError> {
            Ok(true)
        }

        fn summaries(&self) -> &[GenerationStats] {
            &[]
        }

        fn export(&mut self) -> Result<PopulationSnapshot, RunError> {
            self.0 = Some(EvaluatorError::DeviceLost("unplugged".into()));
            Ok(PopulationSnapshot::default())
        }

        fn import(&mut self, _: &PopulationSnapshot) -> Result<(), RunError> {
            Ok(())
        }

        fn fault(&self) -> Option<&EvaluatorError> {
            self.0.as_ref()
        }
    }

    let mut told = Vec::new();
    let turn = |turn: &Turn<'_>| {
        told.push((turn.generation, turn.given_up.to_vec()));
        Leg { engine: usize::from(turn.generation > 1), generations: 1 }
    };
    let others: Vec<Box<dyn Engine>> = vec![Box::new(Failing(None))];
    let mut relay = Relay::new(Box::new(Failing(None)), others, turn);
    for generation in 1..4 {
        let (source, distinct_every, below) = (GenerationKind::Parents, 0, 0);
        let (generations, stop) = (1, &|| false);
        relay
            .step(&GenerationRequest {
                generation,
                source,
                generations,
                distinct_every,
                below,
                stop,
            })
            .unwrap();
    }
    drop(relay);
    // The first goes on until it is asked for its state, and is not asked again.
    assert_eq!(told, [(1, vec![]), (2, vec![]), (3, vec![0])]);
}

#[test]
fn a_relay_begins_with_any_engine_without_a_state() {
    let asked = Rc::new(RefCell::new(Vec::new()));
    let engine = |number| Box::new(Noting { number, asked: asked.clone(), fault: None });
    let mut relay = Relay::new(engine(0), vec![engine(1)], |_| Leg { engine: 1, generations: 3 });
    let (source, distinct_every, below) = (GenerationKind::Initialiser, 0, 0);
    let (generation, generations, stop) = (0, 1, &|| false);
    relay
        .step(&GenerationRequest { generation, source, generations, distinct_every, below, stop })
        .unwrap();
    assert_eq!(*asked.borrow(), [(1, Asked::Advance(0, 1))]);
}

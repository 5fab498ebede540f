//! Generations of an ensemble without a device: what is bred when, however submissions cut it.

use proptest::prelude::*;

use super::super::kind::KernelKind;
use super::super::search::SearchPlan;
use super::super::tables::TableLayout;
use super::goes_together;
use super::room::Room;
use super::sequence::{Course, Member, Order, Sequence};
use crate::board::{Presolve, SearchSpace, presolve};
use crate::format;
use crate::ga::{Config, Preset};
use crate::gpu::{AdapterInfo, AdapterKind, AdapterLimits};

const COURSE: Course = Course { ranks: None, searches: false, keeps_distance: false };

/// All orders of a generation, with submissions of these sizes in turn.
fn orders(course: Course, members: &[Member], paces: &[u32]) -> Vec<Order> {
    let mut sequence = Sequence::new(course, members.to_vec());
    let mut orders = Vec::new();
    for pace in paces.iter().cycle() {
        let work = sequence.workload(*pace);
        assert!(!work.orders.is_empty(), "a submission that does nothing");
        let parts = work.orders.iter().filter(|order| matches!(order, Order::Part { .. }));
        assert!(parts.count() <= super::PARTS);
        orders.extend(work.orders);
        if work.completes {
            break;
        }
    }
    orders
}

/// Slots of a member that a kernel took, in the order in which it took them.
fn slots(orders: &[Order], members: &[Member], kernel: KernelKind, member: usize) -> Vec<u32> {
    let mut taken = Vec::new();
    for order in orders {
        match order {
            Order::All { kernel: kind, members: of, count }
                if *kind == kernel && of.contains(&member) =>
            {
                assert!(*count >= members[member].slots, "too few threads");
                taken.extend(0..members[member].slots);
            }
            Order::Part { kernel: kind, member: of, slots } if *kind == kernel && *of == member => {
                taken.extend(slots.clone());
            }
            _ => {}
        }
    }
    taken
}

fn member() -> impl Strategy<Value = Member> {
    (1u32..20, 1u32..20, 0u32..5, any::<bool>()).prop_map(
        |(population, children, rounds, has_parents)| {
            let slots = if has_parents { children.min(population) } else { population };
            Member { has_parents, population, slots, rounds }
        },
    )
}

proptest! {
    #[test]
    fn every_slot_of_every_run_is_bred_once_whatever_the_pace(
        mut members in proptest::collection::vec(member(), 1..9),
        paces in proptest::collection::vec(1u32..60, 1..5),
        searches: bool, ranks: bool, keeps_distance: bool,
    ) {
        members.sort_by_key(|member| member.has_parents);
        let course = Course { ranks: ranks.then_some(49), searches, keeps_distance };
        let orders = orders(course, &members, &paces);
        prop_assert_eq!(&orders[0], &Order::Clear);
        prop_assert_eq!(orders.last(), Some(&Order::Tell));
        let (breed, last) = match searches {
            true => (KernelKind::Begin, KernelKind::Settle),
            false => (KernelKind::Breed, KernelKind::Breed),
        };
        for (place, member) in members.iter().enumerate() {
            let of = |kernel| slots(&orders, &members, kernel, place);
            let all: Vec<u32> = (0..member.slots).collect();
            let (drawn, bred) = match member.has_parents {
                true => (Vec::new(), all),
                false => (all, Vec::new()),
            };
            prop_assert_eq!(of(KernelKind::Initialise), drawn);
            prop_assert_eq!(of(breed), bred.clone());
            prop_assert_eq!(of(last), bred.clone());
            // No search is cut short, and none is begun before the last is settled.
            let rounds = of(KernelKind::Search).len() as u32;
            let least = if searches && member.has_parents { member.rounds } else { 0 };
            prop_assert!(rounds >= least * member.slots, "{rounds}");
            let kept = if keeps_distance { bred } else { Vec::new() };
            prop_assert_eq!(of(KernelKind::Wait), kept.clone());
            prop_assert_eq!(of(KernelKind::Give), kept);
            let about = |order: &&Order| match order {
                Order::All { members, .. } => members.contains(&place),
                Order::Part { member, .. } => *member == place,
                _ => false,
            };
            let kernels: Vec<KernelKind> = orders.iter().filter(about).filter_map(|order| match order {
                Order::All { kernel, .. } | Order::Part { kernel, .. } => Some(*kernel),
                _ => None,
            }).collect();
            let ranking = [
                KernelKind::RankCount,
                KernelKind::RankScan,
                KernelKind::RankStart,
                KernelKind::RankPlace,
            ];
            let ranked = ranks && member.has_parents;
            prop_assert_eq!(kernels.starts_with(&ranking), ranked);
            prop_assert_eq!(kernels.iter().filter(|kernel| **kernel == ranking[0]).count(), usize::from(ranked));
            prop_assert!(kernels.ends_with(&[KernelKind::Statistics, KernelKind::Best]));
        }
    }
}

#[test]
fn the_example_of_the_module() {
    let member = Member { has_parents: true, population: 9, slots: 5, rounds: 0 };
    let mut sequence = Sequence::new(COURSE, vec![member; 3]);
    let first = sequence.workload(10);
    let bred = |members| Order::All { kernel: KernelKind::Breed, members, count: 5 };
    assert_eq!(first.orders, [Order::Clear, bred(0..2)]);
    assert_eq!((first.spent, first.completes), (10, false));
    let second = sequence.workload(10);
    assert_eq!(second.orders[0], bred(2..3));
    assert!(second.completes && second.orders.last() == Some(&Order::Tell));
}

#[test]
fn runs_search_together_until_the_longest_is_done() {
    let of = |rounds| Member { has_parents: true, population: 9, slots: 4, rounds };
    let course = Course { searches: true, ..COURSE };
    let mut sequence = Sequence::new(course, vec![of(1), of(3), of(2)]);
    let searched = |work: &[Order]| -> Vec<std::ops::Range<usize>> {
        let of = |order: &Order| match order {
            Order::All { kernel: KernelKind::Search, members, .. } => Some(members.clone()),
            _ => None,
        };
        work.iter().filter_map(of).collect()
    };
    let two_of_them = 0..2;
    for _ in 0..3 {
        assert_eq!(searched(&sequence.workload(8).orders), std::slice::from_ref(&two_of_them));
    }
    assert_eq!(searched(&sequence.workload(20).orders), [2..3, 2..3]);
}

/// An adapter with the bindings that every laptop has.
fn laptop(kind: AdapterKind) -> AdapterInfo {
    let bytes = 128 << 20;
    AdapterInfo {
        index: 0,
        name: "a laptop".to_owned(),
        kind,
        backend: "Vulkan",
        driver: String::new(),
        pci_bus_id: None,
        limits: AdapterLimits {
            storage_binding_bytes: bytes,
            buffer_bytes: bytes,
            workgroups_per_dimension: 65_535,
            workgroup_memory_bytes: 16 << 10,
            invocations: 256,
            subgroups: false,
            timestamps: false,
        },
    }
}

fn room(adapter: &AdapterInfo, name: &str) -> (SearchSpace, Config, Room) {
    let puzzle = format::load(name, None).unwrap().puzzle;
    let space = presolve(&puzzle, Presolve::Singles).unwrap();
    let config = Config::of(Preset::Memetic, &space);
    let blank = blank_search(adapter, &space, &config);
    let room = Room::new(adapter, &space, &config, Some(&blank)).unwrap();
    (space, config, room)
}

fn blank_search(adapter: &AdapterInfo, space: &SearchSpace, config: &Config) -> SearchPlan {
    SearchPlan::new(adapter, &SearchSpace::blank(space.geometry()), config).unwrap().unwrap()
}

/// The table of ENGINES.md.
#[test]
fn the_room_of_a_run_is_as_documented() {
    let gpu = laptop(AdapterKind::Integrated);
    let mut card = laptop(AdapterKind::Discrete);
    card.limits.storage_binding_bytes = (2 << 30) - 1;
    card.limits.buffer_bytes = card.limits.storage_binding_bytes;
    let of = |name| {
        let (_, _, room) = room(&gpu, name);
        let Room { population, tables, plan, block, .. } = room;
        let parts = [2 * population, tables, plan, block].map(|words| 4 * words);
        assert_eq!(room.seats(&card), ((1 << 30) / room.bytes()).min(4_096));
        (parts, room.bytes(), room.seats(&gpu))
    };
    let figures = ["ai-escargot", "large-16-45", "large-25-45", "large-36-50"].map(of);
    eprintln!("{figures:?}");
    for (parts, bytes, seats) in figures {
        assert!(seats >= 64 && seats * bytes <= 256 << 20, "{parts:?} {bytes} {seats}");
        assert!(parts.iter().all(|part| seats * part <= 2 * (128 << 20)));
    }
    assert!(figures[0].2 > 1_000, "{figures:?}");
}

/// Puzzles of a shape fit the room that one of them makes.
#[test]
fn puzzles_of_a_shape_fit_a_room() {
    let adapter = laptop(AdapterKind::Software);
    for names in
        [&["ai-escargot", "coly013", "001-hard-01"][..], &["large-16-40", "large-16-unique"]]
    {
        let (_, _, first) = room(&adapter, names[0]);
        for name in names {
            let (space, config, _) = room(&adapter, name);
            let search = blank_search(&adapter, &space, &config);
            let search = search.of_puzzle(&adapter, &space, &config).unwrap();
            let plan = Room::plan(space.geometry(), &config, Some(search)).unwrap();
            let search = search.of_children(config.offspring).unwrap();
            let layout = TableLayout::new(space.geometry(), &config);
            let tables = layout.fill(&space, &config, Some(&search)).len() as u64;
            assert!(plan <= first.plan && tables <= first.tables, "{name}");
        }
    }
    let (_, one, _) = room(&adapter, "ai-escargot");
    let (_, other, _) = room(&adapter, "coly013");
    assert!(one != other && goes_together(&one, &other));
    assert!(!goes_together(&one, &Config { population: 7, ..one.clone() }));
}

//! The contract detects each mistake that a machine can make, and accepts a machine without a mistake.

use crate::toy;
use core::convert::Infallible;
use core::time::Duration;
use std::net::SocketAddr;

use crate::toy::{Door, Event, Flaw, Visitor};
use gamewire_machine::Instant;
use gamewire_sim::contract::{self, Command, ContractViolation, Harness, Lifecycle, Property, SUBJECT};

/// The harness of a door with a mistake, by the number of the mistake.
struct Flawed<const FLAW: u8>;

fn number_of(address: SocketAddr) -> u64 {
    u64::from(address.port())
}

impl<const FLAW: u8> Harness for Flawed<FLAW> {
    type Machine = Door;
    type Peer = Visitor;

    const MAX_UNVERIFIED_BYTES: usize = 64 * 8;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = 32;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(10));

    fn make(seed: u64, now: Instant) -> Door {
        Door::new(FLAWS[usize::from(FLAW)], seed, now)
    }

    fn peer(_: u64, now: Instant) -> Option<Visitor> {
        Some(Visitor::new(SUBJECT, now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        [&[toy::KNOCK][..], &[toy::ENTER, 7], &[toy::TALK, 7, 1], &[toy::LEAVE, 7]].map(Vec::from).into()
    }

    fn commands() -> &'static [Command<Door>] {
        &[("shout", |door, what| door.shout(what.to_le_bytes()[0]))]
    }

    fn held_bytes(door: &Door) -> usize {
        door.held_bytes()
    }

    fn lifecycle(event: &Event) -> Lifecycle {
        match event {
            Event::Entered(who) => Lifecycle::Opened(number_of(*who)),
            Event::Said(who, _) => Lifecycle::Active(number_of(*who)),
            Event::Gone(who) => Lifecycle::Closed(number_of(*who)),
            Event::Warning => Lifecycle::Other,
        }
    }
}

const FLAWS: [Flaw; 14] = [
    Flaw::None,
    Flaw::ReadsBeyond,
    Flaw::NeedsCompany,
    Flaw::TrustsTheClock,
    Flaw::ForgetsToReject,
    Flaw::TellsOfRejected,
    Flaw::LagsBehind,
    Flaw::Spins,
    Flaw::DrawsLots,
    Flaw::Hoards,
    Flaw::EndsTwice,
    Flaw::NeverEnds,
    Flaw::TalksOfTheDead,
    Flaw::MakesUp,
];

/// Returns the violation that the contract detects in a door with a mistake.
fn found<const NUMBER: u8>(flaw: Flaw) -> ContractViolation {
    assert_eq!(FLAWS[usize::from(NUMBER)], flaw);
    let broken = contract::try_check::<Flawed<NUMBER>>().expect_err("the mistake was not found");
    println!("{flaw:?}: {broken}");
    broken
}

#[test]
fn a_sound_machine_passes() {
    contract::check::<Flawed<0>>();
    contract::check_sequences::<Flawed<0>>(500, 10_000);
}

/// A machine without peers, packets and commands.
struct Alone;

impl Harness for Alone {
    type Machine = Visitor;
    type Peer = Visitor;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = None;

    fn make(_: u64, now: Instant) -> Visitor {
        Visitor::new(contract::PEER, now)
    }

    fn peer(_: u64, _: Instant) -> Option<Visitor> {
        None
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn held_bytes(_: &Visitor) -> usize {
        0
    }

    fn lifecycle(event: &Infallible) -> Lifecycle {
        match *event {}
    }
}

#[test]
fn a_machine_can_be_examined_without_a_peer_samples_and_commands() {
    contract::check::<Alone>();
}

#[test]
fn a_panic_on_input_is_found_and_its_message_reported() {
    let broken = found::<1>(Flaw::ReadsBeyond);
    assert_eq!(broken.clause, Property::NoPanic);
    assert!(broken.detail.contains("index out of bounds"), "{broken}");
}

#[test]
fn a_command_at_the_wrong_time_that_panics_is_found() {
    let broken = found::<2>(Flaw::NeedsCompany);
    assert_eq!((broken.clause, broken.operations.len()), (Property::NoPanic, 1));
}

#[test]
fn g9_a_clock_that_goes_back_and_is_not_expected_to_is_found() {
    assert_eq!(found::<3>(Flaw::TrustsTheClock).clause, Property::NoPanic);
}

#[test]
fn a_rejected_datagram_that_moves_a_timer_is_found() {
    assert_eq!(found::<4>(Flaw::ForgetsToReject).clause, Property::RejectLeavesNoTrace);
}

#[test]
fn an_event_of_a_rejected_datagram_is_found() {
    let broken = found::<5>(Flaw::TellsOfRejected);
    assert_eq!((broken.clause, broken.operations.len()), (Property::RejectLeavesNoTrace, 1));
    assert!(broken.to_string().len() < 300, "its bytes were not shortened: {broken}");
}

#[test]
fn a_wake_that_is_still_due_after_the_timeout_is_found_and_named() {
    let broken = found::<6>(Flaw::LagsBehind);
    assert_eq!(broken.clause, Property::TimerAdvances);
    assert!(broken.detail.ends_with("keep awake"), "{broken}");
}

#[test]
fn a_machine_that_spins_is_found_and_its_timer_named() {
    let broken = found::<7>(Flaw::Spins);
    assert_eq!(broken.clause, Property::TimerAdvances);
    assert!(broken.detail.ends_with("spin"), "{broken}");
}

#[test]
fn bytes_that_do_not_follow_from_the_seed_are_found() {
    assert_eq!(found::<8>(Flaw::DrawsLots).clause, Property::SameBytes);
}

#[test]
fn memory_that_grows_with_strangers_is_found() {
    let broken = found::<9>(Flaw::Hoards);
    assert_eq!(broken.clause, Property::BoundedMemory);
    assert!(broken.detail.ends_with("strangers"), "{broken}");
}

#[test]
fn a_peer_that_ends_twice_is_found() {
    assert_eq!(found::<10>(Flaw::EndsTwice).clause, Property::SingleClose);
}

#[test]
fn a_peer_that_never_ends_is_found() {
    assert_eq!(found::<11>(Flaw::NeverEnds).clause, Property::SingleClose);
}

#[test]
fn an_event_of_a_peer_after_its_end_is_found() {
    assert_eq!(found::<12>(Flaw::TalksOfTheDead).clause, Property::SingleClose);
}

#[test]
fn g9_a_storm_after_the_clock_has_jumped_is_found() {
    let broken = found::<13>(Flaw::MakesUp);
    assert_eq!(broken.clause, Property::BoundedOutput);
    assert!(broken.operations.len() <= 3, "{broken}");
}

#[test]
fn the_seed_of_a_broken_sequence_replays_it_alone() {
    let first = contract::try_check_sequences::<Flawed<1>>(1_000, 50).unwrap_err();
    let again = contract::try_check_sequences::<Flawed<1>>(1, first.seed).unwrap_err();
    assert_eq!((first.operations.as_slice(), first.detail), (again.operations.as_slice(), again.detail));
    assert!(first.operations.len() <= 10, "it was not shortened");
}

#[test]
#[should_panic(expected = "broken: nothing makes it panic: nobody is here\nseed ")]
fn a_violation_panics() {
    contract::check_sequences::<Flawed<2>>(100, 1);
}

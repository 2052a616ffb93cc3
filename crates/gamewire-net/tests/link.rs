//! What can be put at a driver's socket: a tap, and bad conditions.
#![allow(clippy::arithmetic_side_effects, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use std::num::NonZeroU32;
use std::time::{Duration, Instant as Monotonic, SystemTime};

use gamewire_net::{Conditions, Direction, DriverConfig, TapPacket, blocking};
use support::{LOCAL, PATIENCE, Parrot, driver, numbers, tapped, updates};

const EVERY_THIRD_LOST: Conditions = Conditions { drop_every: NonZeroU32::new(3), ..Conditions::PERFECT };

fn with(settings: DriverConfig, parrot: Parrot) -> blocking::Driver<Parrot> {
    blocking::Driver::bind_with(LOCAL, parrot, settings).unwrap()
}

#[test]
fn a_tap_sees_both_directions_with_their_addresses() {
    let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let (settings, seen) = tapped();
    let mut caller = with(settings, Parrot::default());
    let mut parrot = driver(Parrot::repeating());
    for number in 0..3 {
        caller.machine_mut().say(parrot.local_addr(), number, 4);
    }
    caller.update().unwrap();
    updates(&mut parrot, |events| events.len() >= 3);
    updates(&mut caller, |events| events.len() >= 3);

    let seen = seen.lock().unwrap();
    let ways: Vec<_> = seen.iter().map(|(direction, _, _, _, bytes)| (*direction, bytes[1])).collect();
    let (out, back) = (Direction::Outgoing, Direction::Incoming);
    assert_eq!(ways, [(out, 0), (out, 1), (out, 2), (back, 0), (back, 1), (back, 2)]);
    assert!(seen.iter().all(|(_, local, ..)| *local == caller.local_addr()));
    assert!(seen.iter().all(|(_, _, peer, ..)| *peer == parrot.local_addr()));
    assert!(seen.iter().map(|(_, _, _, at, _)| at).is_sorted());
    let first = Duration::from_micros(seen[0].3);
    assert!(first + Duration::from_secs(1) > started && first < started + 2 * PATIENCE, "{first:?}");
}

#[test]
fn a_crossing_knows_who_sent_it() {
    let (local, peer) = ("127.0.0.1:1".parse().unwrap(), "127.0.0.1:2".parse().unwrap());
    let direction = Direction::Incoming;
    let crossing = TapPacket { unix_micros: 0, direction, local, peer, bytes: &[] };
    assert_eq!((crossing.from(), crossing.to()), (peer, local));
    let crossing = TapPacket { direction: Direction::Outgoing, ..crossing };
    assert_eq!((crossing.from(), crossing.to()), (local, peer));
}

#[test]
fn every_third_datagram_is_lost_on_the_way_out() {
    let (settings, seen) = tapped();
    let mut caller = with(settings.conditions(Direction::Outgoing, EVERY_THIRD_LOST), Parrot::default());
    let mut listener = driver(Parrot::default());
    for number in 1..=9 {
        caller.machine_mut().say(listener.local_addr(), number, 2);
    }
    caller.update().unwrap();
    let heard = updates(&mut listener, |events| events.len() >= 6);
    assert_eq!(numbers(&heard), [1, 2, 4, 5, 7, 8]);
    assert_eq!(seen.lock().unwrap().len(), 6, "what is lost before the socket does not cross it");
}

#[test]
fn every_third_datagram_is_lost_on_the_way_in() {
    let (settings, seen) = tapped();
    let mut listener = with(settings.conditions(Direction::Incoming, EVERY_THIRD_LOST), Parrot::default());
    let mut caller = driver(Parrot::default());
    for number in 1..=9 {
        caller.machine_mut().say(listener.local_addr(), number, 2);
    }
    caller.update().unwrap();
    let heard = updates(&mut listener, |events| events.len() >= 6);
    assert_eq!(numbers(&heard), [1, 2, 4, 5, 7, 8]);
    updates(&mut listener, |_| seen.lock().unwrap().len() >= 9);
}

#[test]
fn a_delay_holds_datagrams_back_each_way() {
    let late = Conditions { delay: Duration::from_millis(20), ..Conditions::PERFECT };
    let both =
        DriverConfig::default().conditions(Direction::Incoming, late).conditions(Direction::Outgoing, late);
    let (mut caller, mut parrot) = (with(both, Parrot::default()), driver(Parrot::repeating()));
    let before = Monotonic::now();
    caller.machine_mut().say(parrot.local_addr(), 1, 2);
    let deadline = before + PATIENCE;
    let mut heard = Vec::new();
    while heard.is_empty() {
        assert!(Monotonic::now() < deadline);
        parrot.update().unwrap();
        heard.extend(caller.next_event(Duration::from_millis(1)).unwrap());
    }
    assert_eq!(numbers(&heard), [1]);
    assert!(before.elapsed() >= Duration::from_millis(40));
}

#[test]
fn a_cable_is_pulled_and_put_back() {
    let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
    for (number, conditions) in [(1, Conditions::BLACKHOLE), (2, Conditions::PERFECT)] {
        caller.set_conditions(Direction::Outgoing, conditions);
        caller.machine_mut().say(listener.local_addr(), number, 2);
        caller.update().unwrap();
    }
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [2]);
}

//! Taps and link conditions.

use std::num::NonZeroU32;
use std::time::{Duration, Instant as Monotonic, SystemTime};

use crate::support::{DatagramPeer, LOCAL, TIMEOUT, driver, numbers, tapped, updates};
use gamewire_net::{Conditions, Direction, DriverConfig, TapPacket, blocking};

const EVERY_THIRD_LOST: Conditions = Conditions { drop_every: NonZeroU32::new(3), ..Conditions::PERFECT };

fn with(config: DriverConfig, peer: DatagramPeer) -> blocking::Driver<DatagramPeer> {
    blocking::Driver::bind_with(LOCAL, peer, config).unwrap()
}

#[test]
fn a_tap_sees_both_directions_with_their_addresses() {
    let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let (config, seen) = tapped();
    let mut sender = with(config, DatagramPeer::default());
    let mut echo = driver(DatagramPeer::echoing());
    for number in 0..3 {
        sender.machine_mut().send(echo.local_addr(), number, 4);
    }
    sender.update().unwrap();
    updates(&mut echo, |events| events.len() >= 3);
    updates(&mut sender, |events| events.len() >= 3);

    let seen = seen.lock().unwrap();
    let ways: Vec<_> = seen.iter().map(|(direction, _, _, _, bytes)| (*direction, bytes[1])).collect();
    let (out, back) = (Direction::Outgoing, Direction::Incoming);
    assert_eq!(ways, [(out, 0), (out, 1), (out, 2), (back, 0), (back, 1), (back, 2)]);
    assert!(seen.iter().all(|(_, local, ..)| *local == sender.local_addr()));
    assert!(seen.iter().all(|(_, _, peer, ..)| *peer == echo.local_addr()));
    assert!(seen.iter().map(|(_, _, _, at, _)| at).is_sorted());
    let first = Duration::from_micros(seen[0].3);
    assert!(first + Duration::from_secs(1) > started && first < started + 2 * TIMEOUT, "{first:?}");
}

#[test]
fn a_packet_knows_its_sender_and_receiver() {
    let (local, peer) = ("127.0.0.1:1".parse().unwrap(), "127.0.0.1:2".parse().unwrap());
    let direction = Direction::Incoming;
    let packet = TapPacket { unix_micros: 0, direction, local, peer, bytes: &[] };
    assert_eq!((packet.from(), packet.to()), (peer, local));
    let packet = TapPacket { direction: Direction::Outgoing, ..packet };
    assert_eq!((packet.from(), packet.to()), (local, peer));
}

#[test]
fn every_third_datagram_is_lost_on_the_way_out() {
    let (config, seen) = tapped();
    let mut sender =
        with(DriverConfig { outgoing: Some(EVERY_THIRD_LOST), ..config }, DatagramPeer::default());
    let mut receiver = driver(DatagramPeer::default());
    for number in 1..=9 {
        sender.machine_mut().send(receiver.local_addr(), number, 2);
    }
    sender.update().unwrap();
    let received = updates(&mut receiver, |events| events.len() >= 6);
    assert_eq!(numbers(&received), [1, 2, 4, 5, 7, 8]);
    assert_eq!(seen.lock().unwrap().len(), 6, "the tap sees no datagram that the conditions lost");
}

#[test]
fn every_third_datagram_is_lost_on_the_way_in() {
    let (config, seen) = tapped();
    let mut receiver =
        with(DriverConfig { incoming: Some(EVERY_THIRD_LOST), ..config }, DatagramPeer::default());
    let mut sender = driver(DatagramPeer::default());
    for number in 1..=9 {
        sender.machine_mut().send(receiver.local_addr(), number, 2);
    }
    sender.update().unwrap();
    let received = updates(&mut receiver, |events| events.len() >= 6);
    assert_eq!(numbers(&received), [1, 2, 4, 5, 7, 8]);
    updates(&mut receiver, |_| seen.lock().unwrap().len() >= 9);
}

#[test]
fn a_delay_holds_datagrams_back_each_way() {
    let late = Conditions { delay: Duration::from_millis(20), ..Conditions::PERFECT };
    let both = DriverConfig::default().impair(late);
    let (mut sender, mut echo) = (with(both, DatagramPeer::default()), driver(DatagramPeer::echoing()));
    let before = Monotonic::now();
    sender.machine_mut().send(echo.local_addr(), 1, 2);
    let deadline = before + TIMEOUT;
    let mut received = Vec::new();
    while received.is_empty() {
        assert!(Monotonic::now() < deadline);
        echo.update().unwrap();
        received.extend(sender.next_event(Duration::from_millis(1)).unwrap());
    }
    assert_eq!(numbers(&received), [1]);
    assert!(before.elapsed() >= Duration::from_millis(40));
}

#[test]
fn what_is_delayed_is_sent_when_the_driver_ends() {
    let late = Conditions { delay: Duration::from_secs(60), ..Conditions::PERFECT };
    let late = DriverConfig { outgoing: Some(late), ..DriverConfig::default() };
    let (mut sender, mut receiver) = (with(late, DatagramPeer::default()), driver(DatagramPeer::default()));
    for number in 1..=3 {
        sender.machine_mut().send(receiver.local_addr(), number, 2);
    }
    drop(sender);
    assert_eq!(numbers(&updates(&mut receiver, |events| events.len() == 3)), [1, 2, 3]);
}

#[test]
fn a_blackhole_ends() {
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    for (number, conditions) in [(1, Conditions::BLACKHOLE), (2, Conditions::PERFECT)] {
        sender.set_conditions(Direction::Outgoing, conditions);
        sender.machine_mut().send(receiver.local_addr(), number, 2);
        sender.update().unwrap();
    }
    assert_eq!(numbers(&updates(&mut receiver, |events| !events.is_empty())), [2]);
}

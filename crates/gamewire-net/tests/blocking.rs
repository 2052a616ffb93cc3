//! The blocking driver over loopback.
#![allow(clippy::arithmetic_side_effects, reason = "times of a test")]

mod support;

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant as Monotonic};

use gamewire_net::{DriverConfig, OpenError, blocking};
use support::{Event, LOCAL, PATIENCE, Parrot, driver, numbers, updates};

#[test]
fn what_one_says_the_other_repeats() {
    let (mut parrot, mut caller) = (driver(Parrot::repeating()), driver(Parrot::default()));
    caller.machine_mut().say(parrot.local_addr(), 7, 20);
    caller.update().unwrap();
    let heard = updates(&mut parrot, |events| !events.is_empty());
    assert_eq!(heard, [Event::Heard { from: caller.local_addr(), number: 7, len: 20 }]);
    let heard = caller.next_event(PATIENCE).unwrap();
    assert_eq!(heard, Some(Event::Heard { from: parrot.local_addr(), number: 7, len: 20 }));
}

#[test]
fn a_thousand_datagrams_arrive_in_order() {
    let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
    let mut heard = Vec::new();
    // Few enough at a time for the smallest receive buffer.
    for lot in 0..20 {
        for number in lot * 50..(lot + 1) * 50 {
            caller.machine_mut().say(listener.local_addr(), number, 100);
        }
        caller.update().unwrap();
        heard.extend(updates(&mut listener, |events| events.len() >= 50));
    }
    assert!(numbers(&heard).into_iter().eq(0..1_000));
    let (sent, received) = (caller.stats().sent, listener.stats().received);
    assert_eq!((sent.datagrams, sent.bytes), (1_000, 100_000));
    assert_eq!((received.datagrams, received.bytes), (1_000, 100_000));
    assert!(received.batches <= 1_000 && sent.batches <= 1_000, "{sent:?} {received:?}");
}

#[test]
fn a_mix_of_sizes_and_peers_arrives_in_order() {
    let mut caller = driver(Parrot::default());
    let mut listeners = [driver(Parrot::default()), driver(Parrot::default())];
    let lengths = [2, 100, 100, 1_400, 1_400, 1_500, 9, 8, 8, 20_000];
    let order: Vec<_> = (0..60).zip(lengths.iter().cycle()).collect();
    for (number, len) in &order {
        let to = listeners[usize::from(number / 3 % 2)].local_addr();
        caller.machine_mut().say(to, *number, **len);
    }
    caller.update().unwrap();
    for (side, listener) in (0..).zip(&mut listeners) {
        let heard = updates(listener, |events| events.len() >= 30);
        let from = caller.local_addr();
        let theirs = order.iter().filter(|(number, _)| number / 3 % 2 == side);
        let expected: Vec<_> =
            theirs.map(|(number, len)| Event::Heard { from, number: *number, len: **len }).collect();
        assert_eq!(heard, expected);
    }
}

#[test]
fn a_timer_fires_without_any_traffic() {
    let mut driver = driver(Parrot::default());
    driver.machine_mut().ring_after(Duration::from_millis(30));
    let before = Monotonic::now();
    assert_eq!(driver.next_event(PATIENCE).unwrap(), Some(Event::Rang));
    assert!(before.elapsed() < PATIENCE / 2);

    driver.machine_mut().ring_after(Duration::from_millis(30));
    assert_eq!(updates(&mut driver, |events| !events.is_empty()), [Event::Rang]);
}

#[test]
fn nothing_happens_and_the_time_is_up() {
    let mut driver = driver(Parrot::default());
    let before = Monotonic::now();
    assert_eq!(driver.next_event(Duration::from_millis(20)).unwrap(), None);
    assert!(before.elapsed() >= Duration::from_millis(20));
    assert_eq!(driver.next_event(Duration::ZERO).unwrap(), None);
    driver.wait(Duration::ZERO).unwrap();
    assert_eq!(driver.update().unwrap().count(), 0);
}

#[test]
fn waiting_for_ever_ends_with_the_first_event() {
    let mut driver = driver(Parrot::default());
    driver.machine_mut().ring_after(Duration::from_millis(10));
    assert_eq!(driver.next_event(Duration::MAX).unwrap(), Some(Event::Rang));
}

#[test]
fn a_machine_is_told_the_time_before_it_is_commanded() {
    let mut driver = driver(Parrot::default());
    let first = driver.machine_mut().now;
    std::thread::sleep(Duration::from_millis(2));
    assert!(driver.machine_mut().now - first >= Duration::from_millis(2));
}

#[test]
fn what_was_said_last_is_sent_when_the_driver_goes() {
    let mut listener = driver(Parrot::default());
    let mut caller = driver(Parrot::default());
    caller.machine_mut().say(listener.local_addr(), 9, 2);
    drop(caller);
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [9]);
}

#[test]
fn commands_are_sent_although_events_are_left_to_be_taken() {
    let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
    for number in 0..3 {
        listener.machine_mut().say(caller.local_addr(), number, 2);
    }
    listener.update().unwrap();
    // Once one is there, all are: loopback delivers within the call.
    assert!(caller.next_event(PATIENCE).unwrap().is_some());
    caller.machine_mut().say(listener.local_addr(), 50, 2);
    assert!(caller.next_event(PATIENCE).unwrap().is_some());
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [50]);
}

#[test]
fn a_peer_over_ipv4_has_its_ipv4_address_on_an_ipv6_socket() {
    let Ok(mut parrot) = blocking::Driver::bind("[::]:0".parse().unwrap(), Parrot::repeating()) else {
        return; // A host without IPv6.
    };
    let mut caller = driver(Parrot::default());
    let to = SocketAddr::new(LOCAL.ip(), parrot.local_addr().port());
    caller.machine_mut().say(to, 3, 2);
    caller.update().unwrap();
    let heard = updates(&mut parrot, |events| !events.is_empty());
    assert_eq!(heard, [Event::Heard { from: caller.local_addr(), number: 3, len: 2 }]);
    let heard = updates(&mut caller, |events| !events.is_empty());
    assert_eq!(heard, [Event::Heard { from: to, number: 3, len: 2 }]);
}

#[test]
fn an_address_that_is_taken_is_told() {
    let taken = UdpSocket::bind(LOCAL).unwrap();
    let local = taken.local_addr().unwrap();
    let error = blocking::Driver::bind(local, Parrot::default()).unwrap_err();
    assert!(matches!(error, OpenError::Bind { .. }));
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot bind a UDP socket to {local}: ")), "{text}");
}

#[test]
fn g8_a_peer_that_is_gone_is_counted_and_heard_when_it_is_back() {
    let gone = UdpSocket::bind(LOCAL).unwrap();
    let peer = gone.local_addr().unwrap();
    // A connected socket is told of refusals everywhere.
    let socket = UdpSocket::bind(LOCAL).unwrap();
    socket.connect(peer).unwrap();
    drop(gone);
    let mut caller =
        blocking::Driver::from_socket(socket, Parrot::default(), DriverConfig::default()).unwrap();
    let deadline = Monotonic::now() + PATIENCE;
    while caller.stats().errors.refused < 5 {
        assert!(Monotonic::now() < deadline, "{:?}", caller.stats());
        caller.machine_mut().say(peer, 1, 2);
        assert_eq!(caller.next_event(Duration::from_millis(1)).unwrap(), None);
    }
    let mut back = blocking::Driver::bind(peer, Parrot::default()).unwrap();
    caller.machine_mut().say(peer, 2, 2);
    caller.update().unwrap();
    assert_eq!(numbers(&updates(&mut back, |events| !events.is_empty())).last(), Some(&2));
}

#[test]
fn g8_a_datagram_too_long_for_udp_is_dropped_and_the_next_is_sent() {
    let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
    caller.machine_mut().say(listener.local_addr(), 1, 65_600);
    caller.machine_mut().say(listener.local_addr(), 2, 2);
    caller.update().unwrap();
    assert_eq!((caller.stats().errors.too_long, caller.stats().dropped), (1, 1));
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [2]);
}

#[test]
fn g8_with_the_smallest_send_buffer_everything_arrives_in_order() {
    let settings = DriverConfig::default().send_buffer(1);
    let mut caller = blocking::Driver::bind_with(LOCAL, Parrot::default(), settings).unwrap();
    let mut listener = driver(Parrot::default());
    for number in 0..100 {
        // Lengths that make no runs.
        caller.machine_mut().say(listener.local_addr(), number, 100 + usize::from(number));
    }
    let (mut heard, deadline) = (Vec::new(), Monotonic::now() + PATIENCE);
    while heard.len() < 100 {
        assert!(Monotonic::now() < deadline, "{} {:?}", heard.len(), caller.stats());
        caller.update().unwrap();
        heard.extend(listener.update().unwrap());
    }
    assert!(numbers(&heard).into_iter().eq(0..100));
    assert_eq!(caller.stats().dropped, 0);
}

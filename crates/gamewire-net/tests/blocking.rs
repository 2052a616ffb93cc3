//! The blocking driver over loopback.

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant as Monotonic};

use crate::support::{DatagramPeer, Event, LOCAL, TIMEOUT, driver, numbers, updates};
use gamewire_net::{DriverConfig, OpenError, blocking};

#[test]
fn a_datagram_is_echoed() {
    let (mut echo, mut sender) = (driver(DatagramPeer::echoing()), driver(DatagramPeer::default()));
    sender.machine_mut().send(echo.local_addr(), 7, 20);
    sender.update().unwrap();
    let received = updates(&mut echo, |events| !events.is_empty());
    assert_eq!(received, [Event::Received { from: sender.local_addr(), number: 7, len: 20 }]);
    let received = sender.next_event(TIMEOUT).unwrap();
    assert_eq!(received, Some(Event::Received { from: echo.local_addr(), number: 7, len: 20 }));
}

#[test]
fn a_thousand_datagrams_arrive_in_order() {
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    let mut received = Vec::new();
    // A batch fits into the smallest receive buffer.
    for batch in 0..20 {
        for number in batch * 50..(batch + 1) * 50 {
            sender.machine_mut().send(receiver.local_addr(), number, 100);
        }
        sender.update().unwrap();
        received.extend(updates(&mut receiver, |events| events.len() >= 50));
    }
    assert!(numbers(&received).into_iter().eq(0..1_000));
    let (sent, received) = (sender.stats().sent, receiver.stats().received);
    assert_eq!((sent.datagrams, sent.bytes), (1_000, 100_000));
    assert_eq!((received.datagrams, received.bytes), (1_000, 100_000));
    assert!(received.batches <= 1_000 && sent.batches <= 1_000, "{sent:?} {received:?}");
}

#[test]
fn a_mix_of_sizes_and_peers_arrives_in_order() {
    let mut sender = driver(DatagramPeer::default());
    let mut receivers = [driver(DatagramPeer::default()), driver(DatagramPeer::default())];
    let lengths = [2, 100, 100, 1_400, 1_400, 1_500, 9, 8, 8, 20_000];
    let order: Vec<_> = (0..60).zip(lengths.iter().cycle()).collect();
    for (number, len) in &order {
        let to = receivers[usize::from(number / 3 % 2)].local_addr();
        sender.machine_mut().send(to, *number, **len);
    }
    sender.update().unwrap();
    for (side, receiver) in (0..).zip(&mut receivers) {
        let received = updates(receiver, |events| events.len() >= 30);
        let from = sender.local_addr();
        let theirs = order.iter().filter(|(number, _)| number / 3 % 2 == side);
        let expected: Vec<_> =
            theirs.map(|(number, len)| Event::Received { from, number: *number, len: **len }).collect();
        assert_eq!(received, expected);
    }
}

#[test]
fn a_timer_fires_without_any_traffic() {
    let mut driver = driver(DatagramPeer::default());
    driver.machine_mut().set_timer(Duration::from_millis(30));
    let before = Monotonic::now();
    assert_eq!(driver.next_event(TIMEOUT).unwrap(), Some(Event::TimerFired));
    assert!(before.elapsed() < TIMEOUT / 2);

    driver.machine_mut().set_timer(Duration::from_millis(30));
    assert_eq!(updates(&mut driver, |events| !events.is_empty()), [Event::TimerFired]);
}

#[test]
fn next_event_returns_none_after_the_timeout() {
    let mut driver = driver(DatagramPeer::default());
    let before = Monotonic::now();
    assert_eq!(driver.next_event(Duration::from_millis(20)).unwrap(), None);
    assert!(before.elapsed() >= Duration::from_millis(20));
    assert_eq!(driver.next_event(Duration::ZERO).unwrap(), None);
    driver.wait(Duration::ZERO).unwrap();
    assert_eq!(driver.update().unwrap().count(), 0);
}

#[test]
fn waiting_without_a_limit_ends_with_the_first_event() {
    let mut driver = driver(DatagramPeer::default());
    driver.machine_mut().set_timer(Duration::from_millis(10));
    assert_eq!(driver.next_event(Duration::MAX).unwrap(), Some(Event::TimerFired));
}

#[test]
fn the_clock_advances_before_a_command() {
    let mut driver = driver(DatagramPeer::default());
    let first = driver.machine_mut().now;
    std::thread::sleep(Duration::from_millis(2));
    assert!(driver.machine_mut().now - first >= Duration::from_millis(2));
}

#[test]
fn unsent_datagrams_are_sent_when_the_driver_is_dropped() {
    let mut receiver = driver(DatagramPeer::default());
    let mut sender = driver(DatagramPeer::default());
    sender.machine_mut().send(receiver.local_addr(), 9, 2);
    drop(sender);
    assert_eq!(numbers(&updates(&mut receiver, |events| !events.is_empty())), [9]);
}

#[test]
fn commands_are_sent_while_events_wait() {
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    for number in 0..3 {
        receiver.machine_mut().send(sender.local_addr(), number, 2);
    }
    receiver.update().unwrap();
    // Loopback delivers within the call, so all datagrams have arrived.
    assert!(sender.next_event(TIMEOUT).unwrap().is_some());
    sender.machine_mut().send(receiver.local_addr(), 50, 2);
    assert!(sender.next_event(TIMEOUT).unwrap().is_some());
    assert_eq!(numbers(&updates(&mut receiver, |events| !events.is_empty())), [50]);
}

#[test]
fn a_peer_over_ipv4_has_its_ipv4_address_on_an_ipv6_socket() {
    let Ok(mut echo) = blocking::Driver::bind("[::]:0".parse().unwrap(), DatagramPeer::echoing()) else {
        return; // A host without IPv6.
    };
    let mut sender = driver(DatagramPeer::default());
    let to = SocketAddr::new(LOCAL.ip(), echo.local_addr().port());
    sender.machine_mut().send(to, 3, 2);
    sender.update().unwrap();
    let received = updates(&mut echo, |events| !events.is_empty());
    assert_eq!(received, [Event::Received { from: sender.local_addr(), number: 3, len: 2 }]);
    let received = updates(&mut sender, |events| !events.is_empty());
    assert_eq!(received, [Event::Received { from: to, number: 3, len: 2 }]);
}

#[test]
fn an_address_in_use_is_an_error() {
    let taken = UdpSocket::bind(LOCAL).unwrap();
    let local = taken.local_addr().unwrap();
    let error = blocking::Driver::bind(local, DatagramPeer::default()).unwrap_err();
    assert!(matches!(error, OpenError::Bind { .. }));
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot bind a UDP socket to {local}: ")), "{text}");
}

#[test]
fn g8_refusals_are_counted_and_a_returning_peer_is_reached() {
    let gone = UdpSocket::bind(LOCAL).unwrap();
    let peer = gone.local_addr().unwrap();
    // A socket that is connected to itself keeps its port in use and refuses datagrams of others.
    gone.connect(peer).unwrap();
    // Every system reports refusals to a connected socket.
    let socket = UdpSocket::bind(LOCAL).unwrap();
    socket.connect(peer).unwrap();
    let mut sender =
        blocking::Driver::from_socket(socket, DatagramPeer::default(), DriverConfig::default()).unwrap();
    let deadline = Monotonic::now() + TIMEOUT;
    while sender.stats().errors.refused < 5 {
        assert!(Monotonic::now() < deadline, "{:?}", sender.stats());
        sender.machine_mut().send(peer, 1, 2);
        assert_eq!(sender.next_event(Duration::from_millis(1)).unwrap(), None);
    }
    gone.connect(sender.local_addr()).unwrap();
    let mut back =
        blocking::Driver::from_socket(gone, DatagramPeer::default(), DriverConfig::default()).unwrap();
    sender.machine_mut().send(peer, 2, 2);
    sender.update().unwrap();
    assert_eq!(numbers(&updates(&mut back, |events| !events.is_empty())).last(), Some(&2));
}

#[test]
fn g8_a_datagram_too_long_for_udp_is_dropped_and_the_next_is_sent() {
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    sender.machine_mut().send(receiver.local_addr(), 1, 65_600);
    sender.machine_mut().send(receiver.local_addr(), 2, 2);
    sender.update().unwrap();
    assert_eq!((sender.stats().errors.too_long, sender.stats().dropped), (1, 1));
    assert_eq!(numbers(&updates(&mut receiver, |events| !events.is_empty())), [2]);
}

#[test]
fn g8_with_the_smallest_send_buffer_everything_arrives_in_order() {
    let config = DriverConfig { send_buffer: Some(1), ..DriverConfig::default() };
    let mut sender = blocking::Driver::bind_with(LOCAL, DatagramPeer::default(), config).unwrap();
    let mut receiver = driver(DatagramPeer::default());
    for number in 0..100 {
        // Datagrams of growing lengths are not batched.
        sender.machine_mut().send(receiver.local_addr(), number, 100 + usize::from(number));
    }
    let (mut received, deadline) = (Vec::new(), Monotonic::now() + TIMEOUT);
    while received.len() < 100 {
        assert!(Monotonic::now() < deadline, "{} {:?}", received.len(), sender.stats());
        sender.update().unwrap();
        received.extend(receiver.update().unwrap());
    }
    assert!(numbers(&received).into_iter().eq(0..100));
    assert_eq!(sender.stats().dropped, 0);
}

#[test]
fn a_wake_from_another_thread_ends_a_wait_and_is_never_lost() {
    let mut driver = driver(DatagramPeer::default());
    let waker = driver.waker().unwrap();
    waker.wake_by_ref();
    waker.wake_by_ref();
    driver.wait(TIMEOUT).unwrap();
    let began = Monotonic::now();
    driver.wait(Duration::from_millis(20)).unwrap();
    assert!(began.elapsed() >= Duration::from_millis(20), "both wakes ended one wait");
    for _ in 0..100 {
        let waker = waker.clone();
        let thread = std::thread::spawn(move || waker.wake());
        assert_eq!(driver.next_event(TIMEOUT).unwrap(), None);
        thread.join().unwrap();
    }
    assert!(began.elapsed() < TIMEOUT, "no wait lasted to its end");
}

#[test]
fn a_wake_does_not_hide_an_event() {
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    let waker = receiver.waker().unwrap();
    sender.machine_mut().send(receiver.local_addr(), 7, 20);
    sender.update().unwrap();
    waker.wake();
    let events = [receiver.next_event(TIMEOUT).unwrap(), receiver.next_event(TIMEOUT).unwrap()];
    let expected = Event::Received { from: sender.local_addr(), number: 7, len: 20 };
    assert!(events.contains(&Some(expected)), "{events:?}");
}

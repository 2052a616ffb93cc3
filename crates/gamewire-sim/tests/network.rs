//! Machines in a network in virtual time.

use core::convert::Infallible;
use core::time::Duration;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_sim::{Conditions, Livelock, Network, NodeId};

const CALLER: SocketAddr = address(1);
const ECHO: SocketAddr = address(2);

const fn address(port: u16) -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

/// Sends calls periodically, echoes received calls, and emits received datagrams.
#[derive(Default)]
struct Caller {
    calls: Option<SocketAddr>,
    next: Option<Instant>,
    called: u8,
    reported: Option<Instant>,
    out: VecDeque<(SocketAddr, Vec<u8>)>,
    heard: VecDeque<(SocketAddr, Vec<u8>)>,
}

const EACH: Duration = Duration::from_millis(100);

impl Caller {
    fn calling(to: SocketAddr) -> Self {
        Self { calls: Some(to), next: Some(Instant::ZERO), ..Self::default() }
    }
}

impl Machine for Caller {
    type Event = (SocketAddr, Vec<u8>);
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.reported = Some(now);
        if let (Some(to), true) = (self.calls, self.next.is_some_and(|at| at <= now)) {
            self.called = self.called.saturating_add(1);
            self.out.push_back((to, vec![self.called]));
            self.next = Some(now + EACH);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.next.map(|at| Wake { at, reason: "call" })
    }

    fn poll_event(&mut self) -> Option<Self::Event> {
        self.heard.pop_front()
    }

    fn handle_datagram(&mut self, _: Instant, from: SocketAddr, data: &[u8]) -> Result<(), Infallible> {
        self.heard.push_back((from, data.to_vec()));
        if self.calls.is_none() {
            self.out.push_back((from, data.to_vec()));
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let (to, data) = self.out.pop_front()?;
        *buffer = data;
        Some(Transmit { to })
    }
}

fn caller_and_echo(seed: u64) -> (Network, NodeId<Caller>, NodeId<Caller>) {
    let mut network = Network::new(seed);
    let caller = network.add(CALLER, Caller::calling(ECHO));
    let echo = network.add(ECHO, Caller::default());
    (network, caller, echo)
}

const fn delayed(millis: u64) -> Conditions {
    Conditions { delay: Duration::from_millis(millis), ..Conditions::PERFECT }
}

#[test]
fn a_reply_takes_one_round_trip() {
    let (mut network, caller, _) = caller_and_echo(1);
    network.set_conditions(caller, delayed(30), delayed(20));
    let heard = |network: &Network| !network.events(caller).is_empty();
    assert_eq!(network.run_until(Duration::from_secs(1), heard), Ok(true));
    assert_eq!(network.now(), Instant::from_micros(50_000));
    assert_eq!(network.take_events(caller), [(ECHO, vec![1])]);
    assert_eq!(network.run_until(Duration::from_millis(10), heard), Ok(false));
    assert_eq!(network.now(), Instant::from_micros(60_000));
}

#[test]
fn time_advances_without_events() {
    let mut network = Network::new(1);
    network.run_for(Duration::from_secs(3600)).unwrap();
    assert_eq!(network.now(), Instant::from_micros(3_600_000_000));
}

#[test]
fn a_rebound_machine_sends_and_receives_at_its_new_address_only() {
    let (mut network, caller, echo) = caller_and_echo(2);
    network.set_conditions(caller, delayed(10), delayed(10));
    network.run_for(Duration::from_millis(15)).unwrap();
    // The first reply is in flight to the old address.
    network.rebind(caller, address(9));
    assert_eq!(network.address(caller), address(9));
    network.run_for(Duration::from_millis(150)).unwrap();
    let from: Vec<_> = network.take_events(echo).into_iter().map(|(from, _)| from).collect();
    assert_eq!(from, [CALLER, address(9)]);
    assert_eq!((network.take_events(caller).len(), network.unreachable()), (1, 1));
    network.inject(ECHO, CALLER, b"too late");
    assert_eq!(network.unreachable(), 2);
}

#[test]
fn a_datagram_to_an_unknown_address_is_lost_and_counted() {
    let mut network = Network::new(3);
    let caller = network.add(CALLER, Caller::calling(ECHO));
    network.run_for(Duration::from_millis(250)).unwrap();
    assert_eq!((network.sent(), network.unreachable()), (3, 3));
    assert!(network.events(caller).is_empty());
}

#[test]
fn a_pulled_cable_is_silence_until_it_is_put_back() {
    let (mut network, caller, _) = caller_and_echo(4);
    network.set_conditions(caller, Conditions::BLACKHOLE, Conditions::PERFECT);
    network.run_for(Duration::from_millis(950)).unwrap();
    assert!(network.events(caller).is_empty());
    assert_eq!(network.tally(caller).0.lost, 10);
    network.set_conditions(caller, Conditions::PERFECT, Conditions::PERFECT);
    network.run_for(Duration::from_secs(1)).unwrap();
    assert_eq!(network.events(caller).len(), 10);
}

#[test]
fn an_injected_datagram_has_the_given_source_address() {
    let (mut network, _, echo) = caller_and_echo(5);
    network.inject(address(66), ECHO, b"forged");
    network.run_for(Duration::from_millis(1)).unwrap();
    assert!(network.events(echo).contains(&(address(66), b"forged".to_vec())));
    assert_eq!(network.unreachable(), 1, "the answer goes to the forged address");
}

#[test]
fn a_tap_sees_all_sent_datagrams_including_lost_ones() {
    let (mut network, caller, _) = caller_and_echo(6);
    network.set_conditions(caller, Conditions::BLACKHOLE, Conditions::PERFECT);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&seen);
    network.set_tap(move |at, from, to, data| sink.borrow_mut().push((at, from, to, data.to_vec())));
    network.run_for(Duration::from_millis(100)).unwrap();
    let second = Instant::from_micros(100_000);
    assert_eq!(*seen.borrow(), [(Instant::ZERO, CALLER, ECHO, vec![1]), (second, CALLER, ECHO, vec![2])]);
}

#[test]
fn a_seed_decides_every_byte() {
    let digest = |seed| {
        let (mut network, caller, _) = caller_and_echo(seed);
        network.set_conditions(caller, Conditions::POOR, Conditions::POOR);
        network.run_for(Duration::from_secs(10)).unwrap();
        network.digest()
    };
    assert_eq!(digest(7), digest(7));
    assert_ne!(digest(7), digest(8));
}

#[test]
fn a_machine_receives_the_time_before_a_command() {
    let (mut network, _, echo) = caller_and_echo(8);
    network.run_for(Duration::from_millis(50)).unwrap();
    let before = network.sent();
    network.machine_mut(echo).out.push_back((CALLER, b"hello".to_vec()));
    network.run_for(Duration::ZERO).unwrap();
    assert_eq!(network.sent(), before + 1);
    assert_eq!(network.machine(echo).reported, Some(Instant::from_micros(50_000)));
    assert_eq!(network.rejected(echo), (0, None));
}

/// A machine that sets its timer to the time after this interval. A zero interval is a real busy loop.
struct Restless(Duration, Instant);

impl Machine for Restless {
    type Event = ();
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.1 = now + self.0;
    }

    fn poll_timeout(&self) -> Option<Wake> {
        Some(Wake { at: self.1, reason: "restless" })
    }

    fn poll_event(&mut self) -> Option<()> {
        None
    }

    fn handle_datagram(&mut self, _: Instant, _: SocketAddr, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, _: &mut Vec<u8>) -> Option<Transmit> {
        None
    }
}

#[test]
fn a_busy_loop_is_found_and_names_its_timer() {
    for pause in [Duration::ZERO, Duration::from_micros(1)] {
        let (mut network, ..) = caller_and_echo(9);
        network.add(address(3), Restless(pause, Instant::ZERO));
        let stuck = network.run_for(Duration::from_secs(60)).unwrap_err();
        assert_eq!((stuck.who, stuck.why), (address(3), Some("restless")), "{pause:?}");
        assert!(
            stuck.to_string().ends_with("127.0.0.1:3 sets a timer that is always due: restless"),
            "{stuck}"
        );
    }
}

#[test]
fn two_machines_that_answer_each_other_at_once_for_ever_are_found() {
    let mut network = Network::new(10);
    network.add(CALLER, Caller::default());
    network.add(ECHO, Caller::default());
    network.inject(CALLER, ECHO, b"loop");
    let Err(Livelock { at, why, .. }) = network.run_for(Duration::from_secs(1)) else { panic!("it ends") };
    assert_eq!((at, why), (Instant::ZERO, None));
}

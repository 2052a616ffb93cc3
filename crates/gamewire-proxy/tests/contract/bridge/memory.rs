use std::time::Duration;

use allocation_counter::measure;
use gamewire_machine::{Instant, Machine, Role};
use gamewire_proxy::{Bridge, Transparent};
use gamewire_riptide::{Message, MessageSendMode};
use gamewire_sim::contract::{Harness, PEER, START, SUBJECT};

use super::bridged::Bridged;
use super::{riptide, teeworlds};

/// Number of datagrams in a flood.
const FLOOD: usize = 20_000;
/// Number of datagrams after which a bridge is warm, and number of the ones that are measured.
const WARM: usize = 500;

/// Exchanges datagrams between a bridge and its peer for `seconds`.
fn exchange<M: Machine, P: Machine>(bridged: &mut M, peer: &mut P, start: Instant, seconds: u64) -> Instant {
    let mut buffer = Vec::new();
    for millis in (0..seconds * 1_000).step_by(10) {
        let now = start + Duration::from_millis(millis);
        peer.handle_timeout(now);
        bridged.handle_timeout(now);
        while peer.poll_transmit(now, &mut buffer).is_some() {
            let _ = bridged.handle_datagram(now, PEER, &buffer);
        }
        while bridged.poll_transmit(now, &mut buffer).is_some() {
            let _ = peer.handle_datagram(now, SUBJECT, &buffer);
        }
        while peer.poll_event().is_some() {}
    }
    start + Duration::from_secs(seconds)
}

/// Returns the bytes that a bridge allocates for its peer while the program behind it sends many datagrams and nobody
/// polls the bridge for the peer.
fn flooded<B: Bridge, P: Machine, H>(send: impl Fn(&mut P)) -> u64
where
    H: Harness<Machine = Bridged<B, P>>,
{
    let (mut bridged, mut peer) = (H::make(0, START), H::peer(0, START).unwrap());
    let mut now = exchange(&mut bridged, &mut peer, START, 5);
    assert!(!bridged.is_over());
    let (mut datagrams, mut buffer) = (Vec::new(), Vec::new());
    for _ in 0..FLOOD {
        send(bridged.behind_mut());
        while bridged.behind_mut().poll_transmit(now, &mut buffer).is_some() {
            datagrams.push(buffer.clone());
        }
        now = now + Duration::from_micros(100);
        bridged.behind_mut().handle_timeout(now);
    }
    assert!(datagrams.len() >= FLOOD / 2, "{} datagrams", datagrams.len());
    measure(|| datagrams.iter().for_each(|datagram| bridged.receive_from_behind(now, datagram))).bytes_max
}

#[test]
fn a_bridge_holds_a_bounded_number_of_bytes_for_a_caller_that_does_not_poll_it() {
    let unreliable = Message::create(MessageSendMode::Unreliable, 1_u16);
    let bytes = [
        flooded::<_, _, riptide::Datagrams>(|server| drop(server.send_to_all(&unreliable))),
        flooded::<_, _, teeworlds::WithClient<0>>(|server| server.say("a line of text")),
    ];
    assert!(bytes.iter().all(|bytes| *bytes < 4 << 20), "{bytes:?}");

    let mut transparent = Transparent::new();
    let held = measure(|| (0..FLOOD).for_each(|_| transparent.handle(START, Role::Client, &[7; 1_000])));
    assert!(held.bytes_max < 4 << 20, "{} bytes", held.bytes_max);
}

#[test]
fn a_warm_bridge_without_rules_allocates_nothing_for_a_datagram() {
    let mut transparent = Transparent::new();
    let mut buffer = Vec::new();
    let mut pass = || {
        transparent.handle(START, Role::Client, &[7; 1_000]);
        transparent.handle(START, Role::Server, &[8; 100]);
        for to in Role::BOTH {
            while transparent.poll_transmit(START, to, &mut buffer) {}
        }
    };
    pass();
    assert_eq!(measure(|| (0..WARM).for_each(|_| pass())).count_total, 0);
}

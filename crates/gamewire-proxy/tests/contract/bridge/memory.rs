use std::time::Duration;

use allocation_counter::measure;
use gamewire_machine::{Instant, Machine, Role};
use gamewire_proxy::{Bridge, Transparent};
use gamewire_riptide::server::Server;
use gamewire_riptide::{Message, MessageSendMode};
use gamewire_sim::contract::{Harness, PEER, START, SUBJECT};
use gamewire_teeworlds::model::ServerMessage;
use gamewire_teeworlds::server::{self, WalkingGame};
use gamewire_teeworlds::{Dialect, Text};
use gamewire_wire::Writer;

use super::bridged::{Bridged, WITH_RULES};
use super::{riptide, teeworlds};

/// Number of datagrams in a flood.
const FLOOD: usize = 20_000;
/// Number of seconds after which a bridge is warm.
const WARM_SECONDS: u64 = 30;

/// Exchanges datagrams between a bridge and its peer for `seconds`.
fn exchange<M: Machine, P: Machine>(
    bridged: &mut M,
    peer: &mut P,
    start: Instant,
    seconds: u64,
    buffer: &mut Vec<u8>,
) -> Instant {
    for millis in (0..seconds * 1_000).step_by(10) {
        let now = start + Duration::from_millis(millis);
        peer.handle_timeout(now);
        bridged.handle_timeout(now);
        while peer.poll_transmit(now, buffer).is_some() {
            let _ = bridged.handle_datagram(now, PEER, buffer);
        }
        while bridged.poll_transmit(now, buffer).is_some() {
            let _ = peer.handle_datagram(now, SUBJECT, buffer);
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
    let mut now = exchange(&mut bridged, &mut peer, START, 5, &mut Vec::new());
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
    let line = "a line of text ".repeat(60);
    let mut motd = [0; 1_100];
    let mut to = Writer::new(&mut motd);
    let message = ServerMessage::Motd(Text::new(&line));
    Dialect::V06.encode_server_message(&message, &mut to).unwrap();
    let motd = to.written().to_vec();
    let bytes = [
        flooded::<_, _, riptide::Datagrams>(|server| {
            server.send_to_all(&unreliable);
        }),
        flooded::<_, _, teeworlds::WithClient<0>>(|server| {
            let to = server.messages().players().next().unwrap().0;
            server.messages().send_raw(to, false, &motd).unwrap();
        }),
    ];
    assert!(bytes.iter().all(|bytes| *bytes < 4 << 20), "{bytes:?}");

    let mut transparent = Transparent::new();
    let held = measure(|| (0..FLOOD).for_each(|_| transparent.handle(START, Role::Client, &[7; 1_000])));
    assert!(held.bytes_max < 4 << 20, "{} bytes", held.bytes_max);
}

#[test]
fn a_transparent_bridge_allocates_nothing_for_a_datagram() {
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
    assert_eq!(measure(|| (0..500).for_each(|_| pass())).count_total, 0);
}

/// Returns the allocations of a warm bridge in a second in which both sides send.
fn warm<B: Bridge, P: Machine, H>(number: u64, send: impl Fn(&mut P)) -> u64
where
    H: Harness<Machine = Bridged<B, P>>,
{
    let (mut bridged, mut peer) = (H::make(number, START), H::peer(number, START).unwrap());
    let mut buffer = Vec::new();
    let mut now = START;
    for _ in 0..WARM_SECONDS {
        send(bridged.behind_mut());
        bridged.take_allocations();
        now = exchange(&mut bridged, &mut peer, now, 1, &mut buffer);
    }
    assert!(!bridged.is_over());
    bridged.take_allocations()
}

#[test]
fn a_warm_bridge_allocates_nothing_for_a_datagram() {
    let send = |server: &mut Server| {
        for mode in [MessageSendMode::Unreliable, MessageSendMode::Reliable] {
            let mut message = Message::create(mode, 1_u16);
            message.add_bytes(&[7; 200]);
            server.send_to_all(&message);
        }
    };
    let say = |server: &mut server::Server<WalkingGame>| server.say("a line");
    for number in [0, WITH_RULES] {
        let allocations = [
            ("2.1", warm::<_, _, riptide::Datagrams>(number, send)),
            ("0.6", warm::<_, _, teeworlds::WithClient<0>>(number, say)),
            ("0.6.5", warm::<_, _, teeworlds::WithClient<1>>(number, say)),
            ("0.6 of DDNet", warm::<_, _, teeworlds::WithClient<2>>(number, say)),
            ("0.7", warm::<_, _, teeworlds::WithClient<3>>(number, say)),
            ("0.7 to 0.6", warm::<_, _, teeworlds::WithClient<4>>(number, say)),
            ("0.6 to 0.7", warm::<_, _, teeworlds::WithClient<5>>(number, say)),
        ];
        assert!(allocations.iter().all(|(_, count)| *count == 0), "hook {number}: {allocations:?}");
    }
}

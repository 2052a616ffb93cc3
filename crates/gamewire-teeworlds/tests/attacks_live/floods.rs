//! T1: hundreds of thousands of connection attempts.

use core::time::Duration;

use gamewire_machine::Machine;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::Event;
use gamewire_teeworlds::server::{Server, WalkingGame};

use super::world::{START, WITH_TOKENS, events, first_datagram, forged, serve, strict};
use crate::support::{DIALECTS, Play, server_address, server_config};

const FLOOD: u32 = 250_000;

/// Sends `datagram` from many addresses, one per microsecond. If `is_even` is set, checks that no reply is longer than
/// its request. Returns the growth of the server's memory in bytes.
fn flood(server: &mut Server<WalkingGame>, datagram: &[u8], is_even: bool) -> i64 {
    let mut buffer = Vec::with_capacity(1_400);
    // The first datagrams allocate the buffers.
    let mut attack = |server: &mut Server<WalkingGame>, number: u32| {
        let now = START + Duration::from_micros(number.into());
        let _ = server.handle_datagram(now, forged(number), datagram);
        let mut answered = 0;
        while server.poll_transmit(now, &mut buffer).is_some() {
            answered += buffer.len();
        }
        assert!(!is_even || answered <= datagram.len(), "{answered} bytes for {}", datagram.len());
    };
    (0..64).for_each(|number| attack(server, number));
    let grown = allocation_counter::measure(|| (64..FLOOD).for_each(|number| attack(server, number)));
    grown.bytes_current
}

fn survives(dialect: Dialect, is_answered: bool) {
    let mut server = serve(strict());
    let held = server.held_bytes();
    let grown = flood(&mut server, &first_datagram(dialect), true);
    assert!(grown <= 4_096, "{grown} bytes");
    assert_eq!((server.held_bytes(), server.client_count()), (held, 0));
    assert_eq!(events(&mut server), []);
    assert_eq!(server.acceptor_stats().answered, if is_answered { FLOOD.into() } else { 0 });
}

#[test]
fn t1_a_flood_of_plain_connects_uses_no_memory_and_gets_no_answer() {
    survives(Dialect::V06, false);
}

#[test]
fn t1_a_flood_of_connects_of_0_6_5_uses_no_memory_and_is_not_amplified() {
    survives(Dialect::V065, true);
}

#[test]
fn t1_a_flood_of_connects_of_ddnet_uses_no_memory_and_is_not_amplified() {
    survives(Dialect::Tken, true);
}

#[test]
fn t1_a_flood_of_token_requests_of_0_7_uses_no_memory_and_is_not_amplified() {
    survives(Dialect::V07, true);
}

#[test]
fn t1_a_server_that_accepts_plain_connects_fills_only_its_slots() {
    let mut server = serve(server_config(1));
    let before = server.held_bytes();
    // A rejected client gets the reason, which is longer than its request.
    flood(&mut server, &first_datagram(Dialect::V06), false);
    assert_eq!(server.client_count(), 16);
    let each = (server.held_bytes() - before) / 16;
    assert!(each <= 2_048, "{each} bytes");
    // Silent clients time out.
    let later = START + Duration::from_secs(11);
    server.handle_timeout(later);
    assert_eq!(server.client_count(), 0);
}

#[test]
fn t1_players_are_accepted_during_the_flood() {
    for dialect in WITH_TOKENS {
        let mut play = Play::new(strict());
        let client = play.join(10, dialect);
        let floods = DIALECTS.map(first_datagram);
        for number in 0..20_000 {
            let datagram = &floods[number as usize % 4];
            play.network.inject(forged(number), server_address(), datagram);
            if number % 10 == 0 {
                play.run(1);
            }
        }
        assert!(play.network.events(client).contains(&Event::Entered), "{dialect:?}");
        assert_eq!(play.network.machine(play.server).client_count(), 1);
    }
}

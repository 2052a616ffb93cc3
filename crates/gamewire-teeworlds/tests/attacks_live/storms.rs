//! T8: a peer that requests resends continuously.

use core::time::Duration;

use gamewire_machine::{Instant, Machine};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::Client;
use gamewire_teeworlds::model::message::{Audience, ClientId};
use gamewire_teeworlds::server::{Server, WalkingGame};

use super::world::{START, sent, serve};
use crate::support::relay::exchange;
use crate::support::thin::Thin;
use crate::support::{DIALECTS, client_config, every_dialect, host, seed, server_config};

/// Number of resend requests, one per millisecond.
const STORM: u64 = 2_000;
/// Number of unacknowledged messages that the machine sends before the storm.
const UNACKED: usize = 40;
const LINE: &str = "a line of chat that the peer does not acknowledge, so that it is kept to be sent again";

/// Returns a packet with the resend flag, of a peer that has sent nothing for a while.
fn asking(peer: &mut Thin, dialect: Dialect, now: Instant) -> Vec<u8> {
    let later = now + Duration::from_millis(1_100);
    peer.handle_timeout(later);
    let mut keep_alive = sent(peer, later).pop().unwrap();
    keep_alive[0] |= if dialect == Dialect::V07 { 0x08 } else { 0x40 };
    keep_alive
}

/// Returns the bytes that the machine sends during the resend requests.
fn storm<M: Machine>(machine: &mut M, from: u8, asking: &[u8], start: Instant) -> usize {
    let mut bytes = 0;
    for millis in 0..STORM {
        let now = start + Duration::from_millis(millis);
        machine.handle_datagram(now, host(from), asking).unwrap();
        if machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
            machine.handle_timeout(now);
        }
        bytes += sent(machine, now).iter().map(Vec::len).sum::<usize>();
    }
    bytes
}

/// Returns the maximum number of bytes. Unacknowledged messages may be sent ten times per second, in addition to all
/// other messages.
fn most(seconds: usize) -> usize {
    let once = UNACKED * (LINE.len() + 16);
    once * (10 * seconds + 2) + 64 * 1024
}

/// Returns a server, a player at `host(2)` in its game, and the time.
fn playing(dialect: Dialect) -> (Server<WalkingGame>, Client, Instant) {
    let mut server = serve(server_config(1));
    let mut player = Client::connect(host(1), client_config(1, dialect), START);
    let mut now = START;
    while player.state() != "playing" {
        now = now + Duration::from_millis(10);
        player.handle_timeout(now);
        server.handle_timeout(now);
        exchange(now, &mut player, &mut server);
    }
    (server, player, now)
}

#[test]
fn t8_a_server_answers_resend_requests_at_most_ten_times_a_second() {
    for dialect in DIALECTS {
        let (mut server, mut player, mut now) = playing(dialect);
        // The player is idle until its next keepalive.
        let mut asking = Vec::new();
        while asking.is_empty() {
            now = now + Duration::from_millis(10);
            player.handle_timeout(now);
            asking = sent(&mut player, now).pop().unwrap_or_default();
        }
        // Every packet also has the resend flag.
        asking[0] |= if dialect == Dialect::V07 { 0x08 } else { 0x40 };
        for _ in 0..UNACKED {
            server.handle_timeout(now);
            server.say(LINE);
        }
        sent(&mut server, now);
        let resent = server.stats(ClientId(0)).unwrap().resent;
        let bytes = storm(&mut server, 2, &asking, now);
        let stats = *server.stats(ClientId(0)).unwrap();
        let again = usize::try_from(stats.resent - resent).unwrap();
        assert!(again >= UNACKED, "{dialect:?}: it answers, too: {again}");
        assert!(again <= UNACKED * 22, "{dialect:?}: {again}");
        assert!(bytes <= most(2), "{dialect:?}: {bytes} bytes");
    }
}

#[test]
fn t8_a_client_answers_resend_requests_at_most_ten_times_a_second() {
    for dialect in DIALECTS {
        let mut server = Thin::listener(every_dialect(), seed(3), START);
        let mut client = Client::connect(host(1), client_config(1, dialect), START);
        exchange(START, &mut client, &mut server);
        assert_eq!(client.state(), "logging in", "{dialect:?}");
        // The server has sent a packet, so the handshake is complete.
        server.say(false, &[0xff]).unwrap();
        exchange(START, &mut client, &mut server);
        for _ in 0..UNACKED {
            client.say(Audience::All, LINE).unwrap();
        }
        sent(&mut client, START);
        let asking = asking(&mut server, dialect, START);
        let start = START + Duration::from_millis(1_100);
        let resent = client.stats().link.resent;
        let bytes = storm(&mut client, 1, &asking, start);
        let again = usize::try_from(client.stats().link.resent - resent).unwrap();
        assert!(again >= UNACKED, "{dialect:?}: {again}");
        assert!(again <= (UNACKED + 3) * 22, "{dialect:?}: {again}");
        assert!(bytes <= most(2), "{dialect:?}: {bytes} bytes");
        assert_ne!(client.state(), "closed");
    }
}

#[test]
fn t8_a_client_that_acknowledges_nothing_is_disconnected_with_a_full_send_buffer() {
    for dialect in DIALECTS {
        let (mut server, _, now) = playing(dialect);
        let before = server.held_bytes();
        let mut most_held = 0;
        for _ in 0..10_000 {
            server.handle_timeout(now);
            server.say(LINE);
            sent(&mut server, now);
            most_held = most_held.max(server.held_bytes().saturating_sub(before));
        }
        server.handle_timeout(now);
        assert_eq!(server.client_count(), 0, "{dialect:?}");
        assert!(most_held <= 64 * 1024, "{dialect:?}: {most_held}");
    }
}

//! T2: tokens that are old, wrong or issued to another client.

use core::time::Duration;

use gamewire_machine::{Instant, Machine};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::Client;

use super::world::{START, WITH_TOKENS, serve, strict};
use crate::support::{client_config, host};

/// Returns the datagrams of a client at `host(2)` in its first second with a server.
fn said(dialect: Dialect) -> Vec<Vec<u8>> {
    let mut server = serve(strict());
    let mut client = Client::connect(host(1), client_config(1, dialect), START);
    let mut said = Vec::new();
    let mut buffer = Vec::new();
    for millis in (0..1_000).step_by(10) {
        let now = START + Duration::from_millis(millis);
        client.handle_timeout(now);
        server.handle_timeout(now);
        for _ in 0..8 {
            while client.poll_transmit(now, &mut buffer).is_some() {
                said.push(buffer.clone());
                let _ = server.handle_datagram(now, host(2), &buffer);
            }
            while server.poll_transmit(now, &mut buffer).is_some() {
                let _ = client.handle_datagram(now, host(1), &buffer);
            }
        }
    }
    assert_eq!((client.state(), server.client_count()), ("playing", 1));
    said
}

/// Replays datagrams to a new server with the same secret. Returns its number of clients, and the number of
/// wrong tokens.
fn replayed(said: &[Vec<u8>], from: u8, now: Instant) -> (usize, u64) {
    let mut server = serve(strict());
    for datagram in said {
        let _ = server.handle_datagram(now, host(from), datagram);
    }
    (server.client_count(), server.acceptor_stats().wrong_token)
}

#[test]
fn t2_replayed_datagrams_of_a_client_give_no_slot_to_others() {
    for dialect in WITH_TOKENS {
        let said = said(dialect);
        let again = replayed(&said, 2, START + Duration::from_secs(1));
        assert_eq!(again.0, 1, "{dialect:?}: the same host, at the same time");
        let elsewhere = replayed(&said, 3, START + Duration::from_secs(1));
        assert!(elsewhere.0 == 0 && elsewhere.1 > 0, "{dialect:?}: {elsewhere:?}");
        let late = replayed(&said, 2, START + Duration::from_secs(40));
        assert!(late.0 == 0 && late.1 > 0, "{dialect:?}: {late:?}");
    }
}

#[test]
fn t2_no_guessed_token_gives_a_slot() {
    for dialect in WITH_TOKENS {
        let said = said(dialect);
        let mut server = serve(strict());
        for (number, datagram) in (0_u32..).zip(said.iter().cycle()).take(50_000) {
            let mut guess = datagram.clone();
            // The token is in the header or at the end, so both are replaced.
            let bytes = number.wrapping_mul(0x9e37_79b9).to_be_bytes();
            let end = guess.len() - 4;
            guess[end..].copy_from_slice(&bytes);
            if guess.len() >= 8 {
                guess[3..7].copy_from_slice(&bytes);
            }
            let _ = server.handle_datagram(START, host(2), &guess);
        }
        assert_eq!(server.client_count(), 0, "{dialect:?}");
        assert_eq!(server.acceptor_stats().accepted, 0, "{dialect:?}");
    }
}

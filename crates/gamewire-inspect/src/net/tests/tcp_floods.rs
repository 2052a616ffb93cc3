//! Hostile TCP: floods and full buffers.

use std::net::SocketAddr;

use gamewire_sim::random::Random;

use super::tcp_script::{ACK, SYN, SYN_ACK, Script};
use crate::net::tcp::ReassemblyLimits;

const SMALL: ReassemblyLimits = ReassemblyLimits {
    connections: 16,
    per_direction: 10_000,
    total: 50_000,
    gap_timeout_ns: 10_000_000_000,
};

fn address(n: u32) -> SocketAddr {
    SocketAddr::from((n.to_be_bytes(), 1000))
}

#[test]
fn g2_a_million_half_open_connections_do_not_replace_a_live_one() {
    let mut script = Script::new(ReassemblyLimits::default());
    let player = script.client;
    script.client(0, SYN, b"");
    script.server(500, SYN_ACK, b"");
    let mut seq = 1_u32;
    for n in 0..1_000_000_u32 {
        script.client = address(n);
        script.client(n, SYN, b"");
        script.server(n, SYN_ACK, b"");
        if n % 1000 == 0 {
            script.client = player;
            script.client(seq, ACK, b".");
            seq += 1;
        }
    }
    assert_eq!(script.reassembler.connections(), ReassemblyLimits::default().connections);
    assert_eq!(script.reassembler.buffered_bytes(), 0);
    let events = script.events();
    assert_eq!(events.len(), 1 + 1000, "half-open connections have no events");
    assert!(events[1..].iter().all(|line| line == "0 client ."));
}

#[test]
fn a_replaced_connection_is_dropped_after_its_buffered_bytes() {
    let mut script = Script::new(ReassemblyLimits { connections: 1, ..SMALL });
    script.client(1, ACK, b"a");
    script.client(3, ACK, b"c");
    script.client = address(77);
    script.client(1, ACK, b"b");
    let events = script.events();
    let events: Vec<&str> = events.iter().map(|line| line.split_once(' ').unwrap().0).collect();
    assert_eq!(events, ["0", "0", "0", "0", "0", "1", "1"], "opened, a, gap, c, dropped; opened, b");
    assert_eq!(script.reassembler.buffered_bytes(), 0);
}

#[test]
fn a_replaced_connection_that_continues_is_a_new_one() {
    let mut script = Script::new(ReassemblyLimits { connections: 1, ..SMALL });
    for n in [1, 2, 1] {
        script.client = address(n);
        script.client(n, ACK, &[b'0' + u8::try_from(n).unwrap()]);
    }
    let events = script.events();
    let data: Vec<&String> = events.iter().filter(|line| line.ends_with(['1', '2'])).collect();
    assert_eq!(data, ["0 client 1", "1 client 2", "2 client 1"]);
}

#[test]
fn g2_one_direction_buffers_at_most_its_limit() {
    let mut script = Script::new(SMALL);
    script.client(0, SYN, b"");
    // Send every second byte, so that each byte is a buffered segment and the first gap is never filled.
    for n in 0..5000 {
        script.client(2 + 2 * n, ACK, b"x");
        assert!(script.reassembler.buffered_bytes() <= SMALL.per_direction);
    }
    let events = script.events();
    assert_eq!(&events[..3], ["0 client opens", "0 client misses 1", "0 client x"]);
}

#[test]
fn g2_all_directions_buffer_at_most_the_total() {
    let mut script = Script::new(SMALL);
    for round in 0..20 {
        for n in 0..16 {
            script.client = address(n);
            script.client(1 + round * 2000, ACK, &[b'x'; 1000]);
            assert!(script.reassembler.buffered_bytes() <= SMALL.total);
        }
    }
    assert_eq!(script.reassembler.connections(), 16);
    assert!(script.events().iter().any(|line| line.ends_with("misses 1000")));
    script.finish();
    assert_eq!(script.reassembler.buffered_bytes(), 0);
}

#[test]
fn g2_random_segments_deliver_every_byte_at_most_once_and_in_order() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let mut draw = move |limit: usize| u32::try_from(random.below(limit)).unwrap();
    // Each byte depends on its position, so that any error in order or overlap is detected.
    let stream: Vec<u8> = (0..20_000_u32).map(|n| b'a' + u8::try_from(n % 23).unwrap()).collect();
    for round in 0..50 {
        let start = u32::MAX - draw(20_000);
        let mut script = Script::new(SMALL);
        script.client(start.wrapping_sub(1), SYN, b"");
        for _ in 0..600 {
            let from = draw(19_900);
            let len = 1 + draw(99);
            let data = &stream[from as usize..(from + len) as usize];
            script.client(start.wrapping_add(from), ACK, data);
            assert!(script.reassembler.buffered_bytes() <= SMALL.per_direction);
        }
        script.finish();
        let mut position = 0;
        for line in script.events().iter().skip(1) {
            let what = line.strip_prefix("0 client ").unwrap();
            if let Some(missing) = what.strip_prefix("misses ") {
                position += missing.parse::<usize>().unwrap();
            } else {
                assert_eq!(what.as_bytes(), &stream[position..position + what.len()], "round {round}");
                position += what.len();
            }
        }
        assert!(position > 10_000, "round {round} ended at {position}");
    }
}

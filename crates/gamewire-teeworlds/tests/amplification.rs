//! Bytes that a server sends to an address that may be forged, for each request without a proof of its address.

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine as _};
use gamewire_teeworlds::browse::MAX_SHORT_REPLY;
use gamewire_teeworlds::server::{Map, Server, ServerConfig, UnprovenInfo, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};

const START: Instant = Instant::from_micros(1_000_000_000);

fn config(max_clients: u8) -> ServerConfig {
    let mut config = ServerConfig::new([1; 32], "a server with a usual name", Map::new("dm1", vec![7; 100]));
    config.max_clients = max_clients;
    config.max_clients_per_address = max_clients;
    let tokenless = TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06));
    config.acceptor = AcceptorConfig { tokenless, ..AcceptorConfig::vanilla() };
    config
}

fn accepting(max_clients: u8) -> Server<WalkingGame> {
    Server::new(config(max_clients), WalkingGame::default(), START)
}

/// Returns the info requests of 0.6 with their names.
fn info_requests() -> [(&'static str, Vec<u8>); 2] {
    [
        ("0.6", [&[0xff; 10][..], b"gie3\x05"].concat()),
        ("extended", [b"xe\x12\x34\0\0", &[0xff; 4][..], b"gie3\x05"].concat()),
    ]
}

/// Sends `count` copies of a request from one address within a minute, and returns the bytes of requests and replies.
fn measure(server: &mut Server<WalkingGame>, request: &[u8], count: u64) -> (usize, usize) {
    let from = SocketAddr::from(([203, 0, 113, 5], 4000));
    let (mut sent, mut buffer) = (0, Vec::new());
    for number in 0..60_000 / 20 {
        let now = START + Duration::from_millis(number * 20);
        server.handle_timeout(now);
        if number < count {
            let _ = server.handle_datagram(now, from, request);
        }
        while let Some(transmit) = server.poll_transmit(now, &mut buffer) {
            if transmit.to == from {
                sent += buffer.len();
            }
        }
        while server.poll_event().is_some() {}
    }
    (usize::try_from(count).unwrap() * request.len(), sent)
}

/// Fills a server with clients of plain 0.6.
fn fill(server: &mut Server<WalkingGame>, clients: u8) {
    for client in 1..=clients {
        server
            .handle_datagram(START, SocketAddr::from(([10, client, 0, 1], 4000)), &[0x10, 0, 0, 1])
            .unwrap();
    }
}

#[test]
fn t4_replies_to_handshakes_of_an_unproven_address_are_not_longer_than_the_requests() {
    let with_body = |start: &[u8], length: usize| {
        let mut request = start.to_vec();
        request.resize(length, 0);
        request
    };
    let requests = [
        ("CONNECT of 0.6", vec![0x10, 0, 0, 1]),
        ("CONNECT of DDNet", b"\x10\0\0\x01TKEN\xff\xff\xff\xff".to_vec()),
        ("CONNECT of 0.6.5", with_body(b"\x10\0\0\x01\0\0\0\0\x11\x22\x33\x44", 516)),
        ("a short CONNECT of 0.6.5", with_body(b"\x10\0\0\x01\0\0\0\0\x11\x22\x33\x44", 515)),
        ("TOKEN of 0.7", with_body(b"\x04\0\0\xff\xff\xff\xff\x05\x11\x22\x33\x44", 520)),
        ("a short TOKEN of 0.7", with_body(b"\x04\0\0\xff\xff\xff\xff\x05\x11\x22\x33\x44", 400)),
    ];
    for (name, request) in requests {
        for count in [1, 200] {
            let (asked, answered) = measure(&mut accepting(16), &request, count);
            // The connection that a CONNECT without a token opens times out within this time.
            assert!(answered <= asked, "{count} of {name}: {answered} bytes for {asked}");
        }
    }
}

#[test]
fn t1_forged_connects_do_not_lock_out_other_clients_for_long() {
    let mut server = accepting(4);
    fill(&mut server, 4);
    let newcomer = SocketAddr::from(([203, 0, 113, 5], 4000));
    let mut reply = Vec::new();
    let mut ask = |server: &mut Server<WalkingGame>, now| {
        while server.poll_transmit(now, &mut reply).is_some() {}
        server.handle_datagram(now, newcomer, &[0x10, 0, 0, 1]).unwrap();
        while server.poll_transmit(now, &mut reply).is_some_and(|transmit| transmit.to != newcomer) {}
        reply.clone()
    };
    assert!(ask(&mut server, START).ends_with(b"full\0"));
    assert_eq!(ask(&mut server, START + Duration::from_secs(1)), [0x10, 0, 0, 2], "CONNECTACCEPT");
}

#[test]
fn t4_a_full_server_sends_an_unproven_address_one_word() {
    let mut full = accepting(4);
    fill(&mut full, 4);
    assert_eq!(measure(&mut full, &[0x10, 0, 0, 1], 1), (4, 9));
    let mut full = accepting(4);
    fill(&mut full, 4);
    // Within the second in which no client gives way.
    let (asked, answered) = measure(&mut full, &[0x10, 0, 0, 1], 40);
    assert!(asked == 160 && answered <= 9 * 40, "{answered} bytes for {asked}");
}

#[test]
fn t4_server_info_for_an_unproven_address_has_five_times_the_request_at_most() {
    for name in ["a server with a usual name", "s", &"a long name ".repeat(40)] {
        let mut config = config(64);
        config.name = name.into();
        config.game_type = "a long game type".repeat(3);
        config.map = Map::new("a long map name".repeat(3), vec![7; 100]);
        for (format, request) in info_requests() {
            let mut server = Server::new(config.clone(), WalkingGame::default(), START);
            fill(&mut server, 63);
            let (asked, answered) = measure(&mut server, &request, 1);
            assert_eq!(asked, 15);
            assert!((40..=MAX_SHORT_REPLY).contains(&answered), "{format}, {name}: {answered} bytes");
            // A flood for a minute: 20 answers, and then 4 a second.
            let mut server = Server::new(config.clone(), WalkingGame::default(), START);
            fill(&mut server, 63);
            let (asked, answered) = measure(&mut server, &request, 3000);
            assert!(answered <= 260 * MAX_SHORT_REPLY, "{format}, {name}: {answered} bytes for {asked}");
        }
    }
    assert_eq!(MAX_SHORT_REPLY, 5 * 15);
}

#[test]
fn t4_where_clients_are_listed_an_unproven_address_gets_four_lists() {
    for ((format, request), whole) in info_requests().into_iter().zip([27, 105]) {
        let ask = |count| {
            let config = ServerConfig { unproven_info: UnprovenInfo::Whole, ..config(64) };
            let mut server = Server::new(config, WalkingGame::default(), START);
            fill(&mut server, 63);
            measure(&mut server, &request, count)
        };
        let (asked, first) = ask(1);
        assert!(first > 20 * asked && first <= whole * asked, "{format}: {first} bytes for {asked}");
        // One a second within the first second: four lists, sixteen short answers.
        let (_, twenty) = ask(20);
        assert!(twenty - 4 * first <= 16 * MAX_SHORT_REPLY, "{format}: {twenty} bytes for 20 requests");
        // A flood for a minute: the list once a second.
        let (asked, answered) = ask(3000);
        assert!(answered <= 64 * first + 260 * MAX_SHORT_REPLY, "{format}: {answered} bytes for {asked}");
    }
}

#[test]
fn a_client_with_a_token_gets_the_list_of_clients() {
    for (format, request) in info_requests() {
        let mut server = accepting(64);
        fill(&mut server, 40);
        let from = SocketAddr::from(([203, 0, 113, 5], 4000));
        let mut reply = Vec::new();
        let mut exchange = |server: &mut Server<WalkingGame>, datagram: &[u8]| {
            server.handle_datagram(START, from, datagram).unwrap();
            let mut replies = Vec::new();
            while let Some(transmit) = server.poll_transmit(START, &mut reply) {
                if transmit.to == from {
                    replies.push(reply.clone());
                }
            }
            replies
        };
        let accept = exchange(&mut server, b"\x10\0\0\x01TKEN\xff\xff\xff\xff").remove(0);
        let unproven: usize = exchange(&mut server, &request).iter().map(Vec::len).sum();
        exchange(&mut server, &[b"\x10\0\0\x03", &accept[8..]].concat());
        let proven: usize = exchange(&mut server, &request).iter().map(Vec::len).sum();
        assert!(unproven <= MAX_SHORT_REPLY && proven > 300, "{format}: {unproven}, then {proven} bytes");
    }
}

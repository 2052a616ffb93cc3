//! Attacks. Their kind is `e1`.

use core::time::Duration;
use std::net::SocketAddr;

use super::support::{
    KEY, Pair, after, client, client_address, exchange, from_client, from_server, initiation, receive, seal,
    server, server_address, server_with,
};
use crate::{Client, Key, RecordError, Server, ServerConfig, ServerEvent};

#[test]
fn e1_a_million_forged_requests_store_nothing_and_get_fewer_bytes_than_they_sent() {
    let mut server = server();
    let (mut sent, mut received) = (0, 0);
    let mut request = from_client(&mut client(1), after(0)).remove(0);
    for number in 0..1_000_000_u32 {
        let from = SocketAddr::from((number.to_be_bytes(), 1));
        request[2..6].copy_from_slice(&number.to_le_bytes());
        server.handle_datagram(after(0), from, &request).unwrap();
        sent += request.len();
        if number % 64 == 0 {
            received += from_server(&mut server).iter().map(|(_, reply)| reply.len()).sum::<usize>();
        }
    }
    received += from_server(&mut server).iter().map(|(_, reply)| reply.len()).sum::<usize>();
    assert!(received * 2 < sent, "{received} of {sent}");
    assert_eq!((server.session_count(), server.poll_timeout()), (0, None));
    let mut honest = client(3);
    exchange(&mut honest, client_address(1), &mut server, after(0));
    assert!(honest.is_open());
}

#[test]
fn e1_no_reply_is_longer_than_its_request() {
    let (mut client, mut server) = (client(1), server());
    let mut packets = 0;
    while !client.is_open() {
        for datagram in from_client(&mut client, after(0)) {
            server.handle_datagram(after(0), client_address(1), &datagram).unwrap();
            for (_, reply) in from_server(&mut server) {
                assert!(reply.len() <= datagram.len(), "{} for {}", reply.len(), datagram.len());
                packets += 1;
                client.handle_datagram(after(0), server_address(), &reply).unwrap();
            }
        }
    }
    assert_eq!(packets, 2);
}

#[test]
fn e1_a_replayed_initiation_gets_the_same_response_and_no_second_session() {
    let (mut client, mut server) = (client(1), server());
    let initiation = initiation(&mut client, client_address(1), &mut server);
    let mut responses = Vec::new();
    for _ in 0..1000 {
        server.handle_datagram(after(0), client_address(1), &initiation).unwrap();
        responses.extend(from_server(&mut server));
    }
    assert_eq!((responses.len(), server.session_count()), (1000, 1));
    assert!(responses.iter().all(|response| *response == responses[0]));
    client.handle_datagram(after(0), server_address(), &responses[0].1).unwrap();
    let record = seal(&mut client, b"x");
    let (session, _) = receive(&mut server, after(0), client_address(1), &record).unwrap();
    // A later replay begins a handshake that no client can finish.
    server.handle_datagram(after(0), client_address(1), &initiation).unwrap();
    let record = seal(&mut client, b"y");
    assert_eq!(receive(&mut server, after(0), client_address(1), &record).unwrap().0, session);
    server.handle_timeout(after(6));
    assert_eq!(server.session_count(), 1);
}

#[test]
fn e1_one_token_has_few_sessions_and_closes_its_own_silent_ones_only() {
    let mut server = server_with(ServerConfig { max_half_open_per_network: 5000, ..ServerConfig::default() });
    let join = |server: &mut Server, token: &[u8], number: u16, now| {
        let key = Key::from_bytes(KEY).client_key(token).unwrap();
        let mut seed = [9; 32];
        seed[..2].copy_from_slice(&number.to_le_bytes());
        let mut client = Client::new(key, [server_address()], seed, now);
        exchange(&mut client, client_address(number), server, now);
        let record = seal(&mut client, b"x");
        receive(server, now, client_address(number), &record).unwrap().0
    };
    let honest = join(&mut server, b"player 6", 0, after(0));
    let sessions: Vec<_> = (1..3000_u16)
        .map(|number| join(&mut server, b"player 5", number, after(0) + Duration::from_millis(number.into())))
        .collect();
    assert_eq!((server.session_count(), server.stats().superseded), (9, 2991));
    let closed: Vec<_> = core::iter::from_fn(|| server.poll_event()).collect();
    let oldest = sessions[..2991].iter().map(|session| ServerEvent::Closed { session: *session });
    assert_eq!(closed.len(), 2991);
    assert!(oldest.into_iter().all(|event| closed.contains(&event)));
    assert_eq!(server.token(honest), Some(&b"player 6"[..]));
    // All clients with the server's key have the empty token.
    for number in 0..20 {
        join(&mut server, b"", 4000 + number, after(3));
    }
    assert_eq!(server.session_count(), 29);
}

#[test]
fn e1_handshakes_that_never_end_are_bounded_in_total_and_for_each_network() {
    let config = ServerConfig { max_half_open: 20, max_half_open_per_network: 5, ..ServerConfig::default() };
    let mut server = server_with(config);
    for number in 0..40_u8 {
        for port in 0..8 {
            let from = SocketAddr::from(([10, 0, 0, number], port));
            let mut client = client(number.wrapping_mul(8).wrapping_add(u8::try_from(port).unwrap()));
            for _ in 0..2 {
                for datagram in from_client(&mut client, after(0)) {
                    let handled = server.handle_datagram(after(0), from, &datagram);
                    assert!(matches!(handled, Ok(None) | Err(RecordError::Full)));
                }
                for (_, reply) in from_server(&mut server) {
                    client.handle_datagram(after(0), server_address(), &reply).unwrap();
                }
            }
            assert_eq!(client.is_open(), port < 5);
        }
    }
    assert_eq!((server.session_count(), server.stats().full), (20, 120));
}

#[test]
fn e1_a_full_server_keeps_its_sessions() {
    let config = ServerConfig { max_sessions: 3, ..ServerConfig::default() };
    let mut server = server_with(config);
    let mut clients = Vec::new();
    for number in 0..6_u8 {
        let (mut client, from) = (client(10 + number), client_address(number.into()));
        for _ in 0..2 {
            for datagram in from_client(&mut client, after(0)) {
                server.handle_datagram(after(0), from, &datagram).ok();
            }
            for (_, reply) in from_server(&mut server) {
                client.handle_datagram(after(0), server_address(), &reply).unwrap();
            }
        }
        if client.is_open() {
            receive(&mut server, after(0), from, &seal(&mut client, b"x")).unwrap();
            clients.push((client, from));
        }
    }
    assert_eq!((clients.len(), server.session_count(), server.stats().full), (3, 3, 3));
    for (client, from) in &mut clients {
        assert!(receive(&mut server, after(0), *from, &seal(client, b"x")).is_ok());
    }
}

#[test]
fn e1_guessed_connection_ids_and_forged_records_change_nothing() {
    let mut pair = Pair::new();
    let mut record = seal(&mut pair.client, b"genuine");
    let genuine = record.clone();
    for number in 0..200_000_u32 {
        record[1..5].copy_from_slice(&number.wrapping_mul(21_475).to_le_bytes());
        if record[1..5] != genuine[1..5] {
            let refused = pair.server.handle_datagram(after(1), client_address(9), &record);
            assert_eq!(refused.map(|_| ()), Err(RecordError::UnknownSession));
        }
    }
    record.copy_from_slice(&genuine);
    for number in 0..20_000_u32 {
        record[5..9].copy_from_slice(&(number + 100).to_le_bytes());
        let refused = pair.server.handle_datagram(after(1), client_address(9), &record);
        assert_eq!(refused.map(|_| ()), Err(RecordError::Forged));
    }
    assert!(from_server(&mut pair.server).is_empty());
    assert_eq!(receive(&mut pair.server, after(1), client_address(1), &genuine).unwrap().1, b"genuine");
    assert_eq!(pair.server.address(pair.session), Some(client_address(1)));
}

#[test]
fn e1_forged_replies_do_not_disturb_a_client() {
    let (mut client, mut server) = (client(1), server());
    let request = from_client(&mut client, after(0)).remove(0);
    for first in [0x1f, 0x2f, 0x3f, 0x4f, 0x5f, 0x6f, 0x02] {
        for length in 1..120 {
            let forged = vec![first; length];
            assert!(client.handle_datagram(after(0), server_address(), &forged).is_err());
        }
    }
    server.handle_datagram(after(0), client_address(1), &request).unwrap();
    let (_, retry) = from_server(&mut server).remove(0);
    client.handle_datagram(after(0), server_address(), &retry).unwrap();
    let initiation = from_client(&mut client, after(0)).remove(0);
    server.handle_datagram(after(0), client_address(1), &initiation).unwrap();
    let (_, response) = from_server(&mut server).remove(0);
    for index in 0..response.len() {
        let mut forged = response.clone();
        forged[index] ^= 0x10;
        assert!(client.handle_datagram(after(0), server_address(), &forged).is_err(), "byte {index}");
        assert!(!client.is_open());
    }
    client.handle_datagram(after(0), server_address(), &response).unwrap();
    assert!(client.is_open());
}

#[test]
fn e1_a_public_key_without_a_secret_is_refused() {
    use crate::crypto::{public_key, shared_secret};
    use crate::noise::Responder;

    assert_eq!(shared_secret(&[5; 32], &[0; 32]), None);
    assert!(shared_secret(&[5; 32], &public_key(&[6; 32])).is_some());
    // A client that has the key, and sends zeros as its public key.
    let secret = [7; 32];
    let message = crate::noise::first_message_with_public_key(&secret, &[0; 32]);
    let responder = Responder::new(&secret, &message).unwrap();
    assert!(responder.finish(1, &[5; 32]).is_none());
}

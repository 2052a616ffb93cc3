use std::net::SocketAddr;

use super::support::{
    KEY, Pair, START, after, client, client_address, exchange, from_client, from_server, initiation, receive,
    seal, server, server_address, server_with,
};
use crate::{Client, ClientEvent, HandshakeState, Key, RecordError, SealError, Server, ServerConfig};

#[test]
fn a_session_opens_and_carries_packets_in_both_directions() {
    let mut pair = Pair::new();
    assert_eq!(pair.client.poll_event(), Some(ClientEvent::Opened { server: server_address() }));
    assert_eq!(pair.client.poll_event(), None);
    for length in [0, 1, 1231, 20_000] {
        let packet = vec![5; length];
        let record = seal(&mut pair.client, &packet);
        assert_eq!(record.len(), length + crate::wire::OVERHEAD_BYTES);
        let (session, received) = receive(&mut pair.server, after(0), client_address(1), &record).unwrap();
        assert_eq!((session, received), (pair.session, packet.clone()));
        assert_eq!(pair.send_to_client(&packet), (packet, client_address(1)));
    }
}

#[test]
fn each_lost_packet_of_the_handshake_is_sent_again() {
    for lost in 0..4 {
        let (mut client, mut server) = (client(1), server());
        let (mut count, mut seconds) = (0, 0);
        while !client.is_open() {
            assert!(seconds < 20, "packet {lost} lost");
            let mut requests = from_client(&mut client, after(seconds));
            while let Some(datagram) = requests.pop() {
                let is_lost = count == lost;
                count += 1;
                if is_lost {
                    continue;
                }
                server.handle_datagram(after(seconds), client_address(1), &datagram).unwrap();
                for (_, reply) in from_server(&mut server) {
                    let is_lost = count == lost;
                    count += 1;
                    if !is_lost {
                        client.handle_datagram(after(seconds), server_address(), &reply).unwrap();
                    }
                }
                requests.extend(from_client(&mut client, after(seconds)));
            }
            seconds += 1;
        }
        assert_eq!(server.session_count(), 1, "packet {lost} lost");
        let record = seal(&mut client, b"x");
        assert!(receive(&mut server, after(seconds), client_address(1), &record).is_ok());
    }
}

#[test]
fn a_client_with_another_key_opens_no_session_and_stores_nothing() {
    let mut server = server();
    let key = Key::from_bytes([8; 32]).client_key(b"").unwrap();
    let mut client = Client::new(key, [server_address()], [1; 32], after(0));
    let initiation = initiation(&mut client, client_address(1), &mut server);
    let refused = server.handle_datagram(after(0), client_address(1), &initiation);
    assert_eq!(refused.map(|_| ()), Err(RecordError::WrongKey));
    assert_eq!(client.state(), HandshakeState::Initiating);
    assert_eq!((server.session_count(), server.stats().wrong_key), (0, 1));
    assert_eq!(client.seal(b"x", &mut Vec::new()), Err(SealError::NotOpen));
}

#[test]
fn a_token_has_a_key_of_its_own_and_the_server_reads_it() {
    let mut server = server();
    let backend = Key::from_bytes(KEY);
    let issued = backend.client_key(b"player 5").unwrap();
    let mut client = Client::new(issued.clone(), [server_address()], [1; 32], after(0));
    exchange(&mut client, client_address(1), &mut server, after(0));
    let (session, _) =
        receive(&mut server, after(0), client_address(1), &seal(&mut client, b"hello")).unwrap();
    assert_eq!(server.token(session), Some(&b"player 5"[..]));

    // The secret of one token is worth nothing with another one.
    let stolen = crate::ClientKey::new(b"player 6", *issued.secret()).unwrap();
    let mut thief = Client::new(stolen, [server_address()], [3; 32], after(0));
    let initiation = initiation(&mut thief, client_address(2), &mut server);
    let refused = server.handle_datagram(after(0), client_address(2), &initiation);
    assert_eq!(refused.map(|_| ()), Err(RecordError::WrongKey));
}

#[test]
fn two_sessions_with_the_same_key_have_different_keys_and_ids() {
    let mut server = server();
    let (mut one, mut two) = (client(1), client(3));
    exchange(&mut one, client_address(1), &mut server, after(0));
    exchange(&mut two, client_address(2), &mut server, after(0));
    let (a, b) = (seal(&mut one, b"same"), seal(&mut two, b"same"));
    assert_ne!(a[1..5], b[1..5]);
    assert_ne!(a[11..], b[11..]);
}

#[test]
fn a_client_tries_all_addresses_of_its_server_and_keeps_the_one_that_answers() {
    let mut server = server();
    let key = Key::from_bytes(KEY).client_key(b"").unwrap();
    let silent = client_address(9);
    let mut client = Client::new(key, [silent, server_address()], [1; 32], after(0));
    let mut buffer = Vec::new();
    client.handle_timeout(after(0));
    assert_eq!(client.poll_transmit(&mut buffer), Some(silent));
    client.handle_timeout(after(1));
    assert_eq!(client.poll_transmit(&mut buffer), Some(server_address()));
    server.handle_datagram(after(1), client_address(1), &buffer).unwrap();
    let (_, retry) = from_server(&mut server).remove(0);
    client.handle_datagram(after(1), server_address(), &retry).unwrap();
    exchange(&mut client, client_address(1), &mut server, after(1));
    assert_eq!((client.is_open(), client.server()), (true, Some(server_address())));
    // Another address of the server no longer counts.
    assert_eq!(client.handle_datagram(after(1), silent, &retry), Err(RecordError::UnknownAddress));
}

#[test]
fn a_client_tries_the_next_address_after_one_that_refuses_its_key() {
    let (other, here) = (SocketAddr::from(([192, 0, 2, 3], 7777)), client_address(1));
    let key = Key::from_bytes(KEY).client_key(b"").unwrap();
    let mut client = Client::new(key, [other, server_address()], [1; 32], START);
    let mut refusing = Server::new(Key::from_bytes([8; 32]), ServerConfig::default(), [3; 32]);
    let (mut server, mut now, mut datagram) = (server(), START, Vec::new());
    while !client.is_open() {
        client.handle_timeout(now);
        while let Some(to) = client.poll_transmit(&mut datagram) {
            let receiver = if to == other { &mut refusing } else { &mut server };
            receiver.handle_datagram(now, here, &datagram).ok();
            for (_, reply) in from_server(receiver) {
                client.handle_datagram(now, to, &reply).unwrap();
            }
        }
        now = client.poll_timeout().map_or(now, |wake| wake.at.max(now));
        assert!(now < after(30), "still {:?}", client.state());
    }
    assert_eq!(client.server(), Some(server_address()));
}

#[test]
fn a_cookie_is_worth_nothing_later_elsewhere_or_with_another_nonce() {
    let (mut client, mut server) = (client(1), server());
    let initiation = initiation(&mut client, client_address(1), &mut server);
    let mut other_nonce = initiation.clone();
    other_nonce[2] ^= 1;
    for (seconds, from, packet) in [
        (21, client_address(1), &initiation),
        (0, client_address(2), &initiation),
        (0, client_address(1), &other_nonce),
    ] {
        // The clock of a server does not go back, so each case has its own server.
        let mut server = super::support::server();
        let refused = server.handle_datagram(after(seconds), from, packet);
        assert_eq!(refused.map(|_| ()), Err(RecordError::WrongCookie));
    }
    assert!(server.handle_datagram(after(9), client_address(1), &initiation).is_ok());
}

#[test]
fn a_handshake_without_a_record_is_removed_and_a_silent_session_is_closed() {
    let mut server = server_with(ServerConfig::default());
    let mut silent = client(1);
    exchange(&mut silent, client_address(1), &mut server, after(0));
    let mut open = client(3);
    exchange(&mut open, client_address(2), &mut server, after(0));
    let (session, _) = receive(&mut server, after(0), client_address(2), &seal(&mut open, b"x")).unwrap();
    assert_eq!(server.session_count(), 2);
    server.handle_timeout(after(6));
    assert_eq!((server.session_count(), server.poll_event()), (1, None));
    server.handle_timeout(after(61));
    assert_eq!(server.poll_event(), Some(crate::ServerEvent::Closed { session }));
    assert_eq!((server.session_count(), server.poll_timeout()), (0, None));
}

#[test]
fn a_client_can_begin_again_with_a_server_that_was_restarted() {
    let mut pair = Pair::new();
    let mut restarted = Server::new(Key::from_bytes(KEY), ServerConfig::default(), [9; 32]);
    let lost = seal(&mut pair.client, b"x");
    assert_eq!(
        restarted.handle_datagram(after(1), client_address(1), &lost).map(|_| ()),
        Err(RecordError::UnknownSession)
    );
    pair.client.restart(after(1));
    exchange(&mut pair.client, client_address(1), &mut restarted, after(1));
    let record = seal(&mut pair.client, b"again");
    assert_eq!(receive(&mut restarted, after(1), client_address(1), &record).unwrap().1, b"again");
}

#[test]
fn keys_are_read_from_64_hexadecimal_digits() {
    let key = Key::from_hex(&format!(" {}\n", "0Af1".repeat(16))).unwrap();
    assert_eq!(key.to_hex(), "0af1".repeat(16));
    for wrong in ["", "0a", &"0a".repeat(31), &"0a".repeat(33), &"0g".repeat(32), &"0a".repeat(32)[1..]] {
        assert!(Key::from_hex(wrong).is_err(), "{wrong}");
    }
    assert!(key.client_key(&[0; 256]).is_err());
    assert_eq!(format!("{key:?}"), "Key(..)");
}

use core::time::Duration;

use super::support::{
    Pair, START, after, client_address, exchange, from_client, from_server, receive, seal, server_address,
};
use crate::{ClientEvent, RecordError, ServerEvent};

#[test]
fn a_session_moves_after_its_client_answered_from_the_new_address() {
    let mut pair = Pair::new();
    while pair.client.poll_event().is_some() {}
    let record = seal(&mut pair.client, b"from the new address");
    let (session, _) = receive(&mut pair.server, after(1), client_address(2), &record).unwrap();
    assert_eq!(session, pair.session);
    // Packets still go to the proven address.
    assert_eq!(pair.send_to_client(b"x").1, client_address(1));
    let challenges = from_server(&mut pair.server);
    assert_eq!(challenges.len(), 1);
    assert_eq!(challenges[0].0, client_address(2));
    pair.client.handle_datagram(after(1), server_address(), &challenges[0].1).unwrap();
    exchange(&mut pair.client, client_address(2), &mut pair.server, after(1));
    let moved = ServerEvent::Moved { session, from: client_address(1), to: client_address(2) };
    assert_eq!(pair.server.poll_event(), Some(moved));
    assert_eq!(pair.client.poll_event(), Some(ClientEvent::Moved { address: client_address(2) }));
    assert_eq!(pair.send_to_client(b"x").1, client_address(2));
    assert_eq!((pair.server.poll_event(), pair.client.poll_event()), (None, None));
}

#[test]
fn records_in_flight_from_the_old_address_arrive_and_do_not_move_the_session_back() {
    let mut pair = Pair::new();
    let in_flight: Vec<_> = (0..5).map(|number| seal(&mut pair.client, &[number])).collect();
    let record = seal(&mut pair.client, b"from the new address");
    receive(&mut pair.server, after(1), client_address(2), &record).unwrap();
    for (_, challenge) in from_server(&mut pair.server) {
        pair.client.handle_datagram(after(1), server_address(), &challenge).unwrap();
    }
    exchange(&mut pair.client, client_address(2), &mut pair.server, after(1));
    for (number, late) in in_flight.iter().enumerate() {
        let (_, packet) = receive(&mut pair.server, after(1), client_address(1), late).unwrap();
        assert_eq!(usize::from(packet[0]), number);
    }
    assert!(from_server(&mut pair.server).is_empty());
    assert_eq!(pair.server.address(pair.session), Some(client_address(2)));
}

#[test]
fn an_address_that_never_answers_gets_few_bytes_and_no_session() {
    let mut pair = Pair::new();
    let (mut sent, mut received, victim) = (0, 0, client_address(9));
    for seconds in 1..60 {
        // An attacker between client and server forwards the client's records from the address of a victim.
        let record = seal(&mut pair.client, b"x");
        sent += record.len();
        receive(&mut pair.server, after(seconds), victim, &record).unwrap();
        for (to, datagram) in from_server(&mut pair.server) {
            assert_eq!(to, victim);
            received += datagram.len();
            assert!(received <= sent);
        }
    }
    assert!(received <= 16 * 36, "{received}");
    assert_eq!(pair.send_to_client(b"x").1, client_address(1));
    assert_eq!(pair.server.poll_event(), None);
}

#[test]
fn an_answer_from_another_address_than_the_challenged_one_does_not_move_the_session() {
    let mut pair = Pair::new();
    let record = seal(&mut pair.client, b"a long enough packet");
    receive(&mut pair.server, after(1), client_address(9), &record).unwrap();
    let (_, challenge) = from_server(&mut pair.server).remove(0);
    pair.client.handle_datagram(after(1), server_address(), &challenge).unwrap();
    let answer = from_client(&mut pair.client, after(1)).remove(0);
    // A later record arrives first, so that the answer does not count as one from a newer address.
    let later = seal(&mut pair.client, b"x");
    receive(&mut pair.server, after(1), client_address(9), &later).unwrap();
    pair.server.handle_datagram(after(1), client_address(3), &answer).unwrap();
    assert_eq!(pair.server.poll_event(), None);
    assert_eq!(pair.server.address(pair.session), Some(client_address(1)));
}

#[test]
fn a_replay_from_another_address_moves_nothing_and_gets_no_byte() {
    let mut pair = Pair::new();
    let record = seal(&mut pair.client, b"genuine, but old");
    receive(&mut pair.server, after(1), client_address(1), &record).unwrap();
    let replayed = receive(&mut pair.server, after(1), client_address(9), &record);
    assert_eq!(replayed, Err(RecordError::Replayed));
    assert!(from_server(&mut pair.server).is_empty());
    assert_eq!(pair.server.address(pair.session), Some(client_address(1)));
}

#[test]
fn each_lost_packet_of_a_move_is_sent_again() {
    // The challenge, the answer and the confirmation.
    for lost in 0..3 {
        let mut pair = Pair::new();
        while pair.client.poll_event().is_some() {}
        let (mut count, mut seconds, mut moves) = (0, 1, Vec::new());
        while moves.is_empty() {
            assert!(seconds < 20, "packet {lost} lost");
            let record = seal(&mut pair.client, b"a packet each second");
            receive(&mut pair.server, after(seconds), client_address(2), &record).unwrap();
            loop {
                let mut is_idle = true;
                for (_, datagram) in from_server(&mut pair.server) {
                    is_idle = false;
                    if count != lost {
                        pair.client.handle_datagram(after(seconds), server_address(), &datagram).unwrap();
                    }
                    count += 1;
                }
                for datagram in from_client(&mut pair.client, after(seconds)) {
                    is_idle = false;
                    if count != lost {
                        pair.server.handle_datagram(after(seconds), client_address(2), &datagram).unwrap();
                    }
                    count += 1;
                }
                if is_idle {
                    break;
                }
            }
            while let Some(event) = pair.client.poll_event() {
                moves.push(event);
            }
            seconds += 1;
        }
        assert_eq!(moves, [ClientEvent::Moved { address: client_address(2) }], "packet {lost} lost");
        assert_eq!(pair.server.stats().moved, 1);
        assert_eq!(pair.send_to_client(b"x").1, client_address(2));
    }
}

#[test]
fn an_answer_that_arrives_after_the_client_is_back_moves_nothing() {
    let mut pair = Pair::new();
    let record = seal(&mut pair.client, b"from the new address");
    receive(&mut pair.server, after(1), client_address(2), &record).unwrap();
    let (_, challenge) = from_server(&mut pair.server).remove(0);
    pair.client.handle_datagram(after(1), server_address(), &challenge).unwrap();
    let answer = from_client(&mut pair.client, after(1)).remove(0);
    let record = seal(&mut pair.client, b"from the old address");
    receive(&mut pair.server, after(1), client_address(1), &record).unwrap();
    pair.server.handle_datagram(after(1), client_address(2), &answer).unwrap();
    assert_eq!(
        (pair.server.poll_event(), pair.server.address(pair.session)),
        (None, Some(client_address(1)))
    );
    assert!(from_server(&mut pair.server).is_empty());
}

#[test]
fn a_client_that_hears_nothing_at_its_new_address_for_ten_seconds_keeps_its_session() {
    let mut pair = Pair::new();
    // Twenty packets a second.
    for round in 0..=200 {
        let now = START + Duration::from_millis(50 * round);
        let record = seal(&mut pair.client, b"a packet of the game");
        receive(&mut pair.server, now, client_address(2), &record).unwrap();
        let challenges = from_server(&mut pair.server);
        if round < 180 {
            continue;
        }
        for (_, challenge) in challenges {
            pair.client.handle_datagram(now, server_address(), &challenge).unwrap();
            exchange(&mut pair.client, client_address(2), &mut pair.server, now);
        }
    }
    assert_eq!(pair.server.address(pair.session), Some(client_address(2)));
}

#[test]
fn an_answer_gets_a_confirmation_and_no_further_challenge() {
    let mut pair = Pair::new();
    let record = seal(&mut pair.client, b"from the new address");
    receive(&mut pair.server, after(1), client_address(2), &record).unwrap();
    let (_, challenge) = from_server(&mut pair.server).remove(0);
    // The round trip is long.
    pair.client.handle_datagram(after(2), server_address(), &challenge).unwrap();
    let answer = from_client(&mut pair.client, after(2)).remove(0);
    pair.server.handle_datagram(after(2), client_address(2), &answer).unwrap();
    assert_eq!(from_server(&mut pair.server).len(), 1);
    assert_eq!(pair.server.stats().challenges, 1);
}

#[test]
fn a_late_confirmation_of_the_last_move_does_not_answer_the_next_challenge() {
    let mut pair = Pair::new();
    while pair.client.poll_event().is_some() {}
    let record = seal(&mut pair.client, b"from the second address");
    receive(&mut pair.server, after(1), client_address(2), &record).unwrap();
    let (_, challenge) = from_server(&mut pair.server).remove(0);
    pair.client.handle_datagram(after(1), server_address(), &challenge).unwrap();
    // The round trip is long, so the answer is repeated and confirmed twice.
    let mut answers = from_client(&mut pair.client, after(1));
    answers.extend(from_client(&mut pair.client, after(2)));
    for answer in &answers {
        pair.server.handle_datagram(after(2), client_address(2), answer).unwrap();
    }
    let confirmations = from_server(&mut pair.server);
    assert_eq!((answers.len(), confirmations.len()), (2, 2));
    pair.client.handle_datagram(after(2), server_address(), &confirmations[0].1).unwrap();

    let record = seal(&mut pair.client, b"from the third address");
    receive(&mut pair.server, after(3), client_address(3), &record).unwrap();
    let (_, challenge) = from_server(&mut pair.server).remove(0);
    pair.client.handle_datagram(after(3), server_address(), &challenge).unwrap();
    // This answer is lost, and the second confirmation arrives.
    assert_eq!(from_client(&mut pair.client, after(3)).len(), 1);
    pair.client.handle_datagram(after(3), server_address(), &confirmations[1].1).unwrap();
    for seconds in 4..8 {
        let record = seal(&mut pair.client, b"from the third address");
        receive(&mut pair.server, after(seconds), client_address(3), &record).unwrap();
        for (_, datagram) in from_server(&mut pair.server) {
            pair.client.handle_datagram(after(seconds), server_address(), &datagram).unwrap();
        }
        exchange(&mut pair.client, client_address(3), &mut pair.server, after(seconds));
    }
    assert_eq!(pair.server.address(pair.session), Some(client_address(3)));
    let events: Vec<_> = core::iter::from_fn(|| pair.client.poll_event()).collect();
    assert_eq!(events, [2, 3].map(|port| ClientEvent::Moved { address: client_address(port) }));
}

#[test]
fn a_challenge_that_arrives_after_its_confirmation_is_no_second_move() {
    let mut pair = Pair::new();
    while pair.client.poll_event().is_some() {}
    let mut challenges = Vec::new();
    for seconds in 1..3 {
        let record = seal(&mut pair.client, b"from the new address");
        receive(&mut pair.server, after(seconds), client_address(2), &record).unwrap();
        challenges.extend(from_server(&mut pair.server));
    }
    for (_, challenge) in challenges {
        pair.client.handle_datagram(after(3), server_address(), &challenge).unwrap();
        exchange(&mut pair.client, client_address(2), &mut pair.server, after(3));
    }
    assert_eq!(pair.client.poll_event(), Some(ClientEvent::Moved { address: client_address(2) }));
    assert_eq!((pair.client.poll_event(), pair.server.stats().moved), (None, 1));
    assert_eq!(pair.client.poll_timeout(), None);
}

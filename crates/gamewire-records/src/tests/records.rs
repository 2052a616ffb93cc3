use super::support::{Pair, after, client, client_address, exchange, receive, seal, server_address};
use crate::window::{ReplayWindow, WINDOW};
use crate::wire::MAX_COUNTER;
use crate::{RecordError, SealError};

#[test]
fn reordered_records_arrive_and_each_arrives_once() {
    let mut pair = Pair::new();
    let records: Vec<_> = (0..200_u8).map(|number| seal(&mut pair.client, &[number])).collect();
    let mut order: Vec<usize> = (0..200).map(|index| index * 37 % 200).collect();
    order.extend(0..200);
    let mut received = Vec::new();
    for index in order {
        match receive(&mut pair.server, after(0), client_address(1), &records[index]) {
            Ok((_, packet)) => received.push(packet[0]),
            Err(error) => assert_eq!(error, RecordError::Replayed),
        }
    }
    received.sort_unstable();
    assert_eq!(received, (0..200).collect::<Vec<u8>>());
    assert_eq!(pair.server.stats().replayed, 200);
}

#[test]
fn a_record_of_1024_counters_ago_is_too_old() {
    let mut pair = Pair::new();
    let records: Vec<_> = (0..=WINDOW).map(|_| seal(&mut pair.client, b"x")).collect();
    let last = usize::try_from(WINDOW).unwrap();
    assert!(receive(&mut pair.server, after(0), client_address(1), &records[last]).is_ok());
    assert!(receive(&mut pair.server, after(0), client_address(1), &records[1]).is_ok());
    let old = receive(&mut pair.server, after(0), client_address(1), &records[0]);
    assert_eq!(old, Err(RecordError::Replayed));
}

#[test]
fn the_window_agrees_with_a_plain_set() {
    let (mut window, mut seen, mut highest) = (ReplayWindow::default(), std::collections::BTreeSet::new(), 0);
    let mut random = gamewire_sim::random::Random::new(1);
    for _ in 0..50_000 {
        let jump = if random.number().is_multiple_of(50) { 3000 } else { 40 };
        let counter = (highest + random.number() % jump).saturating_sub(random.number() % 1500);
        let is_old = counter + WINDOW <= highest;
        assert_eq!(window.is_new(counter), !is_old && !seen.contains(&counter), "{counter} of {highest}");
        if window.is_new(counter) {
            window.mark(counter);
            seen.insert(counter);
            highest = highest.max(counter);
        }
    }
}

#[test]
fn no_changed_byte_of_a_record_is_accepted_and_none_changes_the_session() {
    let mut pair = Pair::new();
    let record = seal(&mut pair.client, b"hello");
    for index in 0..record.len() {
        for bit in 0..8 {
            let mut forged = record.clone();
            forged[index] ^= 1 << bit;
            let result = pair.server.handle_datagram(after(0), client_address(1), &forged);
            assert!(result.is_err(), "byte {index}, bit {bit}");
        }
    }
    for length in 0..record.len() {
        assert!(pair.server.handle_datagram(after(0), client_address(1), &record[..length]).is_err());
    }
    let (_, packet) = receive(&mut pair.server, after(0), client_address(1), &record).unwrap();
    assert_eq!(packet, b"hello");
}

#[test]
fn a_record_with_the_id_of_another_session_is_forged() {
    let mut pair = Pair::new();
    let mut other = client(3);
    exchange(&mut other, client_address(2), &mut pair.server, after(0));
    let theirs = seal(&mut other, b"mine");
    let mut record = seal(&mut pair.client, b"x");
    record[1..5].copy_from_slice(&theirs[1..5]);
    let refused = receive(&mut pair.server, after(0), client_address(1), &record);
    assert_eq!(refused, Err(RecordError::Forged));
}

#[test]
fn a_record_is_worth_nothing_in_the_other_direction() {
    let mut pair = Pair::new();
    let record = seal(&mut pair.client, b"to the server");
    // The client's window has not seen the counter.
    let reflected = pair.client.handle_datagram(after(0), server_address(), &record);
    assert_eq!(reflected, Err(RecordError::Forged));
}

#[test]
fn a_record_cannot_become_a_control_record() {
    let mut pair = Pair::new();
    let mut record = seal(&mut pair.client, &[2, 0, 0, 0, 0, 0, 0, 0, 0]);
    record[0] = 0x6f;
    let refused = pair.server.handle_datagram(after(0), client_address(1), &record);
    assert_eq!(refused.map(|_| ()), Err(RecordError::Forged));
}

#[test]
fn a_session_ends_when_its_counters_are_used_up() {
    let mut pair = Pair::new();
    pair.client.set_next_counter(MAX_COUNTER);
    let last = seal(&mut pair.client, b"last");
    let (_, packet) = receive(&mut pair.server, after(0), client_address(1), &last).unwrap();
    assert_eq!(packet, b"last");
    assert_eq!(pair.client.seal(b"x", &mut Vec::new()), Err(SealError::Exhausted));

    pair.server.set_next_counter(pair.session, MAX_COUNTER + 1);
    assert_eq!(pair.server.seal(pair.session, b"x", &mut Vec::new()), Err(SealError::Exhausted));
    pair.server.handle_timeout(after(2));
    assert_eq!(pair.server.poll_event(), Some(crate::ServerEvent::Closed { session: pair.session }));
}

#[test]
fn a_packet_that_fits_no_datagram_is_refused() {
    let mut pair = Pair::new();
    let longest = vec![0; crate::wire::MAX_PACKET_BYTES];
    assert_eq!(seal(&mut pair.client, &longest).len(), 65_507);
    let too_long = vec![0; crate::wire::MAX_PACKET_BYTES + 1];
    assert_eq!(pair.client.seal(&too_long, &mut Vec::new()), Err(SealError::TooLong));
}

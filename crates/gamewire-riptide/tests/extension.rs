//! The extension between machines on a network: ordered delivery and messages over the limit,
//! with peers that have it and with peers that do not.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

#[path = "support/pair.rs"]
mod pair;

use core::time::Duration;

use gamewire_riptide::client::{self, ClientConfig};
use gamewire_riptide::link::LinkConfig;
use gamewire_riptide::server::{self, ServerConfig};
use gamewire_riptide::{ClientId, Format, Message, MessageSendMode, SendError};
use gamewire_sim::Conditions;
use pair::{Pair, extended_client, extended_server, large, number, numbered, second};

const ONE: ClientId = ClientId(1);

/// The bounds of the defaults, as a peer is told them.
const WORD: [u8; 16] = [b'g', b'w', b'x', b'1', 1, 3, 0, 0, 4, 0, 0, 0, 16, 0, 0, 4];

#[derive(Message)]
#[message(id = 9)]
struct Level {
    tiles: Vec<u8>,
}

#[test]
fn both_sides_agree_and_then_tell_what_the_other_takes() {
    for format in Format::ALL {
        let mut pair = Pair::new(1, extended_client(format), extended_server());
        pair.run(second(1));
        let of_server = *pair.client().extension().expect("agreed");
        assert_eq!((of_server.longest, of_server.room, of_server.messages), (256 << 10, 1 << 20, 1_024));
        assert_eq!(pair.server().client(ONE).unwrap().extension(), Some(&of_server));
        assert_eq!((pair.at_client().len(), pair.at_server().len()), (0, 0), "nothing of it shows");
    }
}

#[test]
fn without_the_option_nothing_is_said_and_ordered_messages_are_refused() {
    for format in Format::ALL {
        let mut pair = Pair::new(2, ClientConfig::new(format), extended_server());
        pair.run(second(1));
        assert_eq!(pair.client_mut().send_ordered(&numbered(1)), Err(SendError::NotAgreed));
        assert_eq!(pair.server_mut().send_ordered(&numbered(1), ONE), Err(SendError::NotAgreed));
        assert!(matches!(pair.client_mut().send(&large(1)), Err(SendError::TooLong { .. })));
        assert!(matches!(pair.server_mut().send(&large(1), ONE), Err(SendError::TooLong { .. })));
        // A game may use the id, whatever the server would do with it.
        let mut message = Message::create(MessageSendMode::Reliable, 65_535_u16);
        message.add_bytes_without_length(&[2; 20]);
        pair.client_mut().send(&message).unwrap();
        pair.run(second(1));
        assert_eq!((pair.at_client().len(), pair.at_server().len()), (0, 1));
    }
}

#[test]
fn a_server_without_the_option_gets_one_message_that_it_does_not_know() {
    for format in Format::ALL {
        let mut pair = Pair::new(3, extended_client(format), ServerConfig::new(4));
        pair.run(second(3));
        let [server::Event::ClientConnected { .. }, server::Event::MessageReceived { message, .. }] =
            &pair.server_events()[..]
        else {
            panic!("a client and its word")
        };
        assert_eq!((message.id(), message.mode()), (Some(65_535), MessageSendMode::Reliable));
        let bytes = message.payload(format).unwrap().to_vec();
        assert_eq!((bytes[0], &bytes[1..17]), (0, &WORD[..]));
        assert_eq!(pair.client_mut().send_ordered(&numbered(1)), Err(SendError::NotAgreed));
        assert!(matches!(pair.client_mut().send(&large(1)), Err(SendError::TooLong { .. })));
        pair.client_mut().send(&numbered(5)).unwrap();
        pair.run(second(1));
        assert_eq!(pair.at_server().len(), 1, "else it goes on as always");
        assert!(pair.client().is_connected());
    }
}

#[test]
fn a_word_that_another_client_said_and_an_old_server_passed_on_is_not_taken_for_the_servers() {
    let mut config = ServerConfig::new(4);
    config.relay_filter.enable_relay(65_535_u16);
    let mut pair = Pair::new(4, extended_client(Format::V21), config);
    let other = pair.add_client(extended_client(Format::V21));
    pair.run(second(3));
    assert!(pair.client().is_connected() && pair.client().extension().is_none());
    assert!(pair.network.machine(other).extension().is_none());
}

#[test]
fn ordered_and_large_messages_arrive_as_they_were_sent() {
    for format in Format::ALL {
        let mut pair = Pair::new(5, extended_client(format), extended_server());
        pair.run(second(1));
        pair.client_mut().send_ordered(&large(1)).unwrap();
        pair.client_mut().send_ordered(&numbered(2)).unwrap();
        pair.client_mut().send(&large(3)).unwrap();
        pair.client_mut().send_ordered(&Level { tiles: vec![7; 5_000] }).unwrap();
        pair.server_mut().send_ordered(&large(1), ONE).unwrap();
        pair.server_mut().send_to_all(&large(2)).unwrap();
        pair.run(second(8));
        let mut events = pair.at_server().into_iter();
        let first = events.next().expect("the first");
        assert_eq!((first.id(), first.mode()), (Some(20), MessageSendMode::Reliable));
        let mut others: Vec<_> = events.collect();
        let level = others.iter().position(|message| message.id() == Some(9)).expect("a level");
        assert_eq!(others.remove(level).read_as::<Level>().unwrap().tiles, vec![7; 5_000]);
        assert_eq!((number(first), others.into_iter().map(number).collect::<Vec<_>>()), (1, vec![2, 3]));
        assert_eq!(pair.client_numbers(), [1, 2]);
    }
}

#[test]
fn the_bits_of_a_message_in_parts_are_told_exactly() {
    let mut pair = Pair::new(6, extended_client(Format::V21), extended_server());
    pair.run(second(1));
    for bits in 9_700_usize..9_900 {
        let mut message = Message::create_with_max(MessageSendMode::Reliable, 8_u16, 4_000);
        message.reserve_bits(bits).set_bits(1, 1, bits - 1);
        pair.client_mut().send_ordered(&message).unwrap();
        pair.run(Duration::from_millis(60));
    }
    pair.run(second(1));
    let came = pair.at_server();
    assert_eq!(came.len(), 200);
    for (bits, message) in (9_700..).zip(came) {
        assert_eq!((message.written_bits(), message.peek_bits(1, bits - 1).unwrap()), (bits, 1));
    }
}

#[test]
fn what_cannot_be_sent_is_refused_and_leaves_no_gap() {
    let mut pair = Pair::new(7, extended_client(Format::V21), extended_server());
    pair.run(second(1));
    let client = pair.client_mut();
    let unreliable = Message::create(MessageSendMode::Unreliable, 1_u16);
    assert_eq!(client.send_ordered(&unreliable), Err(SendError::NotReliable));
    let reserved = Message::create(MessageSendMode::Reliable, 65_535_u16);
    assert_eq!(client.send(&reserved), Err(SendError::Reserved));
    let mut long = Message::create_with_max(MessageSendMode::Reliable, 1_u16, 300 << 10);
    long.add_bytes_without_length(&vec![1; (256 << 10) + 1]);
    let too_long = Err(SendError::TooLong { length: (256 << 10) + 1, most: 256 << 10 });
    assert_eq!(client.send_ordered(&long), too_long);
    assert_eq!(client.send(&long).map(drop), too_long.map(|_: u16| ()));
    let mut sent = 0;
    while client.send_ordered(&large(sent)).is_ok() {
        sent += 1;
    }
    assert_eq!(client.send_ordered(&large(0)), Err(SendError::Full));
    assert_eq!(sent, 9, "100 KB and 83 packets each fit 9 times into 1 MiB");
    pair.run(second(5));
    pair.client_mut().send_ordered(&large(sent)).unwrap();
    pair.run(second(5));
    assert_eq!(pair.server_numbers(), (0..=sent).collect::<Vec<_>>());
}

#[test]
fn a_delivered_message_is_told_once_and_parts_are_not() {
    for format in Format::ALL {
        let config = ClientConfig { delivery_events: true, ..extended_client(format) };
        let mut pair = Pair::new(8, config, extended_server());
        pair.run(second(1));
        let sent = [
            pair.client_mut().send_ordered(&large(1)).unwrap(),
            pair.client_mut().send(&numbered(2)).unwrap().unwrap(),
            pair.client_mut().send(&large(3)).unwrap().unwrap(),
        ];
        pair.run(second(9));
        let mut delivered: Vec<_> = pair
            .client_events()
            .into_iter()
            .filter_map(|event| match event {
                client::Event::ReliableDelivered { seq_id } => Some(seq_id),
                _ => None,
            })
            .collect();
        delivered.sort_unstable();
        // The first two are the client's answers to the handshake: its Welcome and, hidden, its word.
        let all = [&[1][..], &sent].concat();
        assert_eq!(delivered, all);
    }
}

#[test]
fn order_numbers_wrap() {
    let mut pair = Pair::new(9, extended_client(Format::V21), extended_server());
    pair.run(second(1));
    let (mut sent, mut came) = (0, 0);
    while came < 70_000 {
        while sent < 70_000 && pair.client_mut().send_ordered(&numbered(sent)).is_ok() {
            sent += 1;
        }
        pair.run(Duration::from_millis(10));
        for number in pair.server_numbers() {
            assert_eq!(number, came);
            came += 1;
        }
    }
}

#[test]
fn relayed_messages_keep_their_order_for_those_who_have_agreed_and_reach_the_others() {
    let mut config = extended_server();
    config.relay_filter.enable_relay(20_u16);
    let mut pair = Pair::new(10, extended_client(Format::V21), config);
    let with = pair.add_client(extended_client(Format::V20));
    let without = pair.add_client(ClientConfig::new(Format::V21));
    pair.run(second(1));
    for n in 0..100 {
        pair.client_mut().send_ordered(&numbered(n)).unwrap();
    }
    pair.client_mut().send_ordered(&large(100)).unwrap();
    pair.run(second(8));
    assert_eq!(pair.numbers_of(with), (0..=100).collect::<Vec<_>>());
    let mut others = pair.numbers_of(without);
    others.sort_unstable();
    assert_eq!(others, (0..100).collect::<Vec<_>>(), "the long one does not fit");
    assert_eq!(pair.server_numbers(), Vec::<u32>::new());
}

/// What one seed at one rate of loss came to: whether the connection lasted.
fn storm(format: Format, seed: u64, loss: f64) -> bool {
    let mut config = extended_server();
    // Only patience: the rules of the original end most connections at half of all lost.
    let patient = |link: LinkConfig| LinkConfig { min_resend_delay: Duration::from_millis(60), ..link };
    (config.link_v20, config.link_v21) = (patient(config.link_v20), patient(config.link_v21));
    let mut client = extended_client(format);
    client.link = patient(client.link);
    let mut pair = Pair::new(seed, client, config);
    pair.run_until_agreed();
    pair.set_conditions(Conditions {
        loss,
        delay: Duration::from_millis(20),
        jitter: Duration::from_millis(seed % 40),
        reorder: 0.2,
        duplicate: 0.2,
        ..Conditions::PERFECT
    });
    const ORDERED: u32 = 60;
    let (mut to_server, mut to_client) = (vec![], vec![]);
    for n in 0..ORDERED {
        if !pair.client().is_connected() || pair.server().client_count() == 0 {
            break;
        }
        let is_large = u64::from(n) % 30 == seed % 30;
        let message = if is_large { large(n) } else { numbered(n) };
        if pair.client_mut().send_ordered(&message).is_ok() {
            to_server.push(n);
        }
        if pair.server_mut().send_ordered(&message, ONE).is_ok() {
            to_client.push(n);
        }
        if n % 7 == 0 {
            // Among ordinary ones.
            let mut other = Message::create(MessageSendMode::Reliable, 1_u16);
            pair.client_mut().send(other.add_uint(n)).unwrap();
        }
        pair.run(Duration::from_millis(seed % 30));
    }
    for _ in 0..60 {
        pair.run(second(1));
    }
    let lasted = pair.client().is_connected() && pair.server().client_count() == 1;
    let (at_server, at_client) = (pair.server_numbers(), pair.client_numbers());
    if lasted {
        assert_eq!((&at_server, &at_client), (&to_server, &to_client), "seed {seed} at {loss}");
    }
    assert!(to_server.starts_with(&at_server), "seed {seed} at {loss}: {at_server:?}");
    assert!(to_client.starts_with(&at_client), "seed {seed} at {loss}: {at_client:?}");
    lasted
}

fn storms(loss: f64) -> usize {
    (0..500).filter(|seed| storm(Format::ALL[*seed as usize % 2], *seed, loss)).count()
}

#[test]
fn ordered_messages_arrive_in_order_and_once_on_a_good_network() {
    assert_eq!(storms(0.0), 500);
}

#[test]
fn ordered_messages_arrive_in_order_and_once_or_the_connection_ends_at_20_percent_loss() {
    let lasted = storms(0.2);
    println!("{lasted} of 500 lasted");
    assert!(lasted > 400, "{lasted}");
}

#[test]
fn ordered_messages_arrive_in_order_and_once_or_the_connection_ends_at_50_percent_loss() {
    let lasted = storms(0.5);
    println!("{lasted} of 500 lasted");
    assert!(lasted > 20 && lasted < 500, "{lasted}");
}

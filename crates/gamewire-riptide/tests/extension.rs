//! The extension between machines on a network: ordered delivery and messages over the limit, with peers that have the
//! extension and with peers that do not.

use core::time::Duration;
use gamewire_riptide::DeliveryOutcome;

use crate::pair::{Pair, extended_client, extended_server, large, number, numbered, second};
use gamewire_machine::Machine;
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{
    ClientId, DisconnectReason, Format, Message, MessageSendMode, PacketMachine, SendError,
};
use gamewire_sim::contract::{PEER, START, SUBJECT};

const ONE: ClientId = ClientId(1);

/// The parameters that a peer sends for the default limits.
const WORD: [u8; 16] = [b'g', b'w', b'x', b'1', 1, 3, 0, 0, 16, 0, 0, 0, 32, 0, 0, 4];

#[derive(Message)]
#[message(id = 9)]
struct Level {
    tiles: Vec<u8>,
}

#[test]
fn both_sides_negotiate_the_extension_and_report_its_limits() {
    for format in Format::ALL {
        let mut pair = Pair::new(1, extended_client(format), extended_server());
        pair.run(second(1));
        let of_server = *pair.client().extension().expect("agreed");
        assert_eq!(
            (of_server.max_message_size, of_server.reassembly_buffer, of_server.max_pending_messages),
            (1 << 20, 2 << 20, 1_024)
        );
        assert_eq!(pair.server().client(ONE).unwrap().extension(), Some(&of_server));
        assert_eq!((pair.at_client().len(), pair.at_server().len()), (0, 0), "nothing of it shows");
    }
}

#[test]
fn without_the_option_nothing_is_negotiated_and_ordered_messages_are_errors() {
    for format in Format::ALL {
        let mut pair = Pair::new(2, ClientConfig::new(format), extended_server());
        pair.run(second(1));
        assert_eq!(pair.client_mut().send_ordered(&numbered(1)), Err(SendError::ExtensionUnavailable));
        assert_eq!(pair.server_mut().send_ordered(&numbered(1), ONE), Err(SendError::ExtensionUnavailable));
        assert!(matches!(pair.client_mut().send(&large(1)), Err(SendError::TooLong { .. })));
        assert!(matches!(pair.server_mut().send(&large(1), ONE), Err(SendError::TooLong { .. })));
        // A game may use the id for its own messages.
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
        assert_eq!(pair.client_mut().send_ordered(&numbered(1)), Err(SendError::ExtensionUnavailable));
        assert!(matches!(pair.client_mut().send(&large(1)), Err(SendError::TooLong { .. })));
        pair.client_mut().send(&numbered(5)).unwrap();
        pair.run(second(1));
        assert_eq!(pair.at_server().len(), 1, "else it goes on as always");
        assert!(pair.client().is_connected());
    }
}

#[test]
fn a_relayed_negotiation_message_is_not_taken_for_the_servers() {
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
        pair.server_mut().send_to_all(&large(2)).all_sent().unwrap();
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
fn the_bit_length_of_a_message_in_parts_is_exact() {
    let mut pair = Pair::new(6, extended_client(Format::V21), extended_server());
    pair.run(second(1));
    for bits in 9_700_usize..9_900 {
        let mut message = Message::create(MessageSendMode::Reliable, 8_u16).with_max_payload_size(4_000);
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
fn a_message_that_cannot_be_sent_is_an_error_and_leaves_no_gap() {
    let mut pair = Pair::new(7, extended_client(Format::V21), extended_server());
    pair.run(second(1));
    let client = pair.client_mut();
    let unreliable = Message::create(MessageSendMode::Unreliable, 1_u16);
    assert_eq!(client.send_ordered(&unreliable), Err(SendError::NotReliable));
    let reserved = Message::create(MessageSendMode::Reliable, 65_535_u16);
    assert_eq!(client.send(&reserved), Err(SendError::Reserved));
    let mut long = Message::create(MessageSendMode::Reliable, 1_u16).with_max_payload_size(1_100 << 10);
    long.add_bytes_without_length(&vec![1; (1 << 20) + 1]);
    let too_long = Err(SendError::TooLong { length: (1 << 20) + 1, max: 1 << 20 });
    assert_eq!(client.send_ordered(&long), too_long);
    assert_eq!(client.send(&long).map(drop), too_long.map(|_: u16| ()));
    let mut sent = 0;
    while client.send_ordered(&large(sent)).is_ok() {
        sent += 1;
    }
    assert_eq!(client.send_ordered(&large(0)), Err(SendError::Full));
    assert_eq!(sent, 19, "100 KB and 83 packets each fit 19 times into 2 MiB");
    pair.run(second(5));
    pair.client_mut().send_ordered(&large(sent)).unwrap();
    pair.run(second(5));
    assert_eq!(pair.server_numbers(), (0..=sent).collect::<Vec<_>>());
}

#[test]
fn delivery_is_reported_once_per_message_and_not_per_part() {
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
                client::Event::Delivery { seq_id, outcome: DeliveryOutcome::ReliableDelivered } => {
                    Some(seq_id)
                }
                _ => None,
            })
            .collect();
        delivered.sort_unstable();
        // The first two messages are the client's Welcome and its hidden hello.
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
fn relayed_messages_are_ordered_for_clients_with_the_extension_and_reach_the_others() {
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

/// Returns a reliable message with the id of the extension.
fn raw(bytes: &[u8]) -> Message {
    let mut message = Message::create(MessageSendMode::Reliable, 65_535_u16);
    message.add_bytes_without_length(bytes);
    message
}

#[test]
fn r6_a_client_that_violates_the_protocol_is_disconnected_with_a_reason() {
    for format in Format::ALL {
        // A peer with a scripted extension.
        let mut pair = Pair::new(11, ClientConfig::new(format), extended_server());
        pair.run(second(1));
        let hello = [&[0][..], &WORD].concat();
        pair.client_mut().send(&raw(&hello)).unwrap();
        pair.run(second(1));
        let answers = pair.at_client();
        let [answer] = &answers[..] else { panic!("one word, not {answers:?}") };
        assert_eq!(answer.payload(format).unwrap().to_vec()[..17], [&[1][..], &WORD].concat());
        pair.client_mut().send(&raw(&[2, 0, 8, 0, 0, 8, 0, 0, 0, 1])).unwrap();
        pair.run(second(1));
        assert_eq!(pair.server().client_count(), 0);
        let reason = DisconnectReason::TransportError;
        let is_end = |event: &client::Event| match event {
            client::Event::Disconnected { reason: reported, .. } => *reported == reason,
            _ => false,
        };
        assert!(pair.client_events().iter().any(is_end));
    }
}

#[test]
fn r6_a_client_disconnects_from_a_server_that_violates_the_protocol() {
    for format in Format::ALL {
        let mut pair = Pair::new(12, extended_client(format), ServerConfig::new(4));
        pair.run(second(1));
        pair.server_mut().send(&raw(&[&[1][..], &WORD].concat()), ONE).unwrap();
        pair.run(second(1));
        assert!(pair.client().extension().is_some());
        pair.server_mut().send(&raw(&[9; 30]), ONE).unwrap();
        pair.run(second(1));
        assert!(pair.client().is_ended() && pair.server().client_count() == 0);
    }
}

#[test]
fn unpolled_messages_are_limited_in_bytes() {
    let client = &mut Client::connect(&extended_client(Format::V21), PEER, START).unwrap();
    let server = &mut Server::new(extended_server(), START);
    let (mut buffer, mut now) = (Vec::new(), START);
    let mut turn = |client: &mut Client, server: &mut Server| {
        now = now + Duration::from_millis(1);
        let _ = client.send_ordered(&large(1));
        client.handle_timeout(now);
        let mut is_busy = false;
        while client.poll_packet(now, &mut buffer).is_some() {
            is_busy |= server.handle_datagram(now, SUBJECT, &buffer).is_err();
        }
        while server.poll_transmit(now, &mut buffer).is_some() {
            let _ = client.handle_packet(now, (), &buffer);
        }
        is_busy
    };
    let turns = (0..2_000).take_while(|_| !turn(client, server)).count();
    assert!((600..800).contains(&turns), "{turns} messages of 100 KB are 64 MiB");
    while server.poll_event().is_some() {}
    assert!(!turn(client, server), "and then it goes on");
}

#[test]
fn r1_no_message_is_sent_to_an_unverified_address() {
    for format in Format::ALL {
        let mut server = Server::new(extended_server(), START);
        let mut client = Client::connect(&extended_client(format), PEER, START).unwrap();
        // The packets of the client after the Welcome, except the echo.
        let (mut buffer, mut held) = (Vec::new(), Vec::new());
        client.handle_timeout(START);
        while client.poll_packet(START, &mut buffer).is_some() {
            server.handle_datagram(START, SUBJECT, &buffer).unwrap();
        }
        while server.poll_transmit(START, &mut buffer).is_some() {
            client.handle_packet(START, (), &buffer).unwrap();
        }
        while client.poll_packet(START, &mut buffer).is_some() {
            held.push(buffer.clone());
        }
        assert_eq!(held.len(), 3, "the Welcome, the word and an ack");
        server.handle_datagram(START, SUBJECT, &held[1]).unwrap();
        let mut sent = Vec::new();
        while server.poll_transmit(START, &mut buffer).is_some() {
            sent.push(buffer.len());
        }
        assert_eq!(sent.len(), 1, "only an ack");
        server.handle_datagram(START, SUBJECT, &held[0]).unwrap();
        while server.poll_transmit(START, &mut buffer).is_some() {
            client.handle_packet(START, (), &buffer).unwrap();
        }
        assert!(client.extension().is_some(), "it was not forgotten");
    }
}

#[test]
fn ordered_messages_cost_no_allocation_once_warm() {
    let client = &mut Client::connect(&extended_client(Format::V21), PEER, START).unwrap();
    let server = &mut Server::new(extended_server(), START);
    let mut buffer = Vec::with_capacity(2_000);
    let mut now = START;
    let mut work = |client: &mut Client, server: &mut Server| {
        let mut came = 0;
        for n in 0..20_u32 {
            now = now + Duration::from_millis(1);
            let mut message = Message::create(MessageSendMode::Reliable, 20_u16);
            let _ = client.send_ordered(message.add_uint(n));
            client.handle_timeout(now);
            while client.poll_packet(now, &mut buffer).is_some() {
                server.handle_datagram(now, SUBJECT, &buffer).unwrap();
            }
            while server.poll_transmit(now, &mut buffer).is_some() {
                client.handle_packet(now, (), &buffer).unwrap();
            }
            while let Some(event) = server.poll_event() {
                came += usize::from(matches!(event, server::Event::MessageReceived { .. }));
            }
            while client.poll_event().is_some() {}
        }
        came
    };
    for _ in 0..10 {
        work(client, server);
    }
    let allocations = allocation_counter::measure(|| assert_eq!(work(client, server), 20));
    assert_eq!(allocations.count_total, 0);
}

#[test]
fn a_large_maximum_takes_memory_only_as_it_is_used() {
    let mut message = Message::create(MessageSendMode::Reliable, 1_u16).with_max_payload_size(1 << 60);
    assert_eq!(message.unwritten_bits() / 8, (64 << 20) + 2, "the limit");
    message.add_bytes_without_length(&[7; 200_000]).add_int(5);
    assert_eq!((message.bytes_in_use(), message.error(Format::V20)), (200_004, None));
}

#[test]
fn values_that_are_too_long_are_an_error_with_the_maximum() {
    for (format, max) in [(Format::V20, 1225), (Format::V21, 1227)] {
        let mut pair = Pair::new(8, ClientConfig::new(format), ServerConfig::new(1));
        pair.run(second(1));
        let typed = pair.client_mut().send(&Level { tiles: vec![1; 4096] });
        let mut message = Message::create(MessageSendMode::Reliable, 4_u16);
        message.add_bytes(&[1; 4096]);
        assert_eq!(
            (typed, pair.client_mut().send(&message)),
            (Err(SendError::ValuesTooLong { max }), Err(SendError::ValuesTooLong { max }))
        );
        assert_eq!(pair.client().unacked(), 0);
    }
}

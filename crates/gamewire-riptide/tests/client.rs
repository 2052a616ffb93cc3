//! The machine contract (`gamewire_sim::contract`) for the client, over datagrams and over a stream of any bytes. A
//! warm client does not allocate.

use core::time::Duration;

use crate::support::connecting::{Connecting, config, of_servers};
use crate::support::echo::EchoServer;
use crate::support::recorded;
use crate::support::sequence::{self, MAX_OWED};
use gamewire_machine::{Instant, Machine, StreamId, pump};
use gamewire_riptide::client::{Client, ClientConfig, Event};
use gamewire_riptide::raw::{V20, V21};
use gamewire_riptide::{Format, Message, MessageSendMode, PacketMachine, SendError};
use gamewire_sim::contract::{self, PEER, START};
use gamewire_sim::random::{Random, mutate, rounds};

/// Returns the number of changes to sequences for each format, in addition to those of `check`.
fn changes() -> usize {
    rounds(20_000, 200_000)
}

#[test]
fn a_client_of_2_0_keeps_the_contract() {
    contract::check::<Connecting<V20>>();
    sequence::check_mutants::<Connecting<V20, MAX_OWED>>("riptide_client", changes(), 1);
}

#[test]
fn a_client_of_2_1_keeps_the_contract() {
    contract::check::<Connecting<V21>>();
    sequence::check_mutants::<Connecting<V21, MAX_OWED>>("riptide_client", changes(), 2);
}

#[test]
fn a_client_that_joins_again_keeps_the_contract() {
    contract::check::<Connecting<V20, 32, 10>>();
    contract::check::<Connecting<V21, 32, 10>>();
}

#[test]
fn a_client_survives_every_sequence_of_the_corpus() {
    let sequences = recorded::all::<Connecting<V20>>();
    sequence::keep("riptide_client", &sequences);
    sequences.iter().for_each(|(_, bytes)| sequence::client(bytes, 1));
    sequence::corpus("riptide_client").iter().for_each(|bytes| sequence::client(bytes, 1));
}

const STREAM: StreamId = StreamId::new(0);

/// Feeds mutated packets to clients. Returns the number of clients that connected, and of clients that closed.
fn storms(
    format: Format,
    stream: Option<StreamId>,
    mut feed: impl FnMut(&mut Client, Instant, &mut Random, &[u8]),
) -> (usize, usize) {
    let seeds = of_servers(format);
    let mut random = Random::new(0x7269_7074_6964_6522);
    let (mut connected, mut ended, mut mutated) = (0, 0, 0);
    for _ in 0..8_000 {
        let mut client = Client::connect(&config(format), PEER, START).unwrap();
        if let Some(stream) = stream {
            client.handle_open(START, stream, PEER);
        }
        let (mut now, mut last, mut buffer) = (START, 0, Vec::new());
        for _ in 0..40 {
            now = now + Duration::from_millis(random.below(400) as u64);
            let mut packet = seeds[random.below(seeds.len())].clone();
            if random.below(3) > 0 {
                mutate(&mut packet, &mut random, 1300);
                mutated += 1;
            }
            feed(&mut client, now, &mut random, &packet);
            let mut message = Message::create(MessageSendMode::ALL[random.below(3)], 300_u16);
            let sent = client.send(message.add_byte(1));
            assert!(!matches!(sent, Err(SendError::Full)));
            pump(
                &mut client,
                now,
                &mut buffer,
                |_, data| assert!(data.len() <= 1231),
                |event| {
                    assert_eq!(last, 0, "{event:?} after the end");
                    connected += usize::from(matches!(event, Event::Connected { .. }));
                    last += usize::from(matches!(
                        event,
                        Event::ConnectionFailed { .. } | Event::Disconnected { .. }
                    ));
                },
            );
            assert_eq!(last == 1, client.is_ended());
        }
        ended += last;
    }
    assert!(mutated >= 200_000, "{mutated}");
    (connected, ended)
}

#[test]
fn mutated_packets_in_any_order_never_break_a_client() {
    for format in Format::ALL {
        let (connected, ended) = storms(format, None, |client, now, _, packet| {
            let _ = client.handle_datagram(now, PEER, packet);
        });
        assert!(connected > 400 && ended > 400, "{connected} connected, {ended} ended");
    }
}

#[test]
fn r7_mutated_streams_never_break_a_client() {
    for format in Format::ALL {
        let (connected, ended) = storms(format, Some(STREAM), |client, now, random, packet| {
            let mut frame = (packet.len() as u32).to_le_bytes().to_vec();
            frame.truncate(if format == Format::V20 { 2 } else { 4 });
            frame.extend_from_slice(packet);
            if random.below(20) == 0 {
                mutate(&mut frame, random, 1300);
            }
            for part in frame.chunks(1 + random.below(40)) {
                client.handle_bytes(now, STREAM, part);
            }
        });
        assert!(connected > 400 && ended > 400, "{connected} connected, {ended} ended");
    }
}

#[derive(Message)]
#[message(id = 11, mode = "unreliable")]
struct Number {
    value: i32,
}

/// Exchanges all packets of a client and its server without a network.
fn turn(client: &mut Client, server: &mut EchoServer, now: Instant, buffer: &mut Vec<u8>) -> usize {
    let mut events = 0;
    pump(
        client,
        now,
        buffer,
        |_, data| server.handle_datagram(now, contract::SUBJECT, data).unwrap(),
        |_| {},
    );
    while server.poll_transmit(now, buffer).is_some() {
        client.handle_datagram(now, PEER, buffer).unwrap();
        while client.poll_event().is_some() {
            events += 1;
        }
    }
    events
}

#[test]
fn a_warm_client_sends_and_receives_without_allocating() {
    // A server sends these repeatedly; each reliable packet has the next id.
    let mut client = Client::connect(&ClientConfig::new(Format::V21), PEER, START).unwrap();
    let mut server = EchoServer::new(START);
    let (mut now, mut buffer) = (START, Vec::with_capacity(2000));
    for _ in 0..2 {
        turn(&mut client, &mut server, now, &mut buffer);
    }
    assert!(client.is_connected());
    let mut seq_id = 1_u16;
    let mut work = |client: &mut Client| {
        let mut handled = 0;
        for _ in 0..32 {
            seq_id += 1;
            // Reliable message 10, then an ack of the messages that the client sent.
            let [low, high] = seq_id.to_le_bytes();
            let reliable = [0x07 | low << 4, low >> 4 | high << 4, high >> 4 | 0xa0, 0x00, 0x01];
            client.handle_packet(now, (), &reliable).unwrap();
            let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
            let sent = client.send(message.add_long(5)).unwrap().unwrap();
            client.send(&Number { value: 6 }).unwrap();
            while client.poll_packet(now, &mut buffer).is_some() {}
            let [low, high] = sent.to_le_bytes();
            let ack = [0x01 | low << 4, low >> 4 | high << 4, 0xf0 | high >> 4, 0xff, 0x0f];
            client.handle_packet(now, (), &ack).unwrap();
            while client.poll_event().is_some() {
                handled += 1;
            }
        }
        now = now + Duration::from_millis(1);
        handled
    };
    for _ in 0..8 {
        assert_eq!(work(&mut client), 32);
    }
    let info = allocation_counter::measure(|| assert_eq!(work(&mut client), 32));
    assert_eq!(info.count_total, 0);
    assert_eq!(client.metrics().reliable_out, client.metrics().reliable_uniques);
}

#[test]
fn a_derived_type_can_be_sent_directly() {
    for (format, welcome, expected) in [
        (Format::V20, [8, 1, 0, 1, 0], [0x00, 0x0b, 0x00, 0x44, 0x33, 0x22, 0x11].as_slice()),
        (Format::V21, [0x18, 0, 0x10, 0, 0], &[0xb0, 0x40, 0x34, 0x23, 0x12, 0x01]),
    ] {
        let mut client = Client::connect_over_transport(&ClientConfig::new(format), START).unwrap();
        client.handle_packet(START, (), &welcome).unwrap();
        let mut packet = Vec::new();
        while client.poll_packet(START, &mut packet).is_some() {}
        assert_eq!(client.send(&Number { value: 0x1122_3344 }), Ok(None));
        assert!(client.poll_packet(START, &mut packet).is_some());
        assert_eq!(packet, expected);
    }
}

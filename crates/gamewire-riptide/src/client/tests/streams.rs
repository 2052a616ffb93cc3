use gamewire_machine::{Machine, StreamId, StreamOutput};

use super::support::{V20, V21, WIRES, Wire, at, describe, hex};
use crate::Format;
use crate::client::{Client, ClientConfig};

const STREAM: StreamId = StreamId::new(0);

fn client(format: Format) -> Client {
    let mut client = Client::connect_over_transport(&ClientConfig::new(format), at(0)).unwrap();
    client.handle_open(at(0), STREAM, ([192, 0, 2, 1], 7777).into());
    client
}

/// A packet as it is on a stream.
fn frame(wire: &Wire, packet: &str) -> Vec<u8> {
    let mut packet = hex(packet);
    let mut frame = u32::try_from(packet.len()).unwrap().to_le_bytes().to_vec();
    frame.truncate(if wire.format == Format::V20 { 2 } else { 4 });
    frame.append(&mut packet);
    frame
}

fn frames(wire: &Wire, packets: &[&str]) -> Vec<u8> {
    packets.iter().flat_map(|packet| frame(wire, packet)).collect()
}

fn written(client: &mut Client, millis: u64) -> Vec<u8> {
    let mut buffer = Vec::new();
    while client.poll_stream(at(millis), &mut buffer).is_some() {}
    buffer
}

fn poll_events(client: &mut Client) -> Vec<String> {
    core::iter::from_fn(|| client.poll_event()).map(describe).collect()
}

#[test]
fn r7_a_stream_decodes_to_the_same_wherever_it_is_split() {
    for wire in WIRES {
        let whole = frames(&wire, &[wire.welcome, wire.ack, wire.reliable, wire.unreliable, wire.kick]);
        let mut outcomes = Vec::new();
        for size in 1..=whole.len() {
            let mut client = client(wire.format);
            client.handle_timeout(at(0));
            assert_eq!(written(&mut client, 0), frame(&wire, wire.connect));
            whole.chunks(size).for_each(|part| client.handle_bytes(at(5), STREAM, part));
            assert!(client.is_ended());
            outcomes.push((written(&mut client, 5), poll_events(&mut client)));
        }
        let (answer, events) = outcomes.first().unwrap();
        assert!(answer.starts_with(&frames(&wire, &[wire.welcome, wire.ack])));
        assert_eq!(events.len(), 4, "{events:?}");
        assert!(outcomes.iter().all(|outcome| outcome == &outcomes[0]));
    }
}

#[test]
fn r7_an_invalid_frame_length_closes_the_connection() {
    let prefixes = [
        (V21, "00 00 00 00"),
        (V21, "ff ff ff ff"),
        (V21, "ff ff ff 7f"),
        (V21, "d0 04 00 00"),
        (V20, "00 00"),
        (V20, "ff ff"),
        (V20, "cf 04"),
    ];
    for (wire, prefix) in prefixes {
        let mut asking = client(wire.format);
        asking.handle_bytes(at(5), STREAM, &hex(prefix));
        assert_eq!(poll_events(&mut asking), ["failed: NoConnection"]);

        let mut client = client(wire.format);
        let bytes = [frame(&wire, wire.welcome), hex(prefix), frame(&wire, wire.kick)].concat();
        client.handle_bytes(at(5), STREAM, &bytes);
        assert_eq!(poll_events(&mut client), ["connected 1", "disconnected: TransportError"]);
        client.handle_bytes(at(6), STREAM, &[1]);
        let outputs: Vec<_> = core::iter::from_fn(|| client.poll_stream(at(6), &mut Vec::new())).collect();
        assert_eq!(outputs.last(), Some(&StreamOutput::Close(STREAM)));
        client.handle_close(at(6), STREAM);
        assert_eq!((poll_events(&mut client), client.poll_timeout()), (vec![], None));
    }
}

#[test]
fn r7_a_server_of_one_byte_a_second_is_not_waited_for() {
    for wire in WIRES {
        let mut client = client(wire.format);
        let mut millis = 0;
        while !client.is_ended() && millis < 60_000 {
            client.handle_timeout(at(millis));
            // A frame of 100 bytes.
            client.handle_bytes(at(millis), STREAM, &[if millis == 0 { 100 } else { 0 }]);
            millis += 1_000;
        }
        assert_eq!((millis, poll_events(&mut client)), (6_000, vec!["failed: NoConnection".to_owned()]));
    }
}

#[test]
fn packets_that_are_dropped_leave_the_stream_alive() {
    for wire in WIRES {
        let mut client = client(wire.format);
        // A Reliable without an end, an Unreliable without an id, and a message before the Welcome.
        let short = if wire.format == Format::V20 { ["07 01", "00"] } else { ["17", "00"] };
        let bytes = frames(&wire, &[short[0], short[1], wire.unreliable, wire.welcome, wire.unreliable]);
        client.handle_bytes(at(5), STREAM, &bytes);
        assert_eq!(poll_events(&mut client).len(), 2);
    }
}

#[test]
fn the_end_of_a_stream_is_the_end() {
    for wire in WIRES {
        let mut asking = client(wire.format);
        asking.handle_close(at(5), STREAM);
        assert_eq!(poll_events(&mut asking), ["failed: NoConnection"]);
        let mut client = client(wire.format);
        client.handle_bytes(at(5), STREAM, &frame(&wire, wire.welcome));
        client.handle_close(at(5), STREAM);
        assert_eq!(poll_events(&mut client), ["connected 1", "disconnected: TransportError"]);
    }
}

#[test]
fn a_client_with_a_stream_sends_no_datagrams() {
    let server = ([192, 0, 2, 1], 7777).into();
    let mut client = Client::connect(&ClientConfig::new(Format::V21), server, at(0)).unwrap();
    client.handle_open(at(0), STREAM, server);
    client.handle_timeout(at(0));
    client.poll_transmits(at(0), &mut Vec::new(), |_, packet| panic!("a datagram: {packet:02x?}"));
    assert_eq!(client.poll_transmit(at(0), &mut Vec::new()), None);
    assert_eq!(written(&mut client, 0), frame(&V21, "02"));
}

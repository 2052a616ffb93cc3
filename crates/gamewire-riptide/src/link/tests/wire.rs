//! The link together with the packets of both versions.

use crate::DeliveryOutcome;
use gamewire_machine::Role;

use super::delivery::{connected, events};
use super::network::at;
use crate::link::{Event, Link, LinkConfig};
use crate::shared::message::Writer;
use crate::shared::packet::{Ack, Notify, Packet, Reliable, set_notify_ids, set_seq_id};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::{V20, V21};

/// Sends a message of the application, whose bytes are written before its id is known.
fn send<V: Version>(link: &mut Link, value: i32) {
    let mut buffer = [0; 64];
    let mut message = Writer::<V>::new(&mut buffer);
    Packet::from(Reliable { seq_id: 0, id: 10, payload: Payload::EMPTY }).encode(&mut message).unwrap();
    message.i32(value).unwrap();
    let length = message.written().len();
    let write = |seq_id, packet: &mut [u8]| {
        set_seq_id(&mut message, seq_id).unwrap();
        packet.copy_from_slice(message.written());
    };
    link.send_reliable(at(0), length, write).unwrap();
}

/// Passes one reliable message from one link to the other. Returns its value, and the ack as it is on the wire.
fn hand_over<V: Version>(from: &mut Link, to: &mut Link) -> (i32, Vec<u8>) {
    let outgoing = from.poll_send(at(0)).unwrap();
    let packet = Packet::decode::<V, _>(outgoing.packet, Role::Server, &mut ()).unwrap();
    let Packet::Reliable(reliable) = packet else { panic!("{packet:?}") };
    let receipt = to.handle_reliable(reliable.seq_id, outgoing.packet.len());
    let ack = receipt.ack.unwrap();
    let mut buffer = [0; 16];
    let mut answer = Writer::<V>::new(&mut buffer);
    Packet::from(ack).encode(&mut answer).unwrap();
    (reliable.payload.reader::<V>().i32().unwrap(), answer.written().to_vec())
}

fn acknowledge<V: Version>(link: &mut Link, packet: &[u8]) {
    let packet = Packet::decode::<V, _>(packet, Role::Client, &mut ()).unwrap();
    let Packet::Ack(ack) = packet else { panic!("{packet:?}") };
    let Ack { last_received_seq_id, received_seq_ids, for_seq_id, .. } = ack;
    link.handle_ack(at(1), Ack { last_received_seq_id, received_seq_ids, for_seq_id, ..Ack::default() });
}

fn talk<V: Version>(config: LinkConfig, first_ack: &[u8]) {
    let (mut one, mut other) = (connected(config), connected(config));
    send::<V>(&mut one, 7);
    send::<V>(&mut one, -8);
    let (value, ack) = hand_over::<V>(&mut one, &mut other);
    assert_eq!((value, ack.as_slice()), (7, first_ack));
    let (value, ack) = hand_over::<V>(&mut one, &mut other);
    assert_eq!(value, -8);
    acknowledge::<V>(&mut one, &ack);
    let delivered =
        [2, 1].map(|seq_id| Event::Delivery { seq_id, outcome: DeliveryOutcome::ReliableDelivered });
    assert_eq!((events(&mut one), one.unacked_count()), (delivered.to_vec(), 0));
}

#[test]
fn reliable_messages_of_both_versions_go_through_the_link() {
    talk::<V20>(LinkConfig::v20(), &[1, 1, 0, 1, 0]);
    // The C# library sends this ack of the first message.
    talk::<V21>(LinkConfig::v21(), &[0x11, 0x00, 0x10, 0x00, 0x00]);
}

#[test]
fn ids_of_a_notify_message_are_put_into_a_written_one() {
    let mut link = connected(LinkConfig::v21());
    let mut buffer = [0; 16];
    let mut message = Writer::<V21>::new(&mut buffer);
    let notify = Notify { last_received_seq_id: 0, received_seq_ids: 0, seq_id: 0, payload: Payload::EMPTY };
    Packet::from(notify).encode(&mut message).unwrap();
    message.i32(0x1122_3344).unwrap();
    let Notify { last_received_seq_id, received_seq_ids, seq_id, .. } =
        link.send_notify(message.written().len()).unwrap();
    set_notify_ids(&mut message, last_received_seq_id, received_seq_ids, seq_id).unwrap();
    assert_eq!(message.written(), [0x06, 0, 0, 0x10, 0, 0x40, 0x34, 0x23, 0x12, 0x01]);
    assert_eq!(link.metrics.notify_bytes_out, 10);
}

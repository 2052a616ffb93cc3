//! Tests of the traces of packets. Decoding without a trace does not allocate.

use gamewire_machine::Role;

use gamewire_riptide::raw::{Notify, Packet, Payload, Reader, Unreliable, V20, V21, Writer, set_notify_ids};
use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

/// A trace that records every call as a line.
#[derive(Default)]
struct Lines(Vec<String>);

impl Trace for Lines {
    fn wants_details(&self) -> bool {
        true
    }
    fn enter(&mut self, _: Layer, name: &str, span: Span) {
        self.0.push(format!("{name} {span}"));
    }
    fn field(&mut self, name: &str, span: Span, value: Value<'_>) {
        let value = match value {
            Value::Named { value, name } => format!("{value} {name}"),
            Value::Hex { value, .. } => format!("{value:#x}"),
            Value::Bytes(bytes) => format!("{bytes:02x?}"),
            value => format!("{:?}", value.number().expect("a number")),
        };
        self.0.push(format!("{name} {span} {value}"));
    }
    fn warning(&mut self, _: Span, warning: &Warning) {
        self.0.push(format!("! {}", warning.name));
    }
    fn error(&mut self, error: &CodecError) {
        self.0.push(error.to_string());
    }
}

fn told_v21(datagram: &[u8], sender: Role) -> Vec<String> {
    let mut lines = Lines::default();
    _ = Packet::decode::<V21, _>(datagram, sender, &mut lines);
    lines.0
}

#[test]
fn fields_are_traced_with_their_bit_spans() {
    assert_eq!(
        told_v21(&[0x27, 0x00, 0xa0, 0x40, 0x34, 0x23, 0x12, 0x01], Role::Client),
        [
            "reliable 0..8",
            "header 0.0..0.4 7 Reliable",
            "seq_id 0.4..2.4 2",
            "id 2.4..3.4 10",
            "payload 3.4..8.0 [44, 33, 22, 11, 00]",
        ]
    );
    let mut lines = Lines::default();
    Packet::decode::<V20, _>(&[4, 5, 4, b'n'], Role::Server, &mut lines).unwrap();
    assert_eq!(
        lines.0,
        ["reject 0..4", "header 0..1 4 Reject", "reason 1..2 5 Custom", "data 2..4 [04, 6e]"]
    );
}

#[test]
fn oddities_of_real_peers_are_warnings() {
    let odd = |bytes: &[u8], sender| -> Vec<String> {
        told_v21(bytes, sender).into_iter().filter(|line| line.starts_with('!')).collect()
    };
    assert_eq!(odd(&[0x11, 0, 0x10, 0, 0x20, 0, 0], Role::Client), ["! long_ack"]);
    assert_eq!(odd(&[0x11, 0, 0x10, 0, 0], Role::Client), [] as [&str; 0]);
    assert_eq!(odd(&[5, 5], Role::Server), ["! legacy_stop"]);
    assert_eq!(odd(&[0x55, 0], Role::Server), [] as [&str; 0]);
    assert_eq!(odd(&[0x04, 0x80], Role::Server), ["! padding_bits"]);
    assert_eq!(odd(&[0x04, 0x00, 0], Role::Server), ["! extra_bytes"]);
    assert_eq!(odd(&[0x0b, 0, 0], Role::Client), ["! unknown_header"]);
    assert_eq!(odd(&[0x10, 0x08, 0x00], Role::Client), ["! overlong_number"]);
    assert_eq!(odd(&[0xf0, 0xff, 0xff, 0x0f, 0x00], Role::Client), ["! large_id"]);
    assert_eq!(odd(&[0; 1232], Role::Client), ["! too_long"]);
}

#[test]
fn errors_name_the_field_and_the_offset() {
    let lines = told_v21(&[0x27, 0x00, 0xa0], Role::Client);
    assert_eq!(lines.last().unwrap(), "reliable.id: expected the end of a number at byte 2, found 4 bits");
    assert_eq!(told_v21(&[], Role::Client), ["expected a header at byte 0, found the end of the data"]);
}

#[test]
fn array_lengths_change_their_form_as_in_the_csharp_library() {
    for (length, front) in
        [(127, &[0x7f][..]), (128, &[0x80, 0x80]), (300, &[0x81, 0x2c]), (32767, &[0xff, 0xff])]
    {
        let mut buffer = vec![0; 40000];
        let mut writer = Writer::<V20>::with_max_size(&mut buffer, 40000);
        writer.bytes(&vec![7; length]).unwrap();
        assert_eq!(writer.written().get(..front.len()), Some(front));
        let mut reader = Reader::<V20>::new(writer.written());
        assert_eq!(reader.bytes().unwrap().as_bytes(), Some(vec![7; length].as_slice()));
    }
    assert_eq!(Reader::<V20>::new(&[2]).bool(), Ok(false));
}

#[test]
fn notify_ids_are_set_when_the_message_is_sent() {
    let mut buffer = [0; 64];
    let mut writer = Writer::<V21>::new(&mut buffer);
    Packet::encode::<V21>(&Notify::default().into(), &mut writer).unwrap();
    writer.i32(0x1122_3344).unwrap();
    set_notify_ids(&mut writer, 0, 0, 1).unwrap();
    assert_eq!(writer.written(), [6, 0, 0, 0x10, 0, 0x40, 0x34, 0x23, 0x12, 1]);
    set_notify_ids(&mut writer, 3, 0x81, 65535).unwrap();
    let packet = Packet::decode::<V21, _>(writer.written(), Role::Server, &mut ()).unwrap();
    let Packet::Notify(notify) = packet else { panic!("{packet:?}") };
    assert_eq!((notify.last_received_seq_id, notify.received_seq_ids, notify.seq_id), (3, 0x81, 65535));
    assert_eq!(notify.payload.reader::<V21>().i32(), Ok(0x1122_3344));

    let mut writer = Writer::<V20>::new(&mut buffer);
    let error = Packet::encode::<V20>(&Notify::default().into(), &mut writer).unwrap_err();
    assert_eq!((error.packet, error.field), ("notify", "header"));
}

#[test]
fn encoding_and_decoding_do_not_allocate() {
    let (mut first, mut second, mut text) = ([0; 1231], [0; 1231], [0; 64]);
    let allocations = allocation_counter::measure(|| {
        for round in 0..100 {
            let mut writer = Writer::<V21>::new(&mut first);
            let header = Unreliable { id: round, payload: Payload::EMPTY };
            Packet::encode::<V21>(&header.into(), &mut writer).unwrap();
            writer.string("a name").unwrap();
            writer.array(&[1_i32, 2, 3]).unwrap();
            writer.bools(&[true; 70]).unwrap();
            writer.strings(&["one", "two"]).unwrap();
            let packet = Packet::decode::<V21, _>(writer.written(), Role::Client, &mut ()).unwrap();
            let Packet::Unreliable(read) = packet else { panic!("{packet:?}") };
            let mut values = read.payload.reader::<V21>();
            assert_eq!(values.string().unwrap().copy_to(&mut text), Ok("a name"));
            assert_eq!(values.array::<i32>().unwrap().sum::<i32>(), 6);
            assert!(values.bools().unwrap().bits().all(|value| value));
            assert_eq!(values.strings().unwrap().count(), 2);
            let mut relayed = Writer::<V20>::new(&mut second);
            packet.encode::<V20>(&mut relayed).unwrap();
        }
    });
    assert_eq!(allocations.count_total, 0);
}

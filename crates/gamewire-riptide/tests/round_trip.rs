//! Property tests: encoded packets and values decode to the same.

use gamewire_machine::Role;

use gamewire_riptide::raw::{
    Ack, ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Packet, Payload, Pending, Reader, Reject, Reliable, Unreliable, V20, V21, Version, Welcome, Writer,
};
use proptest::prelude::*;

/// Returns a packet of each kind with these numbers, and its sender.
fn packets(n: (u16, u16, u8, i16), extra: Option<u16>, data: &[u8]) -> Vec<(Role, Packet<'_>)> {
    let payload = Payload::new(data);
    let trailing = payload;
    let (seq_id, id, byte, rtt) = n;
    let server: [Packet<'_>; 8] = [
        Pending { trailing }.into(),
        Reject { reason: byte, data: payload }.into(),
        HeartbeatReply { ping_id: byte, trailing }.into(),
        Disconnect { reason: byte, data: payload }.into(),
        Welcome { seq_id, client_id: id, trailing }.into(),
        ClientConnected { seq_id, client_id: id, trailing }.into(),
        ClientDisconnected { seq_id, client_id: id, trailing }.into(),
        Reliable { seq_id, id, payload }.into(),
    ];
    let client: [Packet<'_>; 6] = [
        Unreliable { id, payload }.into(),
        Ack { last_received_seq_id: seq_id, received_seq_ids: id, for_seq_id: extra, trailing }.into(),
        Connect { data: payload }.into(),
        Heartbeat { ping_id: byte, rtt, trailing }.into(),
        Leave { trailing }.into(),
        Notify { last_received_seq_id: id, received_seq_ids: byte, seq_id, payload }.into(),
    ];
    let server = server.into_iter().map(|packet| (Role::Server, packet));
    server.chain(client.into_iter().map(|packet| (Role::Client, packet))).collect()
}

fn check<V: Version>(packets: Vec<(Role, Packet<'_>)>) {
    for (sender, packet) in packets.into_iter().filter(|(_, packet)| V::number(packet.header()).is_some()) {
        let mut buffer = [0xff; 600];
        let mut writer = Writer::<V>::new(&mut buffer);
        packet.encode(&mut writer).unwrap();
        let bits = writer.written_bits();
        let read = Packet::decode::<V, _>(writer.written(), sender, &mut ()).unwrap();
        assert_eq!(read.header(), packet.header());
        // After decoding, the trailing bits include the padding of the last byte.
        let mut again = [0xff; 600];
        let mut again = Writer::<V>::new(&mut again);
        read.encode(&mut again).unwrap();
        assert_eq!((again.written(), again.written_bits()), (writer.written(), bits.next_multiple_of(8)));
    }
}

#[derive(Clone, Debug)]
enum Value {
    Byte(u8),
    Short(i16),
    Uint(u32),
    Long(i64),
    Double(f64),
    Bool(bool),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Bools(Vec<bool>),
    Texts(Vec<String>),
    Vector([f32; 3]),
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<u8>().prop_map(Value::Byte),
        any::<i16>().prop_map(Value::Short),
        any::<u32>().prop_map(Value::Uint),
        any::<i64>().prop_map(Value::Long),
        any::<f64>().prop_map(Value::Double),
        any::<bool>().prop_map(Value::Bool),
        any::<String>().prop_map(Value::Text),
        prop::collection::vec(any::<u8>(), 0..200).prop_map(Value::Bytes),
        prop::collection::vec(any::<i32>(), 0..40).prop_map(Value::Ints),
        prop::collection::vec(any::<bool>(), 0..200).prop_map(Value::Bools),
        prop::collection::vec(any::<String>(), 0..5).prop_map(Value::Texts),
        any::<[f32; 3]>().prop_map(Value::Vector),
    ]
}

fn write<V: Version>(value: &Value, to: &mut Writer<'_, V>) -> bool {
    match value {
        Value::Byte(value) => to.u8(*value),
        Value::Short(value) => to.i16(*value),
        Value::Uint(value) => to.u32(*value),
        Value::Long(value) => to.i64(*value),
        Value::Double(value) => to.f64(*value),
        Value::Bool(value) => to.bool(*value),
        Value::Text(text) => to.string(text),
        Value::Bytes(bytes) => to.bytes(bytes),
        Value::Ints(numbers) => to.array(numbers),
        Value::Bools(values) => to.bools(values),
        Value::Texts(texts) => to.strings(texts),
        Value::Vector(vector) => to.serializable(vector),
    }
    .is_ok()
}

fn read<V: Version>(like: &Value, from: &mut Reader<'_, V>) -> Value {
    match like {
        Value::Byte(_) => from.u8().map(Value::Byte),
        Value::Short(_) => from.i16().map(Value::Short),
        Value::Uint(_) => from.u32().map(Value::Uint),
        Value::Long(_) => from.i64().map(Value::Long),
        Value::Double(_) => from.f64().map(Value::Double),
        Value::Bool(_) => from.bool().map(Value::Bool),
        Value::Text(_) => from.string().map(|text| Value::Text(text.to_string_lossy())),
        Value::Bytes(_) => from.bytes().map(|bytes| Value::Bytes(bytes.to_vec())),
        Value::Ints(_) => from.array().map(|numbers| Value::Ints(numbers.collect())),
        Value::Bools(_) => from.bools().map(|values| Value::Bools(values.bits().collect())),
        Value::Texts(_) => {
            from.strings().map(|texts| Value::Texts(texts.map(|text| text.to_string_lossy()).collect()))
        }
        Value::Vector(_) => from.serializable().map(Value::Vector),
    }
    .unwrap()
}

fn values_come_back<V: Version>(skip: u8, values: &[Value]) {
    let mut buffer = [0xff; 1300];
    let mut writer = Writer::<V>::new(&mut buffer);
    (0..skip).for_each(|_| writer.bool(true).unwrap());
    let fit: Vec<&Value> = values.iter().filter(|value| write(value, &mut writer)).collect();
    let mut reader = Reader::<V>::new(writer.written());
    (0..skip).for_each(|_| assert!(reader.bool().unwrap()));
    for value in fit {
        // NaN is not equal to itself, but its text is.
        assert_eq!(format!("{:?}", read(value, &mut reader)), format!("{value:?}"));
    }
    assert!(reader.unread_bits() < 8 && reader.remaining().is_zero());
}

proptest! {
    #[test]
    fn packets_come_back(
        numbers: (u16, u16, u8, i16),
        extra: Option<u16>,
        data in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        check::<V20>(packets(numbers, extra, &data));
        check::<V21>(packets(numbers, extra, &data));
    }

    #[test]
    fn values_at_any_bit_come_back(skip in 0..8_u8, values in prop::collection::vec(value(), 0..20)) {
        values_come_back::<V20>(skip, &values);
        values_come_back::<V21>(skip, &values);
    }

    #[test]
    fn numbers_of_variable_length_come_back(value: u64, shift in 0..64_u32, skip in 1..64_usize) {
        let value = value >> shift;
        let mut buffer = [0xff; 64];
        let mut writer = Writer::<V21>::new(&mut buffer);
        writer.bits(skip, value).unwrap();
        writer.var_ulong(value).unwrap();
        writer.var_long(value.cast_signed()).unwrap();
        let mut reader = Reader::<V21>::new(writer.written());
        reader.skip_bits(skip).unwrap();
        prop_assert_eq!(reader.var_ulong(), Ok(value));
        prop_assert_eq!(reader.var_long(), Ok(value.cast_signed()));
    }

    #[test]
    fn a_message_within_a_message_comes_back(data: Vec<u8>, skip in 0..8_usize, outer in 1..64_usize) {
        let payload = Payload::new(&data);
        let mut inner = payload.reader::<V21>();
        if inner.skip_bits(skip).is_ok() {
            let mut buffer = vec![0xff; data.len() + 8];
            let mut writer = Writer::<V21>::new(&mut buffer);
            writer.bits(outer, 0).unwrap();
            writer.payload(&inner.remaining()).unwrap();
            let mut reader = Reader::<V21>::new(writer.written());
            reader.skip_bits(outer).unwrap();
            prop_assert_eq!(reader.take(inner.unread_bits(), "all of it").unwrap(), inner.remaining());
        }
    }
}

//! Properties of the codecs for any bytes. The fuzz targets in `fuzz/`, the mutation tests and the tests of the fuzz
//! corpora call these functions.
#![allow(dead_code, unreachable_pub, reason = "each program that includes this uses a part of it")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken promise is a panic"
)]

use gamewire_machine::Role;

use gamewire_riptide::raw::{FrameSplitter, Packet, Reader, V20, V21, Version, Writer};
use gamewire_riptide::{definitions, detect};
use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

/// A trace that checks spans against the source and names against the definitions.
#[derive(Default)]
pub struct Watch {
    length: u32,
    depth: i32,
    group: String,
    /// Set if a number has a non-canonical encoding.
    pub is_odd: bool,
    pub errors: u32,
}

impl Watch {
    fn holds(&self, span: Span) {
        assert!(
            span.start_bit() <= span.end_bit() && span.end_bit() <= self.length,
            "{span} of {}",
            self.length
        );
    }
}

impl Trace for Watch {
    fn wants_details(&self) -> bool {
        true
    }
    fn enter(&mut self, layer: Layer, name: &str, span: Span) {
        self.depth += 1;
        self.group = name.into();
        self.holds(span);
        assert!(definitions().any(|known| known.layer == layer && known.name == name), "{name}");
    }
    fn exit(&mut self) {
        self.depth -= 1;
    }
    fn field(&mut self, name: &str, span: Span, _: Value<'_>) {
        self.holds(span);
        let mut known = definitions().filter(|known| known.name == self.group);
        let is_known =
            name == "header" || known.any(|known| known.fields.iter().any(|field| field.name == name));
        assert!(is_known, "{}.{name}", self.group);
    }
    fn warning(&mut self, span: Span, warning: &Warning) {
        self.holds(span);
        self.is_odd |= ["overlong_number", "large_id"].contains(&warning.name);
    }
    fn error(&mut self, _: &CodecError) {
        self.errors += 1;
    }
}

/// Decodes a packet; the first byte selects the version (bit 0) and the sender (bit 1). Returns whether it is valid.
///
/// A trace does not change the result. A decoded packet can be encoded, and the encoding decodes to the same packet.
/// The bytes are the same, unless a number was overlong.
pub fn packet(bytes: &[u8]) -> bool {
    let Some((&flags, datagram)) = bytes.split_first() else { return false };
    let sender = if flags & 2 == 0 { Role::Client } else { Role::Server };
    _ = detect(datagram);
    if flags & 1 == 0 { packet_of::<V20>(datagram, sender) } else { packet_of::<V21>(datagram, sender) }
}

fn packet_of<V: Version>(datagram: &[u8], sender: Role) -> bool {
    let mut watch = Watch { length: datagram.len() as u32 * 8, ..Watch::default() };
    let watched = Packet::decode::<V, _>(datagram, sender, &mut watch);
    let read = Packet::decode::<V, _>(datagram, sender, &mut ());
    assert_eq!(watched, read);
    assert_eq!((watch.depth, watch.errors), (0, u32::from(read.is_err())));
    let packet = match read {
        Ok(packet) => packet,
        Err(error) => {
            assert!(error.offset <= datagram.len(), "{error}");
            return false;
        }
    };
    let mut buffer = vec![0xff; datagram.len() + 1];
    let mut writer = Writer::<V>::with_max_size(&mut buffer, usize::MAX);
    packet.encode(&mut writer).expect("what was read can be written");
    if watch.is_odd {
        let again = Packet::decode::<V, _>(writer.written(), sender, &mut ()).unwrap();
        assert_eq!((again.header(), again.name()), (packet.header(), packet.name()));
    } else {
        assert_eq!(writer.written(), datagram);
        assert_eq!(writer.written_bits(), datagram.len() * 8);
    }
    true
}

/// Reads values of a message and writes them again. The first byte selects the version, the second is the number of
/// operations. Each operation is a byte that selects a type; the values follow. Returns the number of values that were
/// read.
///
/// A failed read does not move the cursor. A written value reads as the same value.
pub fn message(bytes: &[u8]) -> usize {
    let Some((&[version, count], rest)) = bytes.split_first_chunk::<2>() else { return 0 };
    let (operations, values) = rest.split_at(usize::from(count).min(rest.len()));
    if version & 1 == 0 { values_of::<V20>(operations, values) } else { values_of::<V21>(operations, values) }
}

fn values_of<V: Version>(operations: &[u8], values: &[u8]) -> usize {
    let mut from = Reader::<V>::new(values);
    let mut buffer = vec![0xff; 2 * values.len() + 16];
    let mut done = 0;
    for operation in operations {
        let before = from;
        let mut to = Writer::<V>::with_max_size(&mut buffer, usize::MAX);
        let at = from.position();
        let read = value::<V>(*operation, &mut from, &mut to);
        assert!(from.position() >= at && from.position() <= values.len() * 8);
        if read.is_err() {
            assert_eq!(from.position(), at, "operation {operation}");
            continue;
        }
        done += 1;
        let written = to.written().to_vec();
        let mut again = vec![0xff; written.len() + 16];
        let mut again = Writer::<V>::with_max_size(&mut again, usize::MAX);
        value::<V>(*operation, &mut Reader::new(&written), &mut again).expect("what was written");
        assert_eq!(again.written(), written, "operation {operation} at {before:?}");
    }
    done
}

/// Reads a value and writes it.
fn value<V: Version>(
    operation: u8,
    from: &mut Reader<'_, V>,
    to: &mut Writer<'_, V>,
) -> Result<(), CodecError> {
    match operation % 16 {
        0 => from.u8().map(|value| to.u8(value).unwrap()),
        1 => from.i16().map(|value| to.i16(value).unwrap()),
        2 => from.u32().map(|value| to.u32(value).unwrap()),
        3 => from.i64().map(|value| to.i64(value).unwrap()),
        4 => from.f32().map(|value| to.f32(value).unwrap()),
        5 => from.f64().map(|value| to.f64(value).unwrap()),
        6 => from.bool().map(|value| to.bool(value).unwrap()),
        7 => from.bytes().map(|bytes| to.bytes(&bytes.to_vec()).unwrap()),
        // Replacing invalid UTF-8 would make the text longer.
        8 => from.string().map(|text| to.bytes(&text.payload().to_vec()).unwrap()),
        9 => from.array::<u16>().map(|numbers| to.array(&numbers.collect::<Vec<_>>()).unwrap()),
        10 => from.array::<u64>().map(|numbers| to.array(&numbers.collect::<Vec<_>>()).unwrap()),
        11 => from.bools().map(|values| to.bools(&values.bits().collect::<Vec<_>>()).unwrap()),
        12 => from.strings().map(|texts| {
            to.length(texts.len()).unwrap();
            texts.for_each(|text| to.bytes(&text.payload().to_vec()).unwrap());
        }),
        13 => {
            let mut vectors = Vec::new();
            from.serializables::<[f32; 3]>(|vector| vectors.push(vector))?;
            to.serializables(&vectors).unwrap();
            Ok(())
        }
        14 => from
            .array_of::<i8>(3)
            .map(|numbers| to.array_without_length(&numbers.collect::<Vec<_>>()).unwrap()),
        _ => from
            .bools_of(11)
            .map(|values| to.bools_without_length(&values.bits().collect::<Vec<_>>()).unwrap()),
    }
}

/// Splits a stream into packets. The first byte selects the version, the second is the length of the pieces. Returns
/// the number of packets.
///
/// The packets and the final error do not depend on the pieces.
pub fn stream(bytes: &[u8]) -> usize {
    let Some((&[version, piece], stream)) = bytes.split_first_chunk::<2>() else { return 0 };
    let piece = usize::from(piece).max(1);
    if version & 1 == 0 { stream_of::<V20>(stream, piece) } else { stream_of::<V21>(stream, piece) }
}

fn stream_of<V: Version>(stream: &[u8], piece: usize) -> usize {
    let whole = split::<V>(stream, stream.len().max(1));
    assert_eq!(whole, split::<V>(stream, piece));
    assert_eq!(whole, split::<V>(stream, 1));
    whole.0.len()
}

fn split<V: Version>(stream: &[u8], piece: usize) -> (Vec<Vec<u8>>, Option<CodecError>, usize) {
    let mut splitter = FrameSplitter::new(V::FORMAT, V::MAX_SIZE);
    let mut packets = Vec::new();
    for mut piece in stream.chunks(piece) {
        loop {
            match splitter.next(&mut piece) {
                Ok(Some(packet)) => packets.push(packet.to_vec()),
                Ok(None) => break,
                Err(error) => return (packets, Some(error), 0),
            }
        }
        assert!(piece.is_empty());
        assert!(splitter.buffered() <= 4 + V::MAX_SIZE);
    }
    (packets, None, splitter.buffered())
}

//! Damage to one byte, in four ways at every offset of the first 64 KiB of the uncompressed stream, and at some offsets
//! in the game after a join, where nearly all packets depend on earlier ones.
//!
//! For each damaged byte, a client that has decoded all packets before it continues with the damaged packet and the
//! packets after it. It stops at an error, or after a few packets (`Part::more`).
//!
//! Three results are allowed: an error in a frame; an error in a packet, which names the packet and its field; or a
//! decoded packet. In a decoded packet, the fields that were not sent have the values remembered for its key, or zeros.
//! It must encode to bytes that decode to the same values.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use gamewire_freeciv::delta::{DeltaError, DeltaErrorKind, Direction, Value};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter, TypeWidth};
use gamewire_schema::ir::Info;

use super::client::{Client, agree};
use super::codec::{Interpreter, Row};
use super::definition::protocol;
use super::stream::{Framed, Recorded, plain};

/// The part of a stream that is damaged.
struct Part {
    stream: &'static str,
    /// Range in the inflated stream.
    bytes: Range<usize>,
    /// One byte in this many is damaged.
    step: usize,
    /// Number of packets to decode after a damaged one.
    more: usize,
}

/// Number of occurrences of each result.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcomes {
    /// The frame is invalid.
    frame: u32,
    /// The packet is rejected, and the error names the packet and its field.
    field: u32,
    /// The packet as a whole is rejected: its type is unknown, or a bit without a field is set.
    packet: u32,
    /// The packet is decoded, with different values or without a difference.
    read: u32,
    /// Number of decoded packets that encode to the same bytes. The others repeat known values.
    same_again: u32,
    /// Number of decoded packets after which a later frame or packet is rejected.
    refused_later: u32,
    /// The stream ends before the frame does.
    unfinished: u32,
}

impl Outcomes {
    const fn all(&self) -> u32 {
        self.frame + self.field + self.packet + self.read + self.unfinished
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, field, packet, read, same_again, refused_later, unfinished } = self;
        write!(
            f,
            "{} damages: {frame} frames refused, {field} packets refused with their field, ",
            self.all()
        )?;
        write!(f, "{packet} as a whole, {read} read ({same_again} written to the same bytes again, ")?;
        write!(f, "{refused_later} behind which something was refused), {unfinished} unfinished")
    }
}

/// A client before a packet, and the data to check the packet without a decoder.
struct Before<'a> {
    client: &'a Client,
    /// A codec with the client's capabilities and without baselines.
    fresh: &'a Interpreter,
    /// The last packet of each type and key.
    known: &'a Known,
    width: TypeWidth,
    /// Number of packets to decode after the damaged one.
    more: usize,
}

impl Before<'_> {
    /// Decodes the damaged packet and the packets after it.
    fn read(&self, stream: &[u8], outcomes: &mut Outcomes) {
        let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
        if self.width == TypeWidth::Two {
            splitter.use_wide_types();
        }
        let mut client = self.client.clone();
        let mut data = stream;
        for later in 0..=self.more {
            let packet = match splitter.next(&mut data) {
                Ok(Some(packet)) => Framed::new(&packet),
                Ok(None) if later == 0 => {
                    outcomes.unfinished += 1;
                    return;
                }
                Ok(None) => return,
                Err(_) if later == 0 => {
                    outcomes.frame += 1;
                    return;
                }
                Err(_) => {
                    outcomes.refused_later += 1;
                    return;
                }
            };
            match client.hear(&packet) {
                Ok(row) if later == 0 => self.check(&packet, &row, outcomes),
                Ok(_) => {}
                Err(error) => {
                    let names_field = is_clean(&error);
                    match (later, names_field) {
                        (0, true) => outcomes.field += 1,
                        (0, false) => outcomes.packet += 1,
                        _ => outcomes.refused_later += 1,
                    }
                    assert_eq!(client.hear(&packet), Err(error), "the error stays");
                    return;
                }
            }
        }
    }

    /// Checks a decoded packet against the rules.
    fn check(&self, packet: &Framed, row: &Row, outcomes: &mut Outcomes) {
        outcomes.read += 1;
        let definition = protocol();
        let definition = definition.packet(packet.number).unwrap();
        let mut codec = self.fresh.clone();
        if definition.is_delta() {
            let known = self.known.get(&(packet.number, key(packet.number, &row.values)));
            assert_eq!(row.is_known, known.is_some(), "{}", row.name);
            let variant = definition.variant(definition.mask(functional(self.client)));
            for (bit, field) in variant.bits().enumerate() {
                let is_sent = row.bits[bit / 8] >> (bit % 8) & 1 != 0;
                let (index, value, field) = (field, &row.values[field], &definition.fields[field]);
                if definition.is_folded(field) {
                    assert_eq!(*value, Value::Bool(is_sent), "{}.{}", row.name, field.name);
                } else if !is_sent {
                    let old = known.map(|known| &known[index]);
                    assert!(is_as_before(value, old), "{}.{}: {value:?}", row.name, field.name);
                }
            }
            if let Some(known) = known {
                let known = Row { values: known.clone(), ..row.clone() };
                let body = codec.encode(packet.number, &known, false).unwrap().unwrap();
                codec.decode(packet.number, &body).unwrap();
            }
        }
        // An info packet without changes is not sent again.
        let Some(body) = codec.encode(packet.number, row, false).unwrap() else { return };
        assert_eq!(codec.decode(packet.number, &body).unwrap().values, row.values);
        outcomes.same_again += u32::from(body == packet.body);
    }
}

fn functional(client: &Client) -> impl Iterator<Item = &str> {
    client.capabilities.split(' ')
}

/// Returns the values of the keys.
fn key(number: u16, values: &[Value]) -> Vec<i64> {
    let definition = protocol();
    let keys = definition.packet(number).unwrap().fields.iter().zip(values);
    keys.filter(|(field, _)| field.key).filter_map(|(_, value)| value.as_int()).collect()
}

/// Returns whether a value is the remembered one, or zero. Arrays may be cut, or filled with zeros.
fn is_as_before(value: &Value, old: Option<&Value>) -> bool {
    match (value, old) {
        (Value::List(new), Some(Value::List(old))) => {
            let old = old.iter().map(Some).chain(std::iter::repeat(None));
            new.iter().zip(old).all(|(new, old)| is_as_before(new, old))
        }
        (value, Some(old)) => value == old,
        (Value::Absent, None) => true,
        (Value::Bool(value), None) => !value,
        (Value::Int(value) | Value::Scaled(value), None) => *value == 0,
        (Value::Text(bytes), None) => bytes.is_empty(),
        (Value::Bytes(bytes), None) => bytes.iter().all(|byte| *byte == 0),
        (Value::Parts(parts), None) => parts.iter().all(|part| *part == 0),
        (Value::List(elements), None) => elements.iter().all(|element| is_as_before(element, None)),
    }
}

/// Returns whether an error names a field. An error that does not must concern the packet as a whole.
fn is_clean(error: &DeltaError) -> bool {
    let of_the_whole =
        ["the bits of the fields", "no bit after those of the fields", "the end of the packet"];
    match (&error.field, error.kind) {
        (Some(field), _) => {
            assert!(!error.packet.is_empty() && !field.name.is_empty(), "{error}");
            true
        }
        (None, DeltaErrorKind::Unknown) => false,
        (None, fault) => {
            let is_of_the_whole = match fault {
                DeltaErrorKind::Codec(fault) => of_the_whole.contains(&fault.expected),
                fault => matches!(fault, DeltaErrorKind::Direction | DeltaErrorKind::Variant),
            };
            assert!(is_of_the_whole && !error.packet.is_empty(), "{error}");
            false
        }
    }
}

/// Changes every `step`th byte of a part of a stream.
fn damaged(part: &Part, change: impl Fn(u8) -> u8) -> Outcomes {
    let recorded = Recorded::named(part.stream);
    let packets = recorded.packets().0;
    let mut stream = plain(&packets);
    let mut client = Client::new(recorded.capabilities);
    let mut fresh = Interpreter::new(Direction::ToClient);
    let (mut known, mut start) = (Known::new(), 0);
    let mut outcomes = Outcomes::default();
    for packet in packets {
        let end = start + packet.plain().len();
        let before =
            Before { client: &client, fresh: &fresh, known: &known, width: packet.width, more: part.more };
        for at in (start..end).filter(|at| part.bytes.contains(at) && at.is_multiple_of(part.step)) {
            let sound = stream[at];
            stream[at] = change(sound);
            before.read(&stream[start..], &mut outcomes);
            stream[at] = sound;
        }
        if end >= part.bytes.end {
            break;
        }
        let resets = client.resets;
        let row = client.hear(&packet).unwrap();
        agree(recorded.capabilities, packet.number, &row, |active| fresh.set_capabilities(active));
        note(packet.number, &row, client.resets > resets, &mut known);
        start = end;
    }
    println!("{outcomes}");
    let expected = part.bytes.clone().filter(|at| at.is_multiple_of(part.step)).count();
    assert_eq!(outcomes.all() as usize, expected);
    outcomes
}

/// The last packet of each type and key.
type Known = HashMap<(u16, Vec<i64>), Vec<Value>>;

/// Stores a packet, and removes the packets that it cancels, or the game.
fn note(number: u16, row: &Row, is_reset: bool, known: &mut Known) {
    let protocol = protocol();
    let definition = protocol.packet(number).unwrap();
    if definition.is_delta() {
        known.insert((number, key(number, &row.values)), row.values.clone());
    }
    for other in &definition.cancels {
        let first = row.values[0].as_int().unwrap();
        known.retain(|(number, key), _| number != other || key.first().is_some_and(|key| *key != first));
    }
    if is_reset {
        known.retain(|(number, _), _| protocol.packet(*number).unwrap().info != Info::GameInfo);
    }
}

const FIRST_64_KIB: Part = Part { stream: "join-level0", bytes: 0..64 * 1024, step: 1, more: 2 };

/// Most bytes of this part are letters in texts, and any other letters are also valid.
fn first_64_kib(change: impl Fn(u8) -> u8) {
    let outcomes = damaged(&FIRST_64_KIB, change);
    assert!((1000..3000).contains(&outcomes.field), "{outcomes}");
    assert!((60_000..65_000).contains(&outcomes.read), "{outcomes}");
    assert!(outcomes.same_again > outcomes.read / 100 * 99, "{outcomes}");
}

#[test]
fn the_lowest_bit_of_every_byte() {
    first_64_kib(|byte| byte ^ 1);
}

#[test]
fn the_highest_bit_of_every_byte() {
    first_64_kib(|byte| byte ^ 0x80);
}

#[test]
fn all_bits_of_every_byte() {
    first_64_kib(|byte| !byte);
}

#[test]
fn one_more_in_every_byte() {
    first_64_kib(|byte| byte.wrapping_add(1));
}

#[test]
fn every_sixteenth_byte_of_the_game() {
    let bytes = Recorded::named("join").counts.bytes..Recorded::named("game").counts.bytes;
    let part = Part { stream: "game", bytes, step: 16, more: 10 };
    for change in [|byte| byte ^ 1, |byte: u8| byte.wrapping_sub(1)] {
        let outcomes = damaged(&part, change);
        assert!(outcomes.field > 100 && outcomes.read > 500, "{outcomes}");
        assert!(outcomes.same_again > outcomes.read / 100 * 95, "{outcomes}");
    }
}

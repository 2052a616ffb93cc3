//! Random packets with values of any size that their fields allow.

use gamewire_freeciv::delta::Value;
use gamewire_schema::ir::{CapabilityMask, Count, Dim, Field, Packet, WireType};

use gamewire_sim::random::Random;

/// Maximum number of elements of a random array, except arrays of a fixed size.
const MAX_ELEMENTS: u32 = 4;

/// Returns random values for a packet with these capabilities.
pub(crate) fn row(packet: &Packet, mask: CapabilityMask, random: &mut Random) -> Vec<Value> {
    let mut values = vec![Value::Absent; packet.fields.len()];
    for &index in packet.variant(mask).present() {
        let field = &packet.fields[index];
        values[index] = match limit_of_count(packet, index) {
            Some(limit) => Value::Int(random.below(limit.min(MAX_ELEMENTS) as usize + 1) as i64),
            None => elements(field, &field.dims, &values, random),
        };
    }
    values
}

/// Returns the smallest limit of the arrays that a field counts.
fn limit_of_count(packet: &Packet, index: usize) -> Option<u32> {
    let dims = packet.fields.iter().flat_map(|field| &field.dims);
    dims.filter(|dim| dim.count == Count::Field(index)).map(|dim| dim.limit).min()
}

fn elements(field: &Field, dims: &[Dim], values: &[Value], random: &mut Random) -> Value {
    let Some((dim, inner)) = dims.split_first() else { return element(field, random) };
    let count = match dim.count {
        Count::Fixed => dim.limit as usize,
        Count::Field(index) => values[index].as_int().unwrap() as usize,
        Count::Own => random.below(5),
    };
    if field.wire == WireType::Memory {
        return Value::Bytes(bytes(count, random));
    }
    Value::List((0..count).map(|_| elements(field, inner, values, random)).collect())
}

fn element(field: &Field, random: &mut Random) -> Value {
    let int = |least: i64, most: i64, random: &mut Random| Value::Int(number(least, most, random));
    match field.wire {
        _ if field.is_bool() => Value::Bool(random.below(2) == 1),
        WireType::Bool8 | WireType::Bool32 => Value::Bool(random.below(2) == 1),
        WireType::Uint8 => int(0, u8::MAX.into(), random),
        WireType::Uint16 => int(0, u16::MAX.into(), random),
        WireType::Uint32 => int(0, u32::MAX.into(), random),
        WireType::Sint8 => int(i8::MIN.into(), i8::MAX.into(), random),
        WireType::Sint16 => int(i16::MIN.into(), i16::MAX.into(), random),
        WireType::Sint32 => int(i32::MIN.into(), i32::MAX.into(), random),
        WireType::Ufloat { .. } => Value::Scaled(number(0, u32::MAX.into(), random)),
        WireType::Sfloat { .. } => Value::Scaled(number(i32::MIN.into(), i32::MAX.into(), random)),
        WireType::Bitvector { bytes: size } => Value::Bytes(bytes(size as usize, random)),
        WireType::String { size } | WireType::Estring { size } => {
            let letters = bytes(random.below(size.min(40) as usize), random);
            Value::Text(letters.into_iter().filter(|byte| *byte != 0).collect())
        }
        WireType::Requirement => {
            let value = number(i32::MIN.into(), i32::MAX.into(), random);
            Value::Parts(vec![number(0, 255, random), value, number(0, 255, random), 1, 0, 1])
        }
        WireType::ActionProbability => Value::Parts(vec![number(0, 255, random), number(0, 255, random)]),
        WireType::Worklist => {
            Value::Parts((0..2 * random.below(5)).map(|_| number(0, 255, random)).collect())
        }
        other => panic!("{}: {other} is not in 3.0", field.name),
    }
}

/// Returns a random number between two numbers, often one of them or a small one.
fn number(least: i64, most: i64, random: &mut Random) -> i64 {
    match random.below(6) {
        0 => least,
        1 => most,
        2 | 3 => (random.below(4) as i64).clamp(least, most),
        _ => least + (random.number() >> 1) as i64 % (most - least + 1),
    }
}

fn bytes(count: usize, random: &mut Random) -> Vec<u8> {
    (0..count).map(|_| if random.below(3) == 0 { 0 } else { random.byte() }).collect()
}

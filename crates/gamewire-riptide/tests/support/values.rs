//! The values of the golden vectors: parses their text, writes the values, and reads them again.

use gamewire_riptide::raw::{
    Notify, Number, Packet, Payload, Reader, Reliable, Unreliable, V20, V21, Version, Writer,
};
use gamewire_wire::CodecError;

use super::vectors::Vector;

/// Kind of a value, as named in the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(pub &'static str);

impl Kind {
    /// All kinds of values that a message can hold.
    pub const ALL: [Self; 26] = [
        Self("bool"),
        Self("byte"),
        Self("sbyte"),
        Self("short"),
        Self("ushort"),
        Self("int"),
        Self("uint"),
        Self("long"),
        Self("ulong"),
        Self("float"),
        Self("double"),
        Self("string"),
        Self("bools"),
        Self("bytes"),
        Self("sbytes"),
        Self("shorts"),
        Self("ushorts"),
        Self("ints"),
        Self("uints"),
        Self("longs"),
        Self("ulongs"),
        Self("floats"),
        Self("doubles"),
        Self("strings"),
        Self("varlong"),
        Self("varulong"),
    ];

    /// Returns the kinds in a line.
    pub fn all_of(value: &str) -> Vec<Self> {
        parse(value).iter().map(|value| value.kind).filter(|kind| Self::ALL.contains(kind)).collect()
    }

    /// Returns whether 2.0 does not support the kind.
    pub fn is_new_in_v21(self) -> bool {
        self.0.starts_with("var")
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self("bits"), Self("reserve")]).find(|kind| kind.0 == name)
    }
}

/// Methods for values that only the bit format has.
pub trait Own: Version {
    fn write(_: &Value, _: &mut Writer<'_, Self>) -> Result<(), CodecError> {
        panic!("not in this version")
    }
    fn read(_: &Value, _: &mut Reader<'_, Self>) {
        panic!("not in this version")
    }
}

impl Own for V20 {}

impl Own for V21 {
    fn write(value: &Value, to: &mut Writer<'_, Self>) -> Result<(), CodecError> {
        let text = value.elements[0].as_str();
        match value.kind.0 {
            "varulong" => to.var_ulong(text.parse().unwrap()),
            "varlong" => to.var_long(text.parse().unwrap()),
            "reserve" => to.reserve_bits(text.parse().unwrap()).map(drop),
            _ => to.bits(value.elements[1].parse().unwrap(), bits(text)),
        }
    }

    fn read(value: &Value, from: &mut Reader<'_, Self>) {
        let text = value.elements[0].as_str();
        match value.kind.0 {
            "varulong" => assert_eq!(from.var_ulong(), Ok(text.parse().unwrap())),
            "varlong" => assert_eq!(from.var_long(), Ok(text.parse().unwrap())),
            "reserve" => from.skip_bits(text.parse().unwrap()).unwrap(),
            _ => {
                let count = value.elements[1].parse().unwrap();
                assert_eq!(from.peek_bits(0, count), Ok(bits(text)));
                assert_eq!(from.bits(count), Ok(bits(text)));
            }
        }
    }
}

/// One value of a line.
#[derive(Debug)]
pub struct Value {
    pub kind: Kind,
    pub with_length: bool,
    pub elements: Vec<String>,
}

/// Writes the values of a vector and returns the packet. Also reads the values of the vector and compares them, unless
/// the vector shows a bug.
pub fn check<V: Own>(vector: &Vector) -> Vec<u8> {
    let id = vector.number("message_id").unwrap();
    let (id, payload) = (u16::try_from(id).unwrap_or_default(), Payload::EMPTY);
    let header: Packet<'_> = match vector.kind.as_str() {
        "encode:Unreliable" => Unreliable { id, payload }.into(),
        "encode:Reliable" => Reliable { seq_id: 0, id, payload }.into(),
        "encode:Notify" => Notify::default().into(),
        other => panic!("{other}"),
    };
    let mut buffer = [0xff; 1300];
    let mut writer = Writer::<V>::new(&mut buffer);
    header.encode(&mut writer).unwrap();
    let values = parse(vector.value());
    assert!(values.is_empty() == (vector.number("written_bits") == Some(0) || id == 0), "{vector:?}");
    values.iter().try_for_each(|value| write(value, &mut writer)).unwrap();
    if !vector.has_note && !values.is_empty() {
        assert_eq!(vector.number("written_bits"), i64::try_from(writer.written_bits()).ok(), "{vector:?}");
        let sender = gamewire_machine::Role::Client;
        let packet = Packet::decode::<V, _>(&vector.bytes, sender, &mut ()).unwrap();
        let Packet::Unreliable(unreliable) = packet else { panic!("{packet:?}") };
        assert_eq!(unreliable.id, id);
        let mut reader = unreliable.payload.reader::<V>();
        values.iter().for_each(|value| read(value, &mut reader));
        assert!(reader.unread_bits() < 8 && reader.remaining().is_zero(), "{vector:?}");
    }
    writer.written().to_vec()
}

fn write<V: Own>(value: &Value, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
    let texts = &value.elements;
    macro_rules! number {
        ($number:ty, $method:ident) => {{
            let numbers: Vec<$number> = texts.iter().map(|text| parsed(text)).collect();
            match value.kind.0.strip_suffix('s') {
                None => to.$method(numbers[0]),
                Some(_) if value.with_length => to.array(&numbers),
                Some(_) => to.array_without_length(&numbers),
            }
        }};
    }
    match value.kind.0.trim_end_matches('s') {
        "byte" if value.kind.0 == "bytes" => {
            let bytes: Vec<u8> = texts.iter().map(|text| parsed(text)).collect();
            if value.with_length { to.bytes(&bytes) } else { to.bytes_without_length(&bytes) }
        }
        "byte" => number!(u8, u8),
        "sbyte" => number!(i8, i8),
        "short" => number!(i16, i16),
        "ushort" => number!(u16, u16),
        "int" => number!(i32, i32),
        "uint" => number!(u32, u32),
        "long" => number!(i64, i64),
        "ulong" => number!(u64, u64),
        "float" => number!(f32, f32),
        "double" => number!(f64, f64),
        "string" if value.kind.0 == "strings" => to.strings(texts),
        "string" => to.string(&texts[0]),
        "bool" => {
            let bools: Vec<bool> = texts.iter().map(|text| text == "1").collect();
            match value.kind.0 {
                "bool" => to.bool(bools[0]),
                _ if value.with_length => to.bools(&bools),
                _ => to.bools_without_length(&bools),
            }
        }
        _ => V::write(value, to),
    }
}

fn read<V: Own>(value: &Value, from: &mut Reader<'_, V>) {
    let texts = &value.elements;
    macro_rules! number {
        ($number:ty, $method:ident) => {{
            let wanted: Vec<$number> = texts.iter().map(|text| parsed(text)).collect();
            let found: Vec<$number> = match value.kind.0.strip_suffix('s') {
                None => vec![from.$method().unwrap()],
                Some(_) if value.with_length => from.array().unwrap().collect(),
                Some(_) => from.array_of(wanted.len()).unwrap().collect(),
            };
            assert_eq!(found, wanted);
        }};
    }
    match value.kind.0.trim_end_matches('s') {
        "byte" => number!(u8, u8),
        "sbyte" => number!(i8, i8),
        "short" => number!(i16, i16),
        "ushort" => number!(u16, u16),
        "int" => number!(i32, i32),
        "uint" => number!(u32, u32),
        "long" => number!(i64, i64),
        "ulong" => number!(u64, u64),
        "float" => number!(f32, f32),
        "double" => number!(f64, f64),
        "string" if value.kind.0 == "strings" => {
            let found: Vec<String> = from.strings().unwrap().map(|text| text.to_string_lossy()).collect();
            assert_eq!(&found, texts);
        }
        "string" => {
            let text = from.string().unwrap();
            assert_eq!(text, texts[0].as_str());
            assert_eq!(text.copy_to(&mut [0; 256]), Ok(texts[0].as_str()));
        }
        "bool" => {
            let found: Vec<bool> = match value.kind.0 {
                "bool" => vec![from.bool().unwrap()],
                _ if value.with_length => from.bools().unwrap().bits().collect(),
                _ => from.bools_of(texts.len()).unwrap().bits().collect(),
            };
            assert_eq!(found, texts.iter().map(|text| text == "1").collect::<Vec<_>>());
        }
        _ => V::read(value, from),
    }
}

/// Parses the text of a vector (`vectors/riptide/README.md` has its grammar).
pub fn parse(prose: &str) -> Vec<Value> {
    if let Some(all) = prose.strip_prefix("bits ") {
        let pieces = all.split(", ").map(|piece| {
            let words: Vec<&str> = piece.split(' ').collect();
            let width = words[2].trim_start_matches('x').to_owned();
            Value { kind: Kind("bits"), with_length: false, elements: vec![words[1].into(), width] }
        });
        return pieces.collect();
    }
    prose.replace(" then ", ", ").split(", ").filter_map(piece).collect()
}

fn piece(piece: &str) -> Option<Value> {
    let (name, rest) = piece.split_once(' ')?;
    let (name, count) = name.split_once('[').map_or((name, None), |(name, count)| (name, Some(count)));
    let kind = Kind::named(name)?;
    let with_length = !rest.contains("no length");
    let rest = rest.replace("no length", "");
    let elements: Vec<String> = match kind.0 {
        "string" => vec![match rest.split_once('*') {
            Some((text, times)) => text.trim_matches('\'').repeat(times.parse().unwrap()),
            None => rest.trim_matches('\'').into(),
        }],
        "strings" => {
            rest.trim_matches(['[', ']']).split(',').map(|text| text.trim_matches('\'').into()).collect()
        }
        "bool" | "bools" => bools(&rest),
        "bytes" if count.is_some() => (0..300).map(|byte| (byte & 255).to_string()).collect(),
        "bytes" => rest.split_whitespace().map(|byte| format!("0x{byte}")).collect(),
        _ if rest == "empty" => Vec::new(),
        _ => rest.split_whitespace().map(str::to_owned).collect(),
    };
    Some(Value { kind, with_length, elements })
}

/// Parses bools: `true,false`, `T F` or `TF`. An empty text repeats the nine values of the previous vector.
fn bools(text: &str) -> Vec<String> {
    let text = if text.trim().is_empty() { "TFTFTFTFT" } else { text };
    let letters = text.replace("true", "T").replace("false", "F");
    letters
        .chars()
        .filter(|c| "TF".contains(*c))
        .map(|c| if c == 'T' { "1".into() } else { "0".into() })
        .collect()
}

/// Parses a number of a type.
pub fn parsed<N: Number>(text: &str) -> N {
    let is_float = ["a 32-bit float", "a 64-bit float"].contains(&N::EXPECTED);
    match (is_float, N::BITS) {
        (true, 32) => N::from_bits(text.parse::<f32>().unwrap().to_bits().into()),
        (true, _) => N::from_bits(text.parse::<f64>().unwrap().to_bits()),
        (false, _) => N::from_bits(bits(text)),
    }
}

/// Returns the two's complement of a number in the text.
pub fn bits(text: &str) -> u64 {
    if text == "max" {
        return u64::MAX;
    }
    if let Some((value, shift)) = text.split_once("<<") {
        return value.parse::<u64>().unwrap() << shift.parse::<u32>().unwrap();
    }
    for (prefix, radix) in [("0x", 16), ("0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return u64::from_str_radix(digits, radix).unwrap();
        }
    }
    text.parse::<i64>().map_or_else(|_| text.parse().unwrap(), i64::cast_unsigned)
}

//! Writes and reads the values of the golden vectors with the methods of a `Message`.

use gamewire_riptide::{Format, Message};

use super::values::{Value, bits, parsed};

/// Adds a value of a vector.
pub fn add(value: &Value, to: &mut Message) {
    let texts = &value.elements;
    macro_rules! number {
        ($number:ty, $one:ident $many:ident $bare:ident) => {{
            let numbers: Vec<$number> = texts.iter().map(|text| parsed(text)).collect();
            match value.kind.0.ends_with('s') {
                false => to.$one(numbers[0]),
                true if value.with_length => to.$many(&numbers),
                true => to.$bare(&numbers),
            }
        }};
    }
    let bools: Vec<bool> = texts.iter().map(|text| text == "1").collect();
    match value.kind.0 {
        "byte" | "bytes" => number!(u8, add_byte add_bytes add_bytes_without_length),
        "sbyte" | "sbytes" => number!(i8, add_sbyte add_sbytes add_sbytes_without_length),
        "short" | "shorts" => number!(i16, add_short add_shorts add_shorts_without_length),
        "ushort" | "ushorts" => number!(u16, add_ushort add_ushorts add_ushorts_without_length),
        "int" | "ints" => number!(i32, add_int add_ints add_ints_without_length),
        "uint" | "uints" => number!(u32, add_uint add_uints add_uints_without_length),
        "long" | "longs" => number!(i64, add_long add_longs add_longs_without_length),
        "ulong" | "ulongs" => number!(u64, add_ulong add_ulongs add_ulongs_without_length),
        "float" | "floats" => number!(f32, add_float add_floats add_floats_without_length),
        "double" | "doubles" => number!(f64, add_double add_doubles add_doubles_without_length),
        "string" => to.add_string(&texts[0]),
        "strings" if value.with_length => to.add_strings(texts),
        "strings" => to.add_strings_without_length(texts),
        "bool" => to.add_bool(bools[0]),
        "bools" if value.with_length => to.add_bools(&bools),
        "bools" => to.add_bools_without_length(&bools),
        "varlong" => to.add_var_long(texts[0].parse().unwrap()),
        "varulong" => to.add_var_ulong(texts[0].parse().unwrap()),
        "reserve" => to.reserve_bits(texts[0].parse().unwrap()),
        "bits" => to.add_bits(bits(&texts[0]), texts[1].parse().unwrap()),
        other => panic!("{other}"),
    };
}

/// Reads a value back and compares it.
pub fn get(value: &Value, from: &mut Message) {
    let texts = &value.elements;
    macro_rules! number {
        ($number:ty, $one:ident $many:ident $of:ident) => {{
            let wanted: Vec<$number> = texts.iter().map(|text| parsed(text)).collect();
            let found = match value.kind.0.ends_with('s') {
                false => vec![from.$one().unwrap()],
                true if value.with_length => from.$many().unwrap(),
                true => from.$of(wanted.len()).unwrap(),
            };
            assert_eq!(found, wanted);
        }};
    }
    let bools: Vec<bool> = texts.iter().map(|text| text == "1").collect();
    match value.kind.0 {
        "byte" | "bytes" => number!(u8, get_byte get_bytes get_bytes_of),
        "sbyte" | "sbytes" => number!(i8, get_sbyte get_sbytes get_sbytes_of),
        "short" | "shorts" => number!(i16, get_short get_shorts get_shorts_of),
        "ushort" | "ushorts" => number!(u16, get_ushort get_ushorts get_ushorts_of),
        "int" | "ints" => number!(i32, get_int get_ints get_ints_of),
        "uint" | "uints" => number!(u32, get_uint get_uints get_uints_of),
        "long" | "longs" => number!(i64, get_long get_longs get_longs_of),
        "ulong" | "ulongs" => number!(u64, get_ulong get_ulongs get_ulongs_of),
        "float" | "floats" => number!(f32, get_float get_floats get_floats_of),
        "double" | "doubles" => number!(f64, get_double get_doubles get_doubles_of),
        "string" => assert_eq!(from.get_string().as_ref(), Ok(&texts[0])),
        "strings" if value.with_length => assert_eq!(from.get_strings().as_ref(), Ok(texts)),
        "strings" => assert_eq!(from.get_strings_of(texts.len()).as_ref(), Ok(texts)),
        "bool" => assert_eq!(from.get_bool(), Ok(bools[0])),
        "bools" if value.with_length => assert_eq!(from.get_bools(), Ok(bools)),
        "bools" => assert_eq!(from.get_bools_of(bools.len()), Ok(bools)),
        "varlong" => assert_eq!(from.get_var_long(), Ok(texts[0].parse().unwrap())),
        "varulong" => assert_eq!(from.get_var_ulong(), Ok(texts[0].parse().unwrap())),
        "reserve" => from.skip_bits(texts[0].parse().unwrap()).unwrap(),
        "bits" => {
            let count = texts[1].parse().unwrap();
            assert_eq!(from.peek_bits(count, from.read_bits()), Ok(bits(&texts[0])));
            assert_eq!(from.get_bits(count), Ok(bits(&texts[0])));
        }
        other => panic!("{other}"),
    }
}

/// Returns a message as a peer of `format` receives it.
pub fn sent(message: &Message, format: Format) -> Message {
    Message::received(format, message.mode(), message.id(), &message.payload(format).unwrap())
}

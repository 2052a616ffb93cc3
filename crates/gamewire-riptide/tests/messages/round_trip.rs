use gamewire_riptide::{Format, Message, MessageSendMode};
use proptest::prelude::*;

use crate::support::messages::{add, get, sent};
use crate::support::values::{Kind, Value};

/// Generates a value of any type that `Message` supports.
fn value() -> impl Strategy<Value = Value> {
    let single = (0..Kind::ALL.len(), any::<bool>(), prop::collection::vec(any::<u64>(), 0..12));
    single.prop_flat_map(|(kind, with_length, numbers)| {
        let kind = Kind::ALL[kind];
        let texts = prop::collection::vec("\\PC{0,12}", numbers.len().max(1));
        texts.prop_map(move |texts| element(kind, with_length, &numbers, &texts))
    })
}

fn element(kind: Kind, with_length: bool, numbers: &[u64], texts: &[String]) -> Value {
    let is_many = kind.0.ends_with('s');
    let numbers = if numbers.is_empty() && !is_many { &[0] } else { numbers };
    let mut elements: Vec<String> = match kind.0 {
        "string" | "strings" => texts.to_vec(),
        "bool" | "bools" => numbers.iter().map(|number| (number % 2).to_string()).collect(),
        "float" | "floats" => numbers.iter().map(|number| (*number as f32).to_string()).collect(),
        "double" | "doubles" => numbers.iter().map(|number| (*number as f64 / 3.0).to_string()).collect(),
        "varlong" => numbers.iter().map(|number| number.cast_signed().to_string()).collect(),
        _ => numbers.iter().map(u64::to_string).collect(),
    };
    if !is_many {
        elements.truncate(1);
    }
    Value { kind, with_length, elements }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn what_the_methods_write_they_read(values in prop::collection::vec(value(), 0..8), odd in 0_usize..9) {
        let mut message = Message::create(MessageSendMode::Reliable, 77_u16);
        if odd > 0 {
            message.add_bits(0x155, odd);
        }
        values.iter().for_each(|value| add(value, &mut message));
        prop_assert_eq!(message.error(Format::V21), None);
        let mut read = sent(&message, Format::V21);
        if odd > 0 {
            prop_assert_eq!(read.get_bits(odd), Ok(0x155 & ((1 << odd) - 1)));
        }
        values.iter().for_each(|value| get(value, &mut read));
        prop_assert_eq!((read.unread_bits(), read.bytes_in_use()), (0, message.bytes_in_use()));

        let old: Vec<&Value> = values.iter().filter(|value| !value.kind.is_new_in_v21()).collect();
        let lacks = odd > 0 || old.len() < values.len();
        prop_assert_eq!(message.error(Format::V20).is_some(), lacks);
        let mut message = Message::create(MessageSendMode::Reliable, 77_u16);
        old.iter().for_each(|value| add(value, &mut message));
        let mut read = sent(&message, Format::V20);
        old.iter().for_each(|value| get(value, &mut read));
        prop_assert_eq!(read.unread_bits(), 0);
    }
}

#[test]
fn get_into_fills_the_slice() {
    let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
    message.add_ints_without_length(&[1, -2, 3]).add_bools_without_length(&[true, false, true]);
    message.add_strings_without_length(&["a", "b"]).add_bytes_without_length(&[9]);
    for format in Format::ALL {
        let mut read = sent(&message, format);
        let (mut ints, mut bools, mut strings) = ([0; 3], [false; 3], [String::new(), String::new()]);
        read.get_ints_into(&mut ints).unwrap();
        read.get_bools_into(&mut bools).unwrap();
        read.get_strings_into(&mut strings).unwrap();
        assert_eq!((ints, bools, strings), ([1, -2, 3], [true, false, true], ["a".into(), "b".into()]));
        let mut bytes = [7; 2];
        assert!(read.get_bytes_into(&mut bytes).is_err());
        assert_eq!((bytes, read.get_byte()), ([7; 2], Ok(9)));
    }
}

#[test]
fn reserved_bits_can_be_set_and_peeked() {
    let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
    message.add_bool(true);
    let count_at = message.written_bits();
    message.reserve_bits(7).add_string("two").add_string("words").set_bits(2, 7, count_at);
    let mut read = sent(&message, Format::V21);
    assert_eq!((read.peek_bits(7, count_at), read.read_bits()), (Ok(2), 0));
    assert_eq!((read.get_bool(), read.get_bits(7)), (Ok(true), Ok(2)));
    assert_eq!(read.get_strings_of(2), Ok(vec!["two".into(), "words".into()]));
    message.set_bits(1, 8, message.written_bits() - 7);
    assert!(message.error(Format::V21).is_some(), "bits after the end cannot be set");
}

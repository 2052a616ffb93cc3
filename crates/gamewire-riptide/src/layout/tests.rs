#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use gamewire_machine::Record;
use gamewire_machine::record::NodeKind;

use super::*;
use crate::Format;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::{V20, V21};
use gamewire_machine::Role::{self, Client, Server};

fn layouts() -> MessageLayouts {
    let structs = [
        StructDefinition::new("mod", ["kind: byte", "on: bool"]),
        StructDefinition::new("weapon", ["ammo: short", "mods: mod[]"]),
    ];
    let messages = [
        MessageDefinition::new(
            MessageKind::Message(10),
            "player_move",
            ["tick: ushort", "position: vector3"],
        )
        .sent_by(Client),
        MessageDefinition::new(
            MessageKind::Message(10),
            "world",
            ["flags: bool[]", "names: strings", "blob: bytes"],
        )
        .sent_by(Server),
        MessageDefinition::new(
            MessageKind::Message(11),
            "armed",
            ["weapons: weapon[2]", "fast: bool", "path: vector2[]"],
        ),
        MessageDefinition::new(
            MessageKind::Message(12),
            "precise",
            ["low: bits:3", "far: var_long", "big: ulong", "mass: double"],
        ),
        MessageDefinition::new(MessageKind::Connect, "hello", ["who: string"]),
    ];
    MessageLayouts::new(&structs, &messages).unwrap()
}

/// Returns the bits of typed values, and their number.
fn written<V: Version>(values: &Values) -> (Vec<u8>, usize) {
    let mut buffer = vec![0xff; V::MAX_SIZE];
    let mut to = Writer::<V>::new(&mut buffer);
    values.write(&mut to).unwrap();
    (to.written().to_vec(), to.written_bits())
}

const TYPED: [(&str, Role); 6] = [
    ("player_move tick=5 position=1,-2.5,1e30", Client),
    (r#"world flags=[true,false,true] names=["Anna \"A\"","\x1b\xff\u{202e}","",'] blob=0aff"#, Server),
    ("world flags=[] names=[] blob=[]", Server),
    (
        "armed weapons=[{ammo=-1 mods=[]},{ammo=7 mods=[{kind=1 on=true},{kind=2 on=false}]}] fast=true path=[(1,2),(3,4)]",
        Client,
    ),
    ("precise low=5 far=-4611686018427387904 big=18446744073709551615 mass=0.1", Server),
    (r#"hello who="first""#, Client),
];

fn both(text: &str, side: Role) -> [String; 2] {
    let layouts = layouts();
    let typed = layouts.parse(text, side).unwrap();
    let (bytes, bits) = written::<V21>(&typed.values);
    let of_21 = layouts.print(typed.kind, side, &Payload::with_bits(&bytes, bits), Format::V21);
    if text.starts_with("precise") {
        return [of_21.clone(), of_21];
    }
    let (bytes, _) = written::<V20>(&typed.values);
    [of_21, layouts.print(typed.kind, side, &Payload::new(&bytes), Format::V20)]
}

#[test]
fn printed_messages_can_be_parsed_in_both_formats() {
    for (text, side) in TYPED {
        let printed = both(text, side);
        assert_eq!(printed[0], printed[1], "{text}");
        assert_eq!(both(&printed[0], side), printed);
    }
    assert_eq!(both(TYPED[0].0, Client)[0], TYPED[0].0);
    assert_eq!(both(TYPED[3].0, Client)[0], TYPED[3].0);
    assert!(
        both(TYPED[1].0, Server)[0].contains(r#"names=["Anna \"A\"","\u{1b}\xff\u{202e}","","'"] blob=0aff"#)
    );
}

#[test]
fn values_with_types_need_no_layout() {
    let text =
        r#"10 int:5 bool:true string:"Hi there" bytes:0aff floats:1,2.5 bits:3:5 short[2]:[1, 2] hex:0b"#;
    let typed = MessageLayouts::default().parse(text, Client).unwrap();
    let mut buffer = [0; 64];
    let mut to = Writer::<V21>::new(&mut buffer);
    to.i32(5).unwrap();
    to.bool(true).unwrap();
    to.string("Hi there").unwrap();
    to.bytes(&[0x0a, 0xff]).unwrap();
    to.array(&[1.0_f32, 2.5]).unwrap();
    to.bits(3, 5).unwrap();
    to.array_without_length(&[1_i16, 2]).unwrap();
    to.u8(0x0b).unwrap();
    assert_eq!(typed.kind, MessageKind::Message(10));
    assert_eq!(written::<V21>(&typed.values), (to.written().to_vec(), to.written_bits()));
}

#[test]
fn parse_errors_name_the_word_and_the_expectation() {
    for (text, expected) in [
        ("", "at column 1: expected an id or the name of a message"),
        (
            "plyer_move tick=5",
            r#"at "plyer_move": expected an id from 0 to 65535, or one of player_move, armed, precise, hello"#,
        ),
        ("70000 int:5", r#"at "70000": expected an id from 0 to 65535"#),
        ("10 5", r#"at "5": expected a type and a value, as in int:5"#),
        ("10 int:five", r#"at "five": expected a whole number from -2147483648 to 2147483647"#),
        ("10 byte:256", r#"at "256": expected a whole number from 0 to 255"#),
        ("10 bool:yes", r#"at "yes": expected true or false"#),
        ("10 hex:abc", r#"at "abc": expected bytes of two hexadecimal digits each, as in 0aff"#),
        ("10 string:\"open", r#"at "\"open": the quote is not closed"#),
        (r#"10 string:"\q""#, r#"at "\"\\q\"": \q is not an escape; use \" \\ \n \r \t \0 \xNN \u{N}"#),
        ("10 vector2:1", "at column 13: expected , and the y of a vector of 2 numbers"),
        ("10 int[2]:1,2,3", r#"at "1,2,3": expected 2 values, found 3"#),
        ("player_move tick=5", "at column 19: missing: position"),
        ("player_move tick=5 tick=6", r#"at "tick=6": duplicate field tick"#),
        ("player_move speed=5", r#"at "speed=5": unknown field; use one of tick, position"#),
        ("player_move tick", r#"at "tick": expected tick= and a value of type ushort"#),
        ("armed weapons=1", r#"at "1": expected a list in brackets, as in [(1,2),(3,4)]"#),
        (
            "world flags=[]",
            r#"at "world": expected an id from 0 to 65535, or one of player_move, armed, precise, hello"#,
        ),
    ] {
        assert_eq!(layouts().parse(text, Client).unwrap_err().to_string(), expected, "{text}");
    }
    let error = layouts().parse("10 itn:5", Client).unwrap_err().to_string();
    assert!(error.starts_with(r#"at "itn:": unknown type "itn"; use one of bool, "#), "{error}");
}

#[test]
fn transcoding_to_the_other_format_and_back_keeps_a_message() {
    let layouts = layouts();
    let mut there = Vec::new();
    let mut back = Vec::new();
    for (text, side) in TYPED.into_iter().filter(|(text, _)| !text.starts_with("precise")) {
        let typed = layouts.parse(text, side).unwrap();
        let (of_20, of_21) = (written::<V20>(&typed.values), written::<V21>(&typed.values));
        let kind = typed.kind;
        let payload = Payload::with_bits(&of_21.0, of_21.1);
        let bits = layouts.transcode(kind, side, &payload, Format::V21, Format::V20, &mut there).unwrap();
        assert_eq!((&there, bits), (&of_20.0, of_20.1), "{text}");
        let bits = layouts
            .transcode(kind, side, &Payload::new(&there), Format::V20, Format::V21, &mut back)
            .unwrap();
        assert_eq!((&back, bits), (&of_21.0, of_21.1), "{text}");
    }
}

#[test]
fn unsupported_values_cannot_be_transcoded() {
    let layouts = layouts();
    let typed = layouts.parse(TYPED[4].0, Server).unwrap();
    let (bytes, bits) = written::<V21>(&typed.values);
    let mut output = vec![1];
    let payload = Payload::with_bits(&bytes, bits);
    let error =
        layouts.transcode(typed.kind, Server, &payload, Format::V21, Format::V20, &mut output).unwrap_err();
    let sentence = "cannot encode the message in the other format: precise.low: expected a type that the byte format (2.0) has";
    assert!(error.to_string().starts_with(sentence), "{error}");
    assert_eq!(output, []);
    assert_eq!(
        layouts.transcode(MessageKind::Message(99), Client, &payload, Format::V21, Format::V20, &mut output),
        Err(TranscodeError::Unknown)
    );
}

fn traced(kind: MessageKind, from: Role, payload: &Payload<'_>, format: Format) -> (bool, Vec<String>) {
    let mut record = Record::new();
    use gamewire_wire::Trace;
    record.enter_source("payload", &payload.to_vec());
    let is_known = layouts().trace(kind, from, payload, format, &mut record);
    record.exit();
    let nodes = record.nodes().filter(|node| node.kind() != NodeKind::Source);
    (is_known, nodes.map(|node| format!("{} {} {:?}", node.name(), node.span(), node.value())).collect())
}

#[test]
fn fields_are_traced_with_spans_and_extra_bytes() {
    let typed = layouts().parse("10 ushort:5 vector3:1,2,3", Client).unwrap();
    let (mut bytes, _) = written::<V21>(&typed.values);
    bytes.push(7);
    let (is_known, nodes) = traced(MessageKind::Message(10), Client, &Payload::new(&bytes), Format::V21);
    assert!(is_known);
    assert_eq!(
        nodes,
        [
            "player_move 0..15 None",
            "tick 0..2 Some(Int(5))",
            "position 2..14 None",
            "x 2..6 Some(Float(1.0))",
            "y 6..10 Some(Float(2.0))",
            "z 10..14 Some(Float(3.0))",
            "extra_bytes 14..15 Some(Bytes([7]))",
            "extra_bytes 14..15 Some(Text([84, 104, 101, 114, 101, 32, 97, 114, 101, 32, 98, 121, 116, 101, 115, 32, 97, 102, 116, 101, 114, 32, 116, 104, 101, 32, 108, 97, 115, 116, 32, 102, 105, 101, 108, 100, 44, 32, 119, 104, 105, 99, 104, 32, 116, 104, 101, 32, 67, 35, 32, 108, 105, 98, 114, 97, 114, 121, 32, 105, 103, 110, 111, 114, 101, 115, 46]))",
        ]
    );
}

#[test]
fn bits_are_traced_with_spans_and_padding_is_not_a_warning() {
    let typed = layouts().parse("world flags=[true,false,true] names=[] blob=[]", Server).unwrap();
    let (bytes, bits) = written::<V21>(&typed.values);
    assert_eq!(bits % 8, 3, "there is padding");
    let (_, nodes) = traced(typed.kind, Server, &Payload::new(&bytes), Format::V21);
    assert_eq!(
        nodes[2..5],
        [" 1.0..1.1 Some(Bool(true))", " 1.1..1.2 Some(Bool(false))", " 1.2..1.3 Some(Bool(true))"]
    );
    assert_eq!(nodes.len(), 7, "{nodes:?}");
}

#[test]
fn a_truncated_message_is_an_error_with_field_and_offset() {
    let mut record = Record::new();
    layouts().trace(MessageKind::Message(10), Client, &Payload::new(&[5, 0, 1, 2]), Format::V20, &mut record);
    assert_eq!((record.errors(), record.warnings()), (1, 0));
    let error = record.nodes().find(|node| node.kind() == NodeKind::Error).unwrap();
    let Some(gamewire_wire::Value::Text(text)) = error.value() else { panic!("no text") };
    let expected = "player_move.position: expected a 32-bit float at byte 2, found 16 bits";
    assert_eq!(core::str::from_utf8(text), Ok(expected));
}

#[test]
fn messages_without_a_layout_are_not_traced() {
    assert_eq!(
        traced(MessageKind::Message(9), Client, &Payload::new(&[1]), Format::V21),
        (false, Vec::new())
    );
    assert_eq!(traced(MessageKind::Connect, Client, &Payload::EMPTY, Format::V21), (false, Vec::new()));
}

#[test]
fn messages_that_do_not_match_are_printed_as_bytes() {
    let layouts = layouts();
    let payload = Payload::new(&[5, 0, 1]);
    assert_eq!(layouts.print(MessageKind::Message(10), Client, &payload, Format::V20), "10 hex:050001");
    assert_eq!(layouts.print(MessageKind::Kick, Server, &payload, Format::V20), "hex:050001");
}

#[test]
fn m_a_claimed_count_allocates_nothing() {
    let layouts = layouts();
    let claims = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    for kind in [10, 11].map(MessageKind::Message) {
        let payload = Payload::new(&claims);
        let mut output = Vec::new();
        let info = allocation_counter::measure(|| {
            assert!(layouts.trace(kind, Server, &payload, Format::V21, &mut ()));
            _ = layouts.transcode(kind, Server, &payload, Format::V21, Format::V20, &mut output);
        });
        assert!(info.bytes_max < 4096, "{} bytes", info.bytes_max);
    }
}

fn layout_error(structs: &[StructDefinition], messages: &[MessageDefinition]) -> String {
    MessageLayouts::new(structs, messages).unwrap_err().message
}

#[test]
fn recursive_structs_are_rejected() {
    let cycle = [
        StructDefinition::new("a", ["x: int", "b: b"]),
        StructDefinition::new("b", ["c: c[]"]),
        StructDefinition::new("c", ["a: a[2]"]),
    ];
    assert_eq!(layout_error(&cycle, &[]), "struct a contains itself: a contains b contains c contains a");
    let chain: Vec<_> = (0..9)
        .map(|n| {
            StructDefinition::new(
                format!("s{n}"),
                [if n == 8 { "x: int".into() } else { format!("x: s{}", n + 1) }],
            )
        })
        .collect();
    assert_eq!(layout_error(&chain, &[]), "struct s0 nests more than 8 structs");
    assert!(MessageLayouts::new(&chain[1..], &[]).is_ok());
    let long: Vec<_> = (0..2000)
        .map(|n| StructDefinition::new(format!("l{n}"), [format!("x: l{}", (n + 1) % 2000)]))
        .collect();
    assert!(MessageLayouts::new(&long, &[]).is_err());
}

#[test]
fn ambiguous_messages_are_rejected() {
    let a = || MessageDefinition::new(MessageKind::Notify, "a", [""; 0]);
    let b = || MessageDefinition::new(MessageKind::Notify, "b", [""; 0]);
    assert_eq!(layout_error(&[], &[a(), b()]), "b and a are of the same kind: remove one");
    assert!(MessageLayouts::new(&[], &[a().sent_by(Client), b().sent_by(Server)]).is_ok());
    let connect = MessageDefinition::new(MessageKind::Connect, "a", [""; 0]).sent_by(Server);
    assert_eq!(layout_error(&[], &[connect]), "a cannot have this sender: remove the sender");
}

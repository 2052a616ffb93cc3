//! Property checks of layouts: any bytes as messages that an application has described.
#![allow(dead_code, unreachable_pub, reason = "each program that includes this uses a part of it")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken promise is a panic"
)]

use gamewire_machine::Role;

use gamewire_riptide::Format;
use gamewire_riptide::layout::{
    MessageDefinition, MessageKind, MessageLayouts, StructDefinition, TranscodeError, Values,
};
use gamewire_riptide::raw::{Payload, V20, V21, Version, Writer};
use gamewire_wire::{CodecError, Layer, Span, Trace, Value, Warning};

/// Returns layouts with every type and with nested structs.
fn layouts() -> MessageLayouts {
    let structs = [
        StructDefinition::new("part", ["kind: byte", "names: strings", "on: bool"]),
        StructDefinition::new("whole", ["parts: part[]", "pair: part[2]", "size: short"]),
    ];
    let messages = [
        MessageDefinition::new(
            MessageKind::Message(0),
            "numbers",
            [
                "a: byte",
                "b: sbyte",
                "c: bool",
                "d: short",
                "e: ushort",
                "f: int",
                "g: uint",
                "h: long",
                "i: ulong",
                "j: float",
                "k: double",
                "l: vector2",
                "m: vector3",
                "n: quaternion",
            ],
        ),
        MessageDefinition::new(
            MessageKind::Message(1),
            "lists",
            [
                "a: bytes",
                "b: bools",
                "c: ints",
                "d: strings",
                "e: bool[5]",
                "f: byte[3]",
                "g: vector2s",
                "h: double[2]",
            ],
        ),
        MessageDefinition::new(MessageKind::Message(2), "structs", ["a: whole", "b: whole[]"]),
        MessageDefinition::new(
            MessageKind::Message(3),
            "bits",
            ["a: bits:3", "b: var_longs", "c: var_ulong", "d: bits:64[]", "e: bits:1[3]"],
        ),
    ];
    MessageLayouts::new(&structs, &messages).unwrap()
}

/// A trace that checks spans and the nesting of groups against the source.
#[derive(Default)]
struct Watch {
    length: u32,
    depth: i32,
    errors: u32,
    nodes: usize,
}

impl Watch {
    fn holds(&mut self, span: Span) {
        assert!(
            span.start_bit() <= span.end_bit() && span.end_bit() <= self.length,
            "{span} of {}",
            self.length
        );
        self.nodes += 1;
    }
}

impl Trace for Watch {
    fn wants_details(&self) -> bool {
        true
    }
    fn enter(&mut self, _: Layer, _: &str, span: Span) {
        self.depth += 1;
        self.holds(span);
    }
    fn exit(&mut self) {
        self.depth -= 1;
    }
    fn field(&mut self, _: &str, span: Span, _: Value<'_>) {
        self.holds(span);
    }
    fn warning(&mut self, span: Span, _: &Warning) {
        self.holds(span);
    }
    fn error(&mut self, _: &CodecError) {
        self.errors += 1;
    }
}

/// Decodes a payload; the first byte selects the format (bit 0) and the message. Returns whether it is valid.
///
/// The trace stays within the payload. A decoded message is unchanged after a conversion to the other
/// format and back, if that supports it, and its printed form parses to the same message.
pub fn layout(bytes: &[u8]) -> bool {
    let Some((&first, bytes)) = bytes.split_first() else { return false };
    let layouts = layouts();
    let (own, other) = if first & 1 == 0 { (Format::V20, Format::V21) } else { (Format::V21, Format::V20) };
    let (kind, side) = (MessageKind::Message(u16::from(first >> 1 & 3)), Role::Client);
    let payload = Payload::new(bytes);
    let mut watch = Watch { length: bytes.len() as u32 * 8, ..Watch::default() };
    assert!(layouts.trace(kind, side, &payload, own, &mut watch));
    assert_eq!(watch.depth, 0);
    // Each value takes at least one bit and is in few groups.
    assert!(watch.nodes <= 40 + 4 * bytes.len() * 8, "{} of {} bytes", watch.nodes, bytes.len());

    let mut same = Vec::new();
    let read = layouts.transcode(kind, side, &payload, own, own, &mut same);
    assert_eq!(read.is_ok(), watch.errors == 0, "{read:?}");
    let Ok(bits) = read else { return false };
    let (mut there, mut back) = (Vec::new(), Vec::new());
    match layouts.transcode(kind, side, &payload, own, other, &mut there) {
        Ok(count) => {
            let payload = Payload::with_bits(&there, count);
            let again = layouts.transcode(kind, side, &payload, other, own, &mut back);
            assert_eq!((again, &back), (Ok(bits), &same));
        }
        Err(error) => assert!(matches!(error, TranscodeError::Write(_)), "{error}"),
    }

    let printed = layouts.print(kind, side, &Payload::with_bits(&same, bits), own);
    let typed = layouts.parse(&printed, side).unwrap_or_else(|error| panic!("{printed}: {error}"));
    let (again, count) = match own {
        Format::V20 => written::<V20>(&typed.values, same.len()),
        Format::V21 => written::<V21>(&typed.values, same.len()),
    };
    let again = layouts.print(kind, side, &Payload::with_bits(&again, count), own);
    assert_eq!((again, count), (printed, bits));
    true
}

fn written<V: Version>(values: &Values, size: usize) -> (Vec<u8>, usize) {
    let mut buffer = vec![0xff; size + 16];
    let mut to = Writer::<V>::with_max_size(&mut buffer, usize::MAX);
    values.write(&mut to).expect("what was read can be written");
    (to.written().to_vec(), to.written_bits())
}

/// Parses any text as a message. Returns whether it is valid.
pub fn layout_text(text: &str) -> bool {
    let layouts = layouts();
    match layouts.parse(text, Role::Client) {
        Ok(_) => true,
        Err(error) => {
            assert!(text.get(error.at.clone()).is_some(), "{error}");
            assert_eq!(error.to_string().lines().count(), 1);
            false
        }
    }
}

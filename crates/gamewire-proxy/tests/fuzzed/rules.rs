//! A file of rules, and the messages that it decides about.

use std::sync::{Arc, LazyLock};

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, Value};
use gamewire_freeciv::follow::Definitions;
use gamewire_freeciv::session::codec::{Decoder, Definition, Encoder, PacketBuf};
use gamewire_machine::Role;
use gamewire_proxy::MessageHook as _;
use gamewire_proxy::freeciv::FreecivMessages;
use gamewire_proxy::riptide::RiptideMessages;
use gamewire_proxy::rules::{RuleMessages, Rules};
use gamewire_proxy::teeworlds::TeeworldsMessages;
use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, Message, MessageSendMode};
use gamewire_teeworlds::{Dialect, MessageBuf};

use super::session::LAYOUTS;

/// Maximum bytes of a file. Longer files are slower, and reach nothing else.
const MAX_BYTES: usize = 512;

static FREECIV: LazyLock<FreecivMessages> =
    LazyLock::new(|| FreecivMessages::new(Arc::new(Definitions::shipped())));

/// Parses a file and applies its rules. The first byte, modulo 3, selects the game; the rest is the file. Returns
/// whether it is valid.
///
/// A rule does not panic, and a changed message can be decoded.
pub fn rules(input: &[u8]) -> bool {
    let Some((&game, text)) = input.split_first() else { return false };
    let text = String::from_utf8_lossy(text.get(..MAX_BYTES).unwrap_or(text));
    match game % 3 {
        0 => applied(&text, TeeworldsMessages, teeworlds(), |message| message.decode().is_ok()),
        1 => applied(&text, RiptideMessages::new(LAYOUTS.clone()), riptide(), |_| true),
        _ => applied(&text, FREECIV.clone(), freeciv(), |packet| !packet.field_names().is_empty()),
    }
}

fn applied<G: RuleMessages>(
    text: &str,
    game: G,
    messages: Vec<(Role, G::Message)>,
    is_valid: impl Fn(&G::Message) -> bool,
) -> bool {
    let Ok(mut rules) = Rules::parse(text, game) else { return false };
    for (from, mut message) in messages {
        rules.on_message(from, &mut message);
        assert!(is_valid(&message), "a rule made an invalid message");
    }
    true
}

/// Returns chat lines, an input, a vote and a message with integers, in both versions.
fn teeworlds() -> Vec<(Role, MessageBuf)> {
    let of = |dialect, from, content: &[u8]| {
        (from, MessageBuf { dialect, vital: true, content: content.to_vec() })
    };
    vec![
        of(Dialect::V06, Role::Client, b"\x22\0hi\0"),
        of(Dialect::V06, Role::Server, b"\x06\0\x01hi\0"),
        of(Dialect::V07, Role::Client, b"\x30\x01\x40hi\0"),
        of(Dialect::V07, Role::Server, b"\x06\x01\0\x40hi\0"),
        of(Dialect::V06, Role::Client, b"\x29\x01\x02\0\0\0\x04\0\0\0\0\0\0"),
    ]
}

/// Returns a message with a layout, and one without.
fn riptide() -> Vec<(Role, Message)> {
    let bytes = [3, 1, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
    let of = |id| {
        let payload = Payload::with_bits(&bytes, 8 * bytes.len());
        Message::received(Format::V20, MessageSendMode::Reliable, Some(id), &payload)
    };
    vec![(Role::Client, of(1)), (Role::Server, of(2))]
}

/// Returns packets with texts, integers and lists.
fn freeciv() -> Vec<(Role, PacketBuf)> {
    static PACKETS: LazyLock<[PacketBuf; 2]> = LazyLock::new(|| {
        let order = |order, target| Value::Parts(vec![order, 0, target, -1, 0, 3]);
        let orders = Value::List(vec![order(0, 7), order(2, 9)]);
        let orders = [("unit_id", Value::Int(100)), ("length", Value::Int(2)), ("orders", orders)];
        [packet("PACKET_UNIT_ORDERS", &orders), packet("PACKET_CHAT_MSG_REQ", &[("message", "hi".into())])]
    });
    PACKETS.iter().map(|packet| (Role::Client, packet.clone())).collect()
}

fn packet(name: &str, fields: &[(&str, Value)]) -> PacketBuf {
    let definition = Definition::of(ProtocolVersion::ALL[2]);
    let number = definition.number(name).unwrap();
    let mut encoder = Encoder::new(&definition, Direction::ToServer, DeltaLimits::DEFAULT);
    let mut decoder = Decoder::new(&definition, Direction::ToServer, DeltaLimits::DEFAULT);
    let mut body = Vec::new();
    encoder.encode_fields(number, fields, EncodeOptions::default(), &mut body).unwrap();
    decoder.decode(number, &body).unwrap().to_owned()
}

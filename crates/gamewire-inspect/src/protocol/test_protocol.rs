//! A small protocol for tests of the rest of the crate.
//!
//! A datagram is `toy`, a number of a sequence, and messages of one line each: `say TEXT`,
//! `hit DAMAGE`, `odd`, `bad`, `world X`. The client sends a first datagram with number 0.
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use gamewire_machine::{ConversationSide, Follow, Instant, Transport};
use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value, Warning};

use super::type_names::{is_list, values_of};
use super::{Catalog, Detect, Detection, FieldName, FieldValues, GroupName};

#[derive(Debug, Default)]
pub(crate) struct TestProtocol {
    client: Option<ConversationSide>,
    seen: u64,
    missed: u64,
}

pub(crate) const ODD: Warning = Warning::tolerated("odd_line", "The line says that it is odd.");

impl Detect for TestProtocol {
    type Detector = ();
    type Config = ();

    fn detect((): &(), (): &mut (), _: Transport, _: ConversationSide, data: &[u8]) -> Detection<Self> {
        match data {
            [b't', b'o', b'y', ..] => Detection::Match(Self::default()),
            b"perhaps" => Detection::Possible,
            _ => Detection::NoMatch,
        }
    }

    fn is_candidate(data: &[u8]) -> bool {
        data.starts_with(b"toy!")
    }

    fn skip(&mut self, _: ConversationSide, bytes: u64) {
        self.missed += bytes;
    }

    fn resume(&self, send: &mut super::SendState<'_>) {
        if let Some(client) = self.client {
            send(client, None, b"toy\0say resumed");
        }
    }

    fn protocol(&self) -> &'static str {
        "toy"
    }

    fn counters(&self, visit: &mut dyn FnMut(&'static str, u64)) {
        visit("datagrams_seen", self.seen);
        visit("bytes_missed", self.missed);
    }

    fn held_bytes(&self) -> usize {
        1000
    }
}

impl Follow for TestProtocol {
    fn follow<T: Trace>(&mut self, _: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        trace.enter_source("datagram", data);
        trace.enter(Layer::Packet, "packet", Span::bytes(0, data.len()));
        self.seen += 1;
        let sequence = data.get(3).copied().unwrap_or_default();
        if sequence == 0 {
            self.client = Some(from);
        }
        trace.field("sequence", Span::bytes(3, 4), Value::Int(sequence.into()));
        let names = &["first", "resend"];
        let flags = Value::Flags { bits: u64::from(sequence == 0), names };
        trace.field("flags", Span::bits(0, 0, 3), flags);
        let mut at = 4;
        for line in data.get(4..).unwrap_or_default().split(|&byte| byte == b'\n') {
            trace.enter(Layer::Group, "chunk", Span::bytes(at, at));
            trace.field(
                "size",
                Span::bytes(at, at),
                Value::Int(i64::try_from(line.len()).unwrap_or_default()),
            );
            message(line, at, trace);
            trace.exit();
            at += line.len() + 1;
        }
        trace.exit();
        trace.exit();
    }

    fn dialect(&self) -> Option<&'static str> {
        self.client.map(|_| "toy-1")
    }

    fn client(&self) -> Option<ConversationSide> {
        self.client
    }
}

fn message<T: Trace>(line: &[u8], at: usize, trace: &mut T) {
    let end = at + line.len();
    let mut words = line.splitn(2, |&byte| byte == b' ');
    let (verb, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let rest_span = Span::bytes(end - rest.len(), end);
    let number = || std::str::from_utf8(rest).ok().and_then(|text| text.parse::<i64>().ok());
    match verb {
        b"say" => {
            trace.enter(Layer::Message, "say", Span::bytes(at, end));
            trace.field("text", rest_span, Value::Text(rest));
        }
        b"hit" => {
            let damage = number().unwrap_or_default();
            trace.enter(Layer::Message, "hit", Span::bytes(at, end));
            trace.field("damage", rest_span, Value::Decimal { raw: damage, scale: 100 });
            let name = if damage == 0 { "hammer" } else { "pistol" };
            trace.field("weapon", rest_span, Value::Named { value: i64::from(damage != 0), name });
        }
        b"world" => {
            trace.enter(Layer::Message, "world", Span::bytes(at, end));
            trace.enter_source("inflated", &[1, 2, 3, 4]);
            trace.enter(Layer::List, "sizes", Span::bytes(0, 0));
            trace.field("", Span::bytes(0, 1), Value::Int(7));
            trace.field("", Span::bytes(1, 2), Value::Int(9));
            trace.exit();
            for id in 0..2 {
                trace.enter(Layer::Item, "player", Span::bytes(2, 2));
                trace.field("id", Span::bytes(2, 3), Value::Int(id));
                trace.field("x", Span::bytes(3, 4), Value::Int(number().unwrap_or_default()));
                trace.field("token", Span::bytes(3, 4), Value::Hex { value: 0x0a0b, digits: 8 });
                trace.exit();
            }
            trace.exit();
        }
        b"odd" => {
            trace.enter(Layer::Message, "odd", Span::bytes(at, end));
            trace.warning(Span::bytes(at, end), &ODD);
            trace.field("raw", Span::bytes(at, end), Value::Bytes(line));
            trace.field("id", Span::bytes(at, end), Value::Uuid([0xab; 16]));
            trace.field("yes", Span::bytes(at, end), Value::Bool(true));
        }
        _ => {
            trace.enter(Layer::Message, "unknown", Span::bytes(at, end));
            trace.error(&CodecError::new(at, "a known verb", Found::Bytes(line.len())).in_packet("unknown"));
        }
    }
    trace.exit();
}

/// The names of the test protocol.
pub(crate) fn catalog() -> Catalog {
    let mut catalog = Catalog::new();
    let field = |&(name, kind): &(&'static str, &str)| FieldName {
        name: name.into(),
        kind: kind.into(),
        values: match kind {
            "uuid" | "text, optional" => FieldValues::Text,
            kind if kind.starts_with("integer") => FieldValues::Int(64),
            kind => values_of(kind),
        },
        is_list: is_list(kind),
        words: if name == "weapon" { vec!["hammer", "pistol"] } else { Vec::new() },
        doc: format!("Its {name}."),
    };
    for (layer, name, fields) in [
        (Layer::Packet, "packet", &[("sequence", "integer"), ("flags", "toy")][..]),
        (Layer::Group, "chunk", &[("size", "integer 0..=9")]),
        (Layer::Message, "say", &[("text", "text, optional")]),
        (Layer::Message, "hit", &[("damage", "number"), ("weapon", "weapon")]),
        (Layer::Message, "world", &[("sizes", "list of integer")]),
        (Layer::Item, "player", &[("id", "integer"), ("x", "toy"), ("token", "token")]),
        (Layer::Message, "odd", &[("raw", "bytes"), ("id", "uuid"), ("yes", "boolean")]),
        (Layer::Message, "unknown", &[]),
    ] {
        catalog.add(GroupName {
            protocol: "toy",
            layer,
            name: name.into(),
            doc: format!("A {name}."),
            fields: fields.iter().map(field).collect(),
        });
    }
    catalog
}

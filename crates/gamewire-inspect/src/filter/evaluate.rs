use std::fmt::{self, Write};
use std::net::SocketAddr;

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Value;

use super::expression::{Check, Expression, Filter, Subject};
use super::literal::Number;
use super::names::BuiltinField;
use crate::conversation::{PacketInfo, PacketMeta, PacketSource};
use crate::render::{Hyphenated, set_flags};

/// A datagram that a filter is asked about.
#[derive(Clone, Copy)]
struct EvalContext<'a> {
    number: u64,
    protocol: &'static str,
    dialect: Option<&'static str>,
    direction: &'static str,
    length: usize,
    /// Of what went by in a conversation: the circumstances that only that has.
    passed: Option<&'a PacketInfo>,
    record: &'a Record,
}

impl Filter {
    /// Whether the condition holds for a datagram.
    #[must_use]
    pub fn holds(&self, sighting: &impl PacketMeta, record: &Record) -> bool {
        let passed = match sighting.origin() {
            PacketSource::Conversation(passed) => Some(passed),
            PacketSource::File(_) => None,
        };
        EvalContext {
            number: sighting.number(),
            protocol: sighting.protocol(),
            dialect: sighting.dialect(),
            direction: sighting.sender().name(),
            length: sighting.length(),
            passed,
            record,
        }
        .holds(&self.root)
    }
}

impl EvalContext<'_> {
    fn holds(self, expression: &Expression) -> bool {
        match expression {
            Expression::All(parts) => parts.iter().all(|part| self.holds(part)),
            Expression::Any(parts) => parts.iter().any(|part| self.holds(part)),
            Expression::Not(inner) => !self.holds(inner),
            Expression::Test(subject, check) => self.test(subject, check),
        }
    }

    fn test(self, subject: &Subject, check: &Check) -> bool {
        match subject {
            Subject::Fact(fact) => self.fact(*fact, check),
            Subject::Protocol(name) => self.protocol == name,
            Subject::Group(path) => {
                self.protocol == path.protocol
                    && path.find(self.record).any(|node| matches!(node.kind(), NodeKind::Group(_)))
            }
            Subject::Field(path) => {
                self.protocol == path.protocol && any(check, path.find(self.record), field_satisfies)
            }
        }
    }

    fn fact(self, fact: BuiltinField, check: &Check) -> bool {
        let number =
            |number: Number| any(check, std::iter::once(number), |check, number| check.on_number(number));
        let text =
            |text: Option<&str>| any(check, text.into_iter(), |check, text| check.on_text(text.as_bytes()));
        let passed = self.passed;
        let numbers =
            |number: Option<Number>| any(check, number.into_iter(), |check, number| check.on_number(number));
        match fact {
            BuiltinField::Frame => number(Number::whole(self.number.into())),
            BuiltinField::Time => numbers(passed.map(|passed| Number::fraction(passed.time, 1_000_000_000))),
            BuiltinField::Conversation => {
                numbers(passed.map(|passed| Number::whole(passed.conversation.into())))
            }
            BuiltinField::Length => number(Number::whole(i128::try_from(self.length).unwrap_or(i128::MAX))),
            BuiltinField::Direction => text(Some(self.direction)),
            BuiltinField::Dialect => text(self.dialect),
            BuiltinField::From => any(check, passed.map(|passed| passed.from).into_iter(), address_satisfies),
            BuiltinField::To => any(check, passed.map(|passed| passed.to).into_iter(), address_satisfies),
            BuiltinField::Error => {
                let errors = self.record.nodes().filter(|node| node.kind() == NodeKind::Error);
                any(check, errors, |check, node| match node.value() {
                    Some(Value::Text(text)) => check.on_text(text),
                    _ => matches!(check, Check::Exists),
                })
            }
            BuiltinField::Warning => {
                let warnings = self.record.nodes().filter(|node| matches!(node.kind(), NodeKind::Warning(_)));
                any(check, warnings, |check, node| check.on_text(node.name().as_bytes()))
            }
        }
    }
}

/// Whether any of `found` satisfies the check; `!=` holds when there are some and none is equal.
fn any<T>(check: &Check, mut found: impl Iterator<Item = T>, satisfies: impl Fn(&Check, T) -> bool) -> bool {
    if check.is_unequal() {
        let mut is_there = false;
        let has_equal = found.any(|value| {
            is_there = true;
            satisfies(check, value)
        });
        is_there && !has_equal
    } else {
        found.any(|value| satisfies(check, value))
    }
}

fn field_satisfies(check: &Check, node: NodeRef<'_>) -> bool {
    // The list itself, beside its members: it is there even when it is empty.
    let Some(value) = node.value() else { return matches!(check, Check::Exists) };
    match value {
        Value::Bool(value) => match check {
            Check::Exists => value,
            check => check.on_number(Number::whole(value.into())),
        },
        Value::Int(value) => check.on_number(Number::whole(value.into())),
        Value::Uint(value) => check.on_number(Number::whole(value.into())),
        Value::Float(value) => check.on_float(value),
        Value::Double(value) => check.on_double(value),
        Value::Decimal { raw, scale } => check.on_number(Number::fraction(raw, scale)),
        Value::Hex { value, digits } => {
            check.on_number(Number::whole(value.into()))
                || as_shown(check, format_args!("{value:0width$x}", width = usize::from(digits)))
        }
        Value::Named { value, name } => {
            check.on_number(Number::whole(value.into())) || check.on_text(name.as_bytes())
        }
        Value::Flags { bits, names } => {
            check.on_number(Number::whole(bits.into()))
                || set_flags(bits, names).any(|name| flag_satisfies(check, bits, name))
        }
        Value::Text(text) | Value::Bytes(text) => check.on_text(text),
        Value::Uuid(uuid) => check.on_text(&uuid) || as_shown(check, format_args!("{}", Hyphenated(uuid))),
    }
}

/// `contains "resend"` asks for a flag among others, `== "resend"` for this one alone.
fn flag_satisfies(check: &Check, bits: u64, name: &str) -> bool {
    match check {
        Check::Contains(part) => name.as_bytes() == part,
        Check::Compare(..) => bits.count_ones() == 1 && check.on_text(name.as_bytes()),
        check => check.on_text(name.as_bytes()),
    }
}

fn address_satisfies(check: &Check, address: SocketAddr) -> bool {
    let is_equality = matches!(check, Check::Compare(..));
    as_shown(check, format_args!("{address}"))
        || is_equality && as_shown(check, format_args!("{}", address.ip()))
}

/// Checks a value against its text without an allocation; numbers and addresses are short.
fn as_shown(check: &Check, shown: fmt::Arguments<'_>) -> bool {
    let mut text = Short::default();
    text.write_fmt(shown).is_ok() && check.on_text(text.bytes.get(..text.length).unwrap_or_default())
}

struct Short {
    bytes: [u8; 64],
    length: usize,
}

impl Default for Short {
    fn default() -> Self {
        Self { bytes: [0; 64], length: 0 }
    }
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length.saturating_add(text.len());
        self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

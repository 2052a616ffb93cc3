use std::net::SocketAddr;

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Value;

use super::expression::{Check, Expression, Filter, Subject};
use super::literal::Number;
use super::names::BuiltinField;
use crate::conversation::{PacketMeta, PacketSource};
use crate::render::{Hyphenated, set_flags};

/// The datagram that a filter tests.
#[derive(Clone, Copy)]
struct EvalContext<'a> {
    meta: PacketMeta<'a>,
    record: &'a Record,
}

impl Filter {
    /// Returns whether the filter matches a datagram.
    #[must_use]
    pub fn holds<'a>(&self, meta: impl Into<PacketMeta<'a>>, record: &Record) -> bool {
        EvalContext { meta: meta.into(), record }.holds(&self.root)
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
            Subject::Builtin(field) => self.builtin(*field, check),
            Subject::Protocol(name) => self.meta.protocol == name,
            Subject::Group(path) => {
                self.meta.protocol == path.protocol
                    && path.find(self.record).any(|node| matches!(node.kind(), NodeKind::Group(_)))
            }
            Subject::Field(path) => {
                self.meta.protocol == path.protocol && any(check, path.find(self.record), field_satisfies)
            }
        }
    }

    fn builtin(self, field: BuiltinField, check: &Check) -> bool {
        let number = |number: Option<Number>| any(check, number.into_iter(), Check::on_number);
        let text =
            |text: Option<&str>| any(check, text.into_iter(), |check, text| check.on_text(text.as_bytes()));
        let meta = self.meta;
        let packet = match meta.source {
            PacketSource::Conversation(packet) => Some(packet),
            PacketSource::File(_) => None,
        };
        match field {
            BuiltinField::Frame => number(Some(Number::whole(meta.number.into()))),
            BuiltinField::Time => number(packet.map(|packet| Number::fraction(packet.time, 1_000_000_000))),
            BuiltinField::Conversation => {
                number(packet.map(|packet| Number::whole(packet.conversation.into())))
            }
            BuiltinField::Length => {
                number(Some(Number::whole(i128::try_from(meta.length).unwrap_or(i128::MAX))))
            }
            BuiltinField::Direction => text(Some(meta.sender.name())),
            BuiltinField::Dialect => text(meta.dialect),
            BuiltinField::From => any(check, packet.map(|packet| packet.from).into_iter(), address_satisfies),
            BuiltinField::To => any(check, packet.map(|packet| packet.to).into_iter(), address_satisfies),
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

/// Returns whether any of `found` satisfies the check; `!=` holds if there are some and none is equal.
fn any<T>(check: &Check, mut found: impl Iterator<Item = T>, satisfies: impl Fn(&Check, T) -> bool) -> bool {
    if check.is_unequal() {
        let mut exists = false;
        let has_equal = found.any(|value| {
            exists = true;
            satisfies(check, value)
        });
        exists && !has_equal
    } else {
        found.any(|value| satisfies(check, value))
    }
}

fn field_satisfies(check: &Check, node: NodeRef<'_>) -> bool {
    // The list itself, in addition to its members: it exists even if it is empty.
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
                || check.on_text(format!("{value:0width$x}", width = usize::from(digits)).as_bytes())
        }
        Value::Named { value, name } => {
            check.on_number(Number::whole(value.into())) || check.on_text(name.as_bytes())
        }
        Value::Flags { bits, names } => {
            check.on_number(Number::whole(bits.into()))
                || set_flags(bits, names).any(|name| flag_satisfies(check, bits, name))
        }
        Value::Text(text) | Value::Bytes(text) => check.on_text(text),
        Value::Uuid(uuid) => check.on_text(&uuid) || check.on_text(Hyphenated(uuid).to_string().as_bytes()),
    }
}

/// `contains "resend"` matches if the flag is set, `== "resend"` if no other flag is set.
fn flag_satisfies(check: &Check, bits: u64, name: &str) -> bool {
    match check {
        Check::Contains(part) => name.as_bytes() == part,
        Check::Compare(..) => bits.count_ones() == 1 && check.on_text(name.as_bytes()),
        check => check.on_text(name.as_bytes()),
    }
}

fn address_satisfies(check: &Check, address: SocketAddr) -> bool {
    let is_equality = matches!(check, Check::Compare(..));
    check.on_text(address.to_string().as_bytes())
        || is_equality && check.on_text(address.ip().to_string().as_bytes())
}

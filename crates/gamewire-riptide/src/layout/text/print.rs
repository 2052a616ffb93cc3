use core::fmt::Write;

use gamewire_machine::Role;
use gamewire_wire::Span;

use super::escape::quote;
use crate::Format;
use crate::layout::definition::MessageKind;
use crate::layout::layouts::{MessageLayout, MessageLayouts};
use crate::layout::scalar::ScalarValue;
use crate::layout::visitor::{Group, Visitor, Walker};
use crate::shared::message::Reader;
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::by_format;

impl MessageLayouts {
    /// Prints user data of a packet that `from` sends, in the form that [`MessageLayouts::parse`] reads.
    ///
    /// Data that has no layout or does not match it is printed as its id, if it has one, and its bytes. Bits after the
    /// last field are appended as bytes.
    pub fn print(&self, kind: MessageKind, from: Role, payload: &Payload<'_>, format: Format) -> String {
        by_format!(format, V => self.print_in(kind, from, payload.reader::<V>()))
    }

    /// Prints each field of a message that `from` sends, by name, in the form that [`MessageLayouts::parse`] reads
    /// after the name and `=`. Returns `None` if there is no layout, or the payload does not match it.
    pub fn print_fields(
        &self,
        kind: MessageKind,
        from: Role,
        payload: &Payload<'_>,
        format: Format,
    ) -> Option<Vec<(&'static str, String)>> {
        let message = self.find(kind, from)?;
        by_format!(format, V => self.print_fields_in(message, payload.reader::<V>()))
    }

    fn print_fields_in<V: Version>(
        &self,
        message: &MessageLayout,
        mut from: Reader<'_, V>,
    ) -> Option<Vec<(&'static str, String)>> {
        let walker = Walker { structs: &self.structs };
        let fields = message.fields.iter().map(|field| {
            let mut printer = Printer { text: String::new(), open: Vec::new() };
            walker.fields(core::slice::from_ref(field), &mut from, &mut printer).ok()?;
            let (_, value) = printer.text.split_once('=')?;
            Some((field.name, value.to_owned()))
        });
        fields.collect()
    }

    fn print_in<V: Version>(&self, kind: MessageKind, side: Role, mut from: Reader<'_, V>) -> String {
        let whole = from.remaining();
        if let Some(message) = self.find(kind, side) {
            let mut printer = Printer { text: message.name.to_owned(), open: Vec::new() };
            let walker = Walker { structs: &self.structs };
            if walker.fields(&message.fields, &mut from, &mut printer).is_ok() {
                raw(&mut printer.text, &from.rest(), 8);
                return printer.text;
            }
        }
        let mut text = match kind {
            MessageKind::Message(id) => id.to_string(),
            MessageKind::Notify | MessageKind::Connect | MessageKind::Reject | MessageKind::Kick => {
                String::new()
            }
        };
        raw(&mut text, &whole, 1);
        text
    }
}

/// Appends bits as bytes, if there are at least `min`.
fn raw(text: &mut String, bits: &Payload<'_>, min: usize) {
    if bits.bit_len() >= min {
        text.push_str(if text.is_empty() { "hex:" } else { " hex:" });
        hex(text, bits);
    }
}

fn hex(text: &mut String, bits: &Payload<'_>) {
    for byte in bits.bytes() {
        _ = write!(text, "{byte:02x}");
    }
}

struct Printer {
    text: String,
    /// The open groups, the bracket that closes each, and the number of values that each has so far.
    open: Vec<(Group, &'static str, usize)>,
}

impl Printer {
    /// Writes the separator and name before a value.
    fn begin(&mut self, name: &'static str) {
        match self.open.last_mut() {
            None => _ = write!(self.text, " {name}="),
            Some((Group::Struct, _, count)) => {
                let space = if *count > 0 { " " } else { "" };
                _ = write!(self.text, "{space}{name}=");
                *count = count.saturating_add(1);
            }
            Some((Group::List | Group::Vector, _, count)) => {
                if *count > 0 {
                    self.text.push(',');
                }
                *count = count.saturating_add(1);
            }
        }
    }
}

impl Visitor for Printer {
    fn enter(&mut self, group: Group, name: &'static str, _: Span) {
        let is_in_list = matches!(self.open.last(), Some((Group::List, ..)));
        self.begin(name);
        let (opening, closing) = match group {
            Group::Struct => ("{", "}"),
            Group::Vector if is_in_list => ("(", ")"),
            Group::Vector => ("", ""),
            Group::List => ("[", "]"),
        };
        self.text.push_str(opening);
        self.open.push((group, closing, 0));
    }

    fn exit(&mut self) {
        self.text.push_str(self.open.pop().map_or("", |(_, closing, _)| closing));
    }

    fn scalar(&mut self, name: &'static str, _: Span, value: ScalarValue) {
        self.begin(name);
        _ = write!(self.text, "{value}");
    }

    fn text(&mut self, name: &'static str, _: Span, text: &Payload<'_>) {
        self.begin(name);
        _ = quote(&mut self.text, &text.to_vec());
    }

    fn bytes(&mut self, name: &'static str, _: Span, bytes: &Payload<'_>) {
        self.begin(name);
        if bytes.is_empty() {
            self.text.push_str("[]");
        } else {
            hex(&mut self.text, bytes);
        }
    }

    fn bools(&mut self, name: &'static str, _: Span, bools: &Payload<'_>) {
        self.enter(Group::List, name, Span::default());
        bools.bits().for_each(|value| self.scalar("", Span::default(), ScalarValue::Bool(value)));
        self.exit();
    }
}

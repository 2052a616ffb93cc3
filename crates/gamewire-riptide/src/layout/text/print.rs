use core::fmt::Write;
use gamewire_machine::Role;

use gamewire_wire::Span;

use super::escape::quote;
use crate::Format;
use crate::layout::definition::MessageKind;
use crate::layout::layouts::MessageLayouts;
use crate::layout::single::ScalarValue;
use crate::layout::walk::{Group, Visitor, Walk};
use crate::shared::message::{Bools, Reader};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

impl MessageLayouts {
    /// What stands at `place` of a packet that `from` sends, as [`MessageLayouts::parse`] reads it.
    ///
    /// What no layout describes, or is not what its layout says, is printed as its id, if it has
    /// one, and its bytes; what is left behind the last field as bytes behind it.
    #[must_use]
    pub fn print(&self, place: MessageKind, from: Role, payload: &Payload<'_>, format: Format) -> String {
        match format {
            Format::V20 => self.print_in(place, from, payload.reader::<V20>()),
            Format::V21 => self.print_in(place, from, payload.reader::<V21>()),
        }
    }

    fn print_in<V: Version>(&self, place: MessageKind, side: Role, mut from: Reader<'_, V>) -> String {
        let whole = from.remaining();
        if let Some(message) = self.find(place, side) {
            let mut printer = Printer { text: message.name.to_owned(), open: Vec::new() };
            let walk = Walk { structs: &self.structs };
            if walk.fields(&message.fields, &mut from, &mut printer).is_ok() {
                raw(&mut printer.text, &from.rest(), 8);
                return printer.text;
            }
        }
        let mut text = match place {
            MessageKind::Message(id) => id.to_string(),
            MessageKind::Notify | MessageKind::Connect | MessageKind::Reject | MessageKind::Kick => {
                String::new()
            }
        };
        raw(&mut text, &whole, 1);
        text
    }
}

/// Appends bits as bytes, if there are so many.
fn raw(text: &mut String, bits: &Payload<'_>, least: usize) {
    if bits.bit_len() >= least {
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
    /// The groups that the next value stands in, and how many values each has so far.
    open: Vec<(Group, Brackets, usize)>,
}

/// What stands around a group.
#[derive(Clone, Copy)]
enum Brackets {
    None,
    Square,
    Round,
    Curly,
}

impl Printer {
    /// What stands in front of a value.
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
    fn enter(&mut self, part: Group, name: &'static str, _: Span) {
        let is_in_list = matches!(self.open.last(), Some((Group::List, ..)));
        self.begin(name);
        let (brackets, sign) = match part {
            Group::Struct => (Brackets::Curly, "{"),
            Group::Vector if is_in_list => (Brackets::Round, "("),
            Group::Vector => (Brackets::None, ""),
            Group::List => (Brackets::Square, "["),
        };
        self.text.push_str(sign);
        self.open.push((part, brackets, 0));
    }

    fn leave(&mut self) {
        self.text.push_str(match self.open.pop() {
            Some((_, Brackets::Square, _)) => "]",
            Some((_, Brackets::Round, _)) => ")",
            Some((_, Brackets::Curly, _)) => "}",
            Some((_, Brackets::None, _)) | None => "",
        });
    }

    fn length(&mut self, _: usize) {}

    fn single(&mut self, name: &'static str, _: Span, value: ScalarValue) {
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

    fn bools(&mut self, name: &'static str, _: Span, bools: Bools<'_>) {
        self.enter(Group::List, name, Span::default());
        bools.for_each(|value| self.single("", Span::default(), ScalarValue::Bool(value)));
        self.leave();
    }
}

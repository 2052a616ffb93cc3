use gamewire_machine::Role;
use std::io::{self, Write};

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Value};

use super::palette::Palette;
use super::text::{at_once, label, marked, quoted, styled, value};
use crate::conversation::{PacketMeta, PacketSource};
use crate::protocol::redundancy;

/// Maximum number of messages of a datagram that are shown. Further ones are counted.
const MAX_MESSAGES: usize = 8;
/// Maximum number of fields of a message that are shown.
const MAX_FIELDS: usize = 4;
/// Maximum number of kinds of items that are counted separately.
const MAX_ITEM_KINDS: usize = 6;

/// Writes a summary of a datagram in one line.
///
/// # Errors
/// The error of `out`.
pub fn line<'a>(
    out: &mut dyn Write,
    meta: impl Into<PacketMeta<'a>>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let meta = meta.into();
    at_once(out, &mut |out| write_line(out, meta, record, palette))
}

fn write_line(
    out: &mut dyn Write,
    meta: PacketMeta<'_>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    start(out, meta, palette)?;
    write_summary(out, meta, record, palette)?;
    out.write_all(b"\n")
}

/// Writes the messages of a datagram like [`line()`], each after a space, but without time, sender and line end.
///
/// # Errors
/// The error of `out`.
pub fn summary<'a>(
    out: &mut dyn Write,
    meta: impl Into<PacketMeta<'a>>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let meta = meta.into();
    at_once(out, &mut |out| write_summary(out, meta, record, palette))
}

fn write_summary(
    out: &mut dyn Write,
    meta: PacketMeta<'_>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let mut count = 0_usize;
    let mut items = Items::default();
    for node in record.nodes() {
        match node.kind() {
            NodeKind::Group(Layer::Message) => {
                items.write(out, palette)?;
                count = count.saturating_add(1);
                if count <= MAX_MESSAGES {
                    out.write_all(if count == 1 { b" " } else { b", " })?;
                    group(out, node, meta.protocol, palette)?;
                }
            }
            NodeKind::Group(Layer::Item) if count <= MAX_MESSAGES => items.add(node.name()),
            _ => {}
        }
    }
    items.write(out, palette)?;
    match count.saturating_sub(MAX_MESSAGES) {
        0 if count > 0 => {}
        0 => {
            if let Some(packet) = record.nodes().find(|node| node.kind() == NodeKind::Group(Layer::Packet)) {
                out.write_all(b" ")?;
                group(out, packet, meta.protocol, palette)?;
            }
        }
        more => write!(out, ", {dim}{more} more{dim:#}", dim = palette.dim)?,
    }
    problems(out, record, palette)
}

/// Writes the number, time, conversation, sender and dialect of a datagram.
fn start(out: &mut dyn Write, meta: PacketMeta<'_>, palette: &Palette) -> io::Result<()> {
    let Palette { dim, dialect, .. } = palette;
    let (sender, arrow) = match meta.sender {
        Role::Client => (palette.client, "→"),
        Role::Server => (palette.server, "←"),
    };
    let number = meta.number;
    match meta.source {
        PacketSource::Conversation(passed) => {
            write!(out, "{dim}{number:>6} {:>11.6}{dim:#} ", meta.time)?;
            write!(out, "{sender}#{} {arrow}{sender:#} ", passed.conversation)?;
        }
        PacketSource::File(place) => {
            write!(out, "{dim}{number:>6} {place:>13}{dim:#} {sender}{arrow}{sender:#} ")?
        }
    }
    write!(out, "{dialect}{:<11}{dialect:#}", meta.dialect.unwrap_or(meta.protocol))
}

/// Writes a line for each message of a datagram, with all fields.
///
/// # Errors
/// The error of `out`.
pub fn messages<'a>(
    out: &mut dyn Write,
    meta: impl Into<PacketMeta<'a>>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let meta = meta.into();
    at_once(out, &mut |out| write_messages(out, meta, record, palette))
}

fn write_messages(
    out: &mut dyn Write,
    meta: PacketMeta<'_>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let is_message = |node: &NodeRef<'_>| node.kind() == NodeKind::Group(Layer::Message);
    let is_redundant = redundancy(meta.protocol);
    for node in record.nodes().filter(is_message) {
        start(out, meta, palette)?;
        out.write_all(b" ")?;
        styled(out, node.name(), palette.group)?;
        for field in node.children().filter(|child| !is_redundant(*child)) {
            match (field.kind(), field.value()) {
                (NodeKind::Field, Some(value)) => {
                    out.write_all(b" ")?;
                    label(out, field.name(), palette)?;
                    self::value(out, value)?;
                }
                (NodeKind::Group(Layer::Group | Layer::List), _) => {
                    out.write_all(b" ")?;
                    self::field(out, field, palette)?;
                }
                _ => {}
            }
        }
        out.write_all(b"\n")?;
    }
    if record.warnings() > 0 || record.errors() > 0 {
        start(out, meta, palette)?;
        problems(out, record, palette)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the name of a message and its first fields, without redundant ones.
fn group(out: &mut dyn Write, node: NodeRef<'_>, protocol: &str, palette: &Palette) -> io::Result<()> {
    styled(out, node.name(), palette.group)?;
    let is_redundant = redundancy(protocol);
    let mut shown = 0_usize;
    let mut is_shortened = false;
    // Do not show the bytes that an inner message describes.
    let is_explained = node.children().any(|child| child.kind() == NodeKind::Group(Layer::Message));
    for child in node.children().filter(|child| !is_redundant(*child)) {
        let is_text = matches!(child.value(), Some(Value::Text(_)));
        if is_explained && matches!(child.value(), Some(Value::Bytes(_))) {
            continue;
        }
        let is_wanted = match child.kind() {
            NodeKind::Field => shown < MAX_FIELDS || is_text && shown < MAX_FIELDS.saturating_mul(2),
            NodeKind::Group(Layer::List) => shown < MAX_FIELDS,
            NodeKind::Group(Layer::Group) if is_vector(child) => shown < MAX_FIELDS,
            _ => continue,
        };
        if is_wanted {
            out.write_all(b" ")?;
            field(out, child, palette)?;
            shown = shown.saturating_add(1);
        } else {
            is_shortened = true;
        }
    }
    if is_shortened {
        write!(out, " {dim}…{dim:#}", dim = palette.dim)?;
    }
    Ok(())
}

fn field(out: &mut dyn Write, node: NodeRef<'_>, palette: &Palette) -> io::Result<()> {
    match node.value() {
        // A chat line needs no field name.
        Some(Value::Text(text)) if node.name() == "text" => quoted(out, text, palette),
        Some(Value::Text(text)) => {
            label(out, node.name(), palette)?;
            quoted(out, text, palette)
        }
        Some(Value::Bytes(bytes)) if bytes.len() > 8 => {
            label(out, node.name(), palette)?;
            write!(out, "{} bytes", bytes.len())
        }
        Some(value) => {
            label(out, node.name(), palette)?;
            self::value(out, value)
        }
        None if is_vector(node) => {
            label(out, node.name(), palette)?;
            let mut separator: &[u8] = b"";
            for value in node.children().filter_map(|child| child.value()) {
                out.write_all(separator)?;
                self::value(out, value)?;
                separator = b",";
            }
            Ok(())
        }
        None => {
            label(out, node.name(), palette)?;
            write!(out, "[{}]", node.children().count())
        }
    }
}

/// Returns whether a group is a vector of numbers, such as x, y and z.
fn is_vector(node: NodeRef<'_>) -> bool {
    const AXES: [&str; 4] = ["x", "y", "z", "w"];
    let is_axis = |(child, axis): (NodeRef<'_>, &str)| {
        child.name() == axis && matches!(child.value(), Some(Value::Float(_)))
    };
    let count = node.children().count();
    node.kind() == NodeKind::Group(Layer::Group)
        && (2..=AXES.len()).contains(&count)
        && node.children().zip(AXES).all(is_axis)
}

/// The items of a message, by kind.
#[derive(Default)]
struct Items<'a> {
    kinds: Vec<(&'a str, usize)>,
    others: usize,
}

impl<'a> Items<'a> {
    fn add(&mut self, name: &'a str) {
        if let Some((_, count)) = self.kinds.iter_mut().find(|(known, _)| *known == name) {
            *count = count.saturating_add(1);
        } else if self.kinds.len() < MAX_ITEM_KINDS {
            self.kinds.push((name, 1));
        } else {
            self.others = self.others.saturating_add(1);
        }
    }

    /// Writes and clears the items.
    fn write(&mut self, out: &mut dyn Write, palette: &Palette) -> io::Result<()> {
        let mut separator = ": ";
        for (name, count) in self.kinds.drain(..) {
            out.write_all(separator.as_bytes())?;
            if count > 1 {
                write!(out, "{count} ")?;
            }
            styled(out, name, palette.group)?;
            separator = ", ";
        }
        match std::mem::take(&mut self.others) {
            0 => Ok(()),
            others => write!(out, "{separator}{others} others"),
        }
    }
}

fn problems(out: &mut dyn Write, record: &Record, palette: &Palette) -> io::Result<()> {
    if record.warnings() == 0 && record.errors() == 0 {
        return Ok(());
    }
    let mut warnings: Vec<(&str, usize)> = Vec::new();
    for node in record.nodes().filter(|node| matches!(node.kind(), NodeKind::Warning(_))) {
        match warnings.iter_mut().find(|(known, _)| *known == node.name()) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => warnings.push((node.name(), 1)),
        }
    }
    let style = palette.warning;
    for (name, count) in warnings {
        marked(out, "! ", name.as_bytes(), style)?;
        if count > 1 {
            write!(out, " ({count}×)")?;
        }
    }
    let style = palette.error;
    for node in record.nodes().filter(|node| node.kind() == NodeKind::Error) {
        if let Some(Value::Text(text)) = node.value() {
            marked(out, "ERROR ", text, style)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{packet_info, record};
    use super::*;

    fn shown(data: &[u8]) -> String {
        let mut out = Vec::new();
        line(&mut out, &packet_info(), &record(data), &Palette::plain()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_has_time_sender_and_messages() {
        assert_eq!(shown(b"toy\0say hi"), "     7    1.250000 #3 → toy-1       say \"hi\"\n");
    }

    #[test]
    fn counts_the_items_of_a_message_and_the_messages_it_leaves_out() {
        let many = [b"toy\0world 5".as_slice(), &b"\nsay x".repeat(9)].concat();
        let line = shown(&many);
        assert!(line.contains(" world: 2 player, say \"x\", "), "{line}");
        assert!(line.ends_with(", 2 more\n"), "{line}");
    }

    #[test]
    fn warnings_and_errors_are_marked() {
        let line = shown(b"toy\0odd\nwhat");
        assert!(
            line.contains(" ! odd_line ERROR unknown: expected a known verb at byte 8, found 4 bytes"),
            "{line}"
        );
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let line = shown("toy\0say äääääääääääääääääääääääääääääääääääääääääääääääääää".as_bytes());
        assert!(line.ends_with(&format!("say \"{}…\"\n", "ä".repeat(48))), "{line}");
        let hostile = [b"toy\0say ".as_slice(), &[0x80; 1000]].concat();
        assert!(shown(&hostile).len() < 1000);
    }

    #[test]
    fn text_of_a_peer_stays_in_its_quotes() {
        let line = shown(b"toy\0say \x1b[2J\"\xff\xe2\x80\xae");
        assert!(line.ends_with("say \"\\x1b[2J\\\"\\xff\\u{202e}\"\n"), "{line}");
    }

    #[test]
    fn colors_are_reset() {
        let mut out = Vec::new();
        line(&mut out, &packet_info(), &record(b"toy\0say hi\nodd\nbad"), &Palette::colored()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text.matches("\u{1b}[0m").count() * 2,
            text.matches('\u{1b}').count() - bold_colors(&text)
        );
    }

    /// Counts bold colors. A style with a color and an effect is two sequences, and one sequence resets both.
    fn bold_colors(text: &str) -> usize {
        text.matches("\u{1b}[1m\u{1b}[").count()
    }
}

//! The tree form: one field per line.

use std::fmt::Write as _;
use std::io::{self, Write};

use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Span, Value};

use super::escape::Escaped;
use super::palette::Palette;
use super::text::at_once;
use super::value::DisplayValue;
use crate::conversation::{PacketMeta, PacketSource};
use crate::time::DisplayTime;

/// Writes every field of a datagram with the span of its bytes or bits, as an indented tree.
///
/// A span such as `3..7` counts bytes of the innermost source above it; `0.2..1.0` counts bytes and bits.
///
/// # Errors
/// The error of `out`.
pub fn tree<'a>(
    out: &mut dyn Write,
    meta: impl Into<PacketMeta<'a>>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let meta = meta.into();
    at_once(out, &mut |out| write_tree(out, meta, record, palette))
}

fn write_tree(
    out: &mut dyn Write,
    meta: PacketMeta<'_>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    heading(out, meta, palette)?;
    for root in record.roots() {
        node(out, root, 0, palette)?;
    }
    out.write_all(b"\n")
}

/// Writes a datagram's number, time, sender and addresses.
pub(super) fn heading(out: &mut dyn Write, meta: PacketMeta<'_>, palette: &Palette) -> io::Result<()> {
    let Palette { heading, dialect, .. } = palette;
    let sender = match meta.sender {
        Role::Client => palette.client,
        Role::Server => palette.server,
    };
    let number = meta.number;
    match meta.source {
        PacketSource::Conversation(passed) => {
            let unit = if matches!(meta.time, DisplayTime::Seconds(_)) { " s" } else { "" };
            write!(out, "{heading}frame {number}{heading:#}, {:.6}{unit}, ", meta.time)?;
            write!(out, "conversation {}, ", passed.conversation)?;
        }
        PacketSource::File(place) => write!(out, "{heading}packet {number}{heading:#}, byte {place}, ")?,
    }
    write!(out, "{dialect}{}{dialect:#}, ", meta.dialect.unwrap_or(meta.protocol))?;
    let (from, to) = (meta.sender, meta.sender.other());
    match meta.source {
        PacketSource::Conversation(passed) => {
            write!(out, "{sender}{from} {} → {to} {}{sender:#}", passed.from, passed.to)?
        }
        PacketSource::File(_) => write!(out, "{sender}{from} → {to}{sender:#}")?,
    }
    writeln!(out, ", {} bytes", meta.length)
}

fn node(out: &mut dyn Write, node: NodeRef<'_>, index: usize, palette: &Palette) -> io::Result<()> {
    let Palette { dim, warning, error, .. } = palette;
    let indent = node.depth().saturating_mul(2);
    if node.kind() == NodeKind::Group(Layer::Baseline) {
        return baseline(out, node, indent, palette);
    }
    write!(out, "{dim}{:>13}{dim:#}  {:indent$}", node.span().to_string(), "")?;
    let name = Escaped(node.name().as_bytes());
    match (node.kind(), node.value()) {
        (NodeKind::Group(Layer::List), _) if is_of_bits(node) => {
            let bits = node.children().filter_map(|bit| bit.value()).map(|bit| DisplayValue(bit).to_string());
            return writeln!(out, "{name}: {}", bits.collect::<Vec<_>>().join(" "));
        }
        (NodeKind::Group(Layer::List), _) => {
            let style = palette.field;
            writeln!(out, "{style}{name}{style:#}: list of {}", node.children().count())?;
        }
        (NodeKind::Group(_), _) => {
            let style = palette.group;
            write!(out, "{style}")?;
            label(out, node, index)?;
            writeln!(out, "{style:#}")?;
        }
        (NodeKind::Source, value) => {
            let style = palette.heading;
            let length = if let Some(Value::Bytes(bytes)) = value { bytes.len() } else { 0 };
            writeln!(out, "{style}{name}{style:#}, {length} bytes")?;
        }
        (NodeKind::Field, value) => {
            let style = palette.field;
            write!(out, "{style}")?;
            label(out, node, index)?;
            write!(out, "{style:#}: ")?;
            field_value(out, value, palette)?;
        }
        (NodeKind::Warning(_), value) => writeln!(out, "{warning}! {name}{warning:#}: {}", sentence(value))?,
        (NodeKind::Error, value) => writeln!(out, "{error}ERROR{error:#} {}", sentence(value))?,
    }
    for (child, index) in node.children().zip(0..) {
        self::node(out, child, index, palette)?;
    }
    Ok(())
}

/// Returns whether all members of a list are single bits. These are shown in one line.
fn is_of_bits(list: NodeRef<'_>) -> bool {
    let is_bit = |span: Span| span.end_bit().saturating_sub(span.start_bit()) == 1;
    list.children().next().is_some() && list.children().all(|member| is_bit(member.span()))
}

/// Writes the name of a node. A member of a list has a number instead.
fn label(out: &mut dyn Write, node: NodeRef<'_>, index: usize) -> io::Result<()> {
    match node.name() {
        "" => write!(out, "[{index}]"),
        name => write!(out, "{}", Escaped(name.as_bytes())),
    }
}

fn field_value(out: &mut dyn Write, value: Option<Value<'_>>, palette: &Palette) -> io::Result<()> {
    let text = palette.text;
    match value {
        Some(value @ Value::Text(_)) => writeln!(out, "{text}{}{text:#}", DisplayValue(value)),
        Some(Value::Named { value, name }) if !name.is_empty() => {
            writeln!(out, "{} ({value})", Escaped(name.as_bytes()))
        }
        Some(value @ Value::Flags { bits, .. }) if bits != 0 => {
            writeln!(out, "{} ({bits:#x})", DisplayValue(value))
        }
        Some(value) => writeln!(out, "{}", DisplayValue(value)),
        None => writeln!(out),
    }
}

fn sentence(value: Option<Value<'_>>) -> Escaped<'_> {
    match value {
        Some(Value::Text(text)) => Escaped(text),
        _ => Escaped(b""),
    }
}

/// Maximum number of members of a list that are shown. Equal neighbors count as one.
const MAX_MEMBERS: usize = 16;

/// Writes the fields that were not sent and keep their values, one line each.
fn baseline(out: &mut dyn Write, group: NodeRef<'_>, indent: usize, palette: &Palette) -> io::Result<()> {
    let dim = palette.dim;
    for child in group.children() {
        let mut value = String::new();
        write_value(&mut value, child);
        let name = Escaped(child.name().as_bytes());
        writeln!(out, "{dim}{:>13}  {:indent$}{name}: {value} (as before){dim:#}", "", "")?;
    }
    Ok(())
}

/// Writes a field, or the content of a list or structure, in one line.
fn write_value(to: &mut String, node: NodeRef<'_>) {
    // Writing to a string cannot fail.
    let _ = match (node.kind(), node.value()) {
        (NodeKind::Field, Some(value)) => write!(to, "{}", DisplayValue(value)),
        (NodeKind::Group(Layer::List), _) => {
            members(to, node);
            Ok(())
        }
        _ => {
            let mut separator = "{";
            for part in node.children() {
                let _ = write!(to, "{separator}{}: ", Escaped(part.name().as_bytes()));
                write_value(to, part);
                separator = ", ";
            }
            to.write_str(if separator == "{" { "{}" } else { "}" })
        }
    };
}

/// Writes the members of a list: `[1, 0 (×4), 2]`.
fn members(to: &mut String, list: NodeRef<'_>) {
    let mut shown = 0_usize;
    let mut row: Option<(String, usize)> = None;
    let mut left_out = 0_usize;
    to.push('[');
    for member in list.children() {
        if shown >= MAX_MEMBERS {
            left_out = left_out.saturating_add(1);
            continue;
        }
        let mut text = String::new();
        write_value(&mut text, member);
        match &mut row {
            Some((last, count)) if *last == text => *count = count.saturating_add(1),
            _ => {
                shown = shown.saturating_add(usize::from(row.is_some()));
                if let Some(row) = row.replace((text, 1)) {
                    write_row(to, &row);
                    to.push_str(", ");
                }
            }
        }
    }
    if let Some(row) = row {
        write_row(to, &row);
    }
    if left_out > 0 {
        let _ = write!(to, ", and {left_out} more");
    }
    to.push(']');
}

fn write_row(to: &mut String, (text, count): &(String, usize)) {
    to.push_str(text);
    if *count > 1 {
        let _ = write!(to, " (×{count})");
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{packet_info, record};
    use super::*;

    fn shown(data: &[u8]) -> String {
        let mut out = Vec::new();
        tree(&mut out, &packet_info(), &record(data), &Palette::plain()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_field_has_its_span_and_indent() {
        let expected = r#"
frame 7, 1.250000 s, conversation 3, toy-1, client 127.0.0.1:5000 → server [::1]:80, 10 bytes
        0..10  datagram, 10 bytes
        0..10    packet
         3..4      sequence: 0
     0.0..0.3      flags: first (0x1)
        4..10      chunk
         4..4        size: 6
        4..10        say
        8..10          text: "hi"

"#;
        assert_eq!(shown(b"toy\0say hi"), expected.trim_start());
    }

    #[test]
    fn members_of_lists_are_numbered_and_sources_named() {
        let text = shown(b"toy\x05world 9");
        assert!(text.contains("inflated, 4 bytes\n"), "{text}");
        assert!(text.contains("sizes: list of 2\n"), "{text}");
        assert!(text.contains("[1]: 9\n"), "{text}");
        assert!(text.contains("token: 00000a0b\n"), "{text}");
    }

    #[test]
    fn warnings_and_errors_are_shown_at_their_field() {
        let text = shown(b"toy\x05odd\n\x1b[1m");
        assert!(
            text.contains("         4..7          ! odd_line: The line says that it is odd.\n"),
            "{text}"
        );
        assert!(text.contains("ERROR unknown: expected a known verb at byte 8, found 4 bytes\n"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }
}

use std::io::{self, Write};

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Value};

use super::escape::Escaped;
use super::palette::Palette;
use super::text::at_once;
use super::tree::heading;
use super::value::DisplayValue;
use crate::conversation::PacketMeta;

/// Bytes per row.
const ROW: usize = 16;
/// The marks of fields, assigned in turn.
const MARKS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Writes the bytes of a datagram, and of every source that was unpacked from it, with a letter under each byte that
/// identifies its field, and the fields by letter below.
///
/// A byte of several fields has the letters of the first and the last. Rows that repeat the previous row are shown as
/// `*`.
///
/// # Errors
/// The error of `out`.
pub fn hex<'a>(
    out: &mut dyn Write,
    meta: impl Into<PacketMeta<'a>>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    let meta = meta.into();
    at_once(out, &mut |out| write_hex(out, meta, record, palette))
}

fn write_hex(
    out: &mut dyn Write,
    meta: PacketMeta<'_>,
    record: &Record,
    palette: &Palette,
) -> io::Result<()> {
    heading(out, meta, palette)?;
    for source in record.nodes().filter(|node| node.kind() == NodeKind::Source) {
        let Some(Value::Bytes(bytes)) = source.value() else { continue };
        let Palette { heading, .. } = palette;
        let name = Escaped(source.name().as_bytes());
        writeln!(out, "{heading}{name}{heading:#}, {} bytes", bytes.len())?;
        let fields = fields(record, source.source(), palette);
        Dump { bytes, fields: &fields, palette }.write(out)?;
        for field in &fields {
            field.legend(out, palette)?;
        }
    }
    out.write_all(b"\n")
}

/// A field that bytes of a source belong to.
struct Marked<'a> {
    node: NodeRef<'a>,
    /// The name of its group; for a list, with the name of the group that contains the list.
    group: String,
    mark: char,
    style: anstyle::Style,
}

/// Returns the fields of one source in order, each with its mark.
fn fields<'a>(record: &'a Record, source: usize, palette: &Palette) -> Vec<Marked<'a>> {
    let mut found: Vec<(NodeRef<'a>, String)> = Vec::new();
    // The open groups. A node's parents are before it, at a lower depth.
    let mut groups: Vec<NodeRef<'a>> = Vec::new();
    for node in record.nodes() {
        while groups.last().is_some_and(|group| group.depth() >= node.depth()) {
            groups.pop();
        }
        match node.kind() {
            NodeKind::Group(_) if !node.name().is_empty() => groups.push(node),
            NodeKind::Field if node.source() == source && !node.span().byte_range().is_empty() => {
                found.push((node, group_name(&groups)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|(node, _)| node.span().start_bit());
    let marks = MARKS.iter().cycle().zip(palette.marks.iter().cycle());
    let marked = found.into_iter().zip(marks);
    marked
        .map(|((node, group), (mark, style))| Marked { node, group, mark: char::from(*mark), style: *style })
        .collect()
}

/// Returns the name of the innermost of `groups`. A list's name follows the name of its group.
fn group_name(groups: &[NodeRef<'_>]) -> String {
    let lists = groups.iter().rev().take_while(|group| group.kind() == NodeKind::Group(Layer::List)).count();
    let outside = groups.len().saturating_sub(lists).saturating_sub(1);
    let names: Vec<_> = groups.iter().skip(outside).map(NodeRef::name).collect();
    names.join(".")
}

impl Marked<'_> {
    fn legend(&self, out: &mut dyn Write, palette: &Palette) -> io::Result<()> {
        let Palette { dim, text, .. } = palette;
        let (style, node) = (self.style, self.node);
        write!(out, "  {style}{}{style:#}  {dim}{:>13}{dim:#}  ", self.mark, node.span().to_string())?;
        write!(out, "{}", Escaped(self.group.as_bytes()))?;
        if !node.name().is_empty() {
            write!(out, ".{}", Escaped(node.name().as_bytes()))?;
        }
        match node.value() {
            Some(value @ Value::Text(_)) => writeln!(out, ": {text}{}{text:#}", DisplayValue(value)),
            Some(value) => writeln!(out, ": {}", DisplayValue(value)),
            None => writeln!(out),
        }
    }
}

struct Dump<'a> {
    bytes: &'a [u8],
    fields: &'a [Marked<'a>],
    palette: &'a Palette,
}

/// The indices of the first and the last field that contain a byte.
type Owners = Option<(usize, usize)>;

impl Dump<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let owners = self.owners();
        let rows = self.bytes.chunks(ROW).zip(owners.chunks(ROW));
        let mut before = None;
        let mut is_left_out = false;
        for ((bytes, owners), offset) in rows.zip((0_usize..).step_by(ROW)) {
            if before == Some((bytes, owners)) {
                if !is_left_out {
                    writeln!(out, "  *")?;
                }
                is_left_out = true;
                continue;
            }
            is_left_out = false;
            before = Some((bytes, owners));
            self.row(out, offset, bytes, owners)?;
        }
        Ok(())
    }

    /// Returns the first and last field of every byte, in one pass over the fields.
    fn owners(&self) -> Vec<Owners> {
        let mut owners: Vec<Owners> = vec![None; self.bytes.len()];
        for (field, index) in self.fields.iter().zip(0..) {
            let range = field.node.span().byte_range();
            let range = range.start.min(owners.len())..range.end.min(owners.len());
            for owner in owners.get_mut(range).unwrap_or_default() {
                *owner = Some((owner.map_or(index, |(first, _)| first), index));
            }
        }
        owners
    }

    fn row(&self, out: &mut dyn Write, offset: usize, bytes: &[u8], owners: &[Owners]) -> io::Result<()> {
        let dim = self.palette.dim;
        let style = |owner: Owners| {
            owner.and_then(|(first, _)| self.fields.get(first)).map_or(dim, |field| field.style)
        };
        write!(out, "  {dim}{offset:04x}{dim:#} ")?;
        for (column, (byte, owner)) in bytes.iter().zip(owners).enumerate() {
            let style = style(*owner);
            write!(out, "{}{style}{byte:02x}{style:#}", gap(column))?;
        }
        let width = |columns: usize| columns.saturating_mul(3).saturating_add(usize::from(columns > ROW / 2));
        let padding = width(ROW).saturating_sub(width(bytes.len()));
        write!(out, "{:padding$}  ", "")?;
        for byte in bytes {
            let shown = if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' };
            write!(out, "{shown}")?;
        }
        write!(out, "\n       ")?;
        for (column, owner) in owners.iter().enumerate() {
            let mark = |index: usize| self.fields.get(index).map_or(' ', |field| field.mark);
            let style = style(*owner);
            match owner {
                Some((first, last)) => {
                    write!(out, "{}{style}{}{}{style:#}", gap(column), mark(*first), mark(*last))?;
                }
                None => write!(out, "{}..", gap(column))?,
            }
        }
        writeln!(out)
    }
}

/// Returns a wider gap in the middle of a row.
const fn gap(column: usize) -> &'static str {
    if column == ROW / 2 { "  " } else { " " }
}

#[cfg(test)]
mod tests {
    use gamewire_wire::{Span, Trace as _};

    use super::super::tests::{packet_info, record};
    use super::*;

    fn shown(data: &[u8], palette: &Palette) -> String {
        let mut out = Vec::new();
        hex(&mut out, &packet_info(), &record(data), palette).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_byte_has_the_letter_of_its_field() {
        let expected = r#"
datagram, 15 bytes
  0000  74 6f 79 00 73 61 79 20  68 69 20 74 68 65 72     toy.say hi ther
        aa .. .. bb .. .. .. ..  cc cc cc cc cc cc cc
  a       0.0..0.3  packet.flags: first
  b           3..4  packet.sequence: 0
  c          8..15  say.text: "hi ther"
"#;
        let text = shown(b"toy\0say hi ther", &Palette::plain());
        let dump = text.split_once('\n').unwrap().1.trim_end();
        assert_eq!(dump, expected.trim());
    }

    #[test]
    fn a_byte_of_several_fields_has_the_first_and_the_last_letter() {
        let text = shown(b"toy\0hit 100", &Palette::plain());
        assert!(text.contains("aa .. .. bb .. .. .. ..  cd cd cd\n"), "{text}");
    }

    #[test]
    fn every_source_has_its_own_dump() {
        let text = shown(b"toy\x05world 9", &Palette::plain());
        assert!(text.contains("inflated, 4 bytes\n  0000  01 02 03 04 "), "{text}");
        assert!(text.contains("  a           0..1  world.sizes: 7\n"), "{text}");
    }

    #[test]
    fn members_of_lists_are_named_after_the_message_that_contains_the_list() {
        let mut record = Record::new();
        record.enter_source("datagram", &[1, 2]);
        record.enter(Layer::Group, "chunk", Span::bytes(0, 0));
        record.enter(Layer::Message, "info_reply", Span::bytes(0, 0));
        record.enter(Layer::List, "clients", Span::bytes(0, 0));
        record.enter(Layer::Group, "", Span::bytes(0, 0));
        record.field("score", Span::bytes(0, 1), Value::Int(5));
        record.enter(Layer::List, "parts", Span::bytes(1, 1));
        record.field("", Span::bytes(1, 2), Value::Text(b"standard"));
        for _ in 0..6 {
            record.exit();
        }
        let mut out = Vec::new();
        hex(&mut out, &packet_info(), &record, &Palette::plain()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("  info_reply.clients.score: 5\n"), "{text}");
        assert!(text.contains("  info_reply.clients.parts: \"standard\"\n"), "{text}");
    }

    #[test]
    fn repeated_rows_are_left_out_and_unprintable_bytes_are_hidden() {
        let text = shown(&[b"toy\0say ".as_slice(), &[0x1b; 100]].concat(), &Palette::plain());
        assert_eq!(text.matches("\n  *\n").count(), 1, "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn with_color_each_field_has_one() {
        let text = shown(b"toy\0say hi", &Palette::colored());
        assert!(text.contains("\u{1b}[33m00\u{1b}[0m"), "{text:?}");
    }
}

//! Values that were not sent, each in a line of its own.

use std::fmt::Write as _;
use std::io::{self, Write};

use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;

use super::escape::Escaped;
use super::palette::Palette;
use super::value::DisplayValue;

/// How many members of a list are shown; equal ones in a row count as one.
const MEMBERS: usize = 16;

/// Writes the fields of a group of what is remembered, one line each.
pub(super) fn remembered(
    out: &mut impl Write,
    group: NodeRef<'_>,
    indent: usize,
    palette: &Palette,
) -> io::Result<()> {
    let dim = palette.dim;
    for child in group.children() {
        let mut value = String::new();
        write_value(&mut value, child);
        let name = Escaped(child.name().as_bytes());
        writeln!(out, "{dim}{:>13}  {:indent$}{name}: {value} (as before){dim:#}", "", "")?;
    }
    Ok(())
}

/// Writes a field, or what is in a list or structure, in one line.
fn write_value(to: &mut String, node: NodeRef<'_>) {
    // A string takes all that is written to it.
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

/// `[1, 0 (×4), 2]`
fn members(to: &mut String, list: NodeRef<'_>) {
    let mut shown = 0_usize;
    let mut row: Option<(String, usize)> = None;
    let mut left_out = 0_usize;
    to.push('[');
    for member in list.children() {
        if shown >= MEMBERS {
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

use std::io::{self, BufWriter, Write};

use gamewire_inspect::filter::BUILTIN_FIELDS;
use gamewire_inspect::protocol::Catalog;
use gamewire_wire::Layer;

/// Lists every name that a filter may use, one per line: name, type, documentation.
pub(super) fn list(catalogue: &Catalog) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (name, doc) in BUILTIN_FIELDS {
        row(&mut out, name, "", doc)?;
    }
    for common in catalogue.common() {
        let path = format!("{}.{}.{}", common.protocol, placeholder(common.layer), common.field.name);
        row(&mut out, &path, &common.field.kind, &common.field.doc)?;
    }
    for group in catalogue.groups() {
        let path = format!("{}.{}", group.protocol, group.name);
        row(&mut out, &path, word(group.layer), &group.doc)?;
        for field in &group.fields {
            row(&mut out, &format!("{path}.{}", field.name), &field.kind, &field.doc)?;
        }
    }
    out.flush()
}

fn row(out: &mut impl Write, name: &str, kind: &str, doc: &str) -> io::Result<()> {
    writeln!(out, "{}", format!("{name:<44} {kind:<18} {doc}").trim_end())
}

/// The placeholder for the name of any group of a kind.
const fn placeholder(layer: Layer) -> &'static str {
    match layer {
        Layer::Packet => "PACKET",
        Layer::Message => "MESSAGE",
        Layer::Item => "ITEM",
        Layer::Group => "GROUP",
        Layer::List => "LIST",
        Layer::Baseline => "BASELINE",
    }
}

const fn word(layer: Layer) -> &'static str {
    match layer {
        Layer::Packet => "packet",
        Layer::Message => "message",
        Layer::Item => "item",
        Layer::Group => "group",
        Layer::List => "list",
        Layer::Baseline => "baseline",
    }
}

use std::io::{self, BufWriter, Write};

use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::filter::BUILTIN_FIELDS;
use gamewire_inspect::protocol::Catalog;
use gamewire_inspect::render::{self, Palette};
use gamewire_inspect::stats::{CaptureStats, StreamTotals};
use gamewire_machine::Record;
use gamewire_wire::Layer;

use super::options::Inspect;

/// The form in which datagrams are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputFormat {
    Line,
    Tree,
    Hex,
    Json { spans: bool },
}

impl OutputFormat {
    pub(super) const fn of(options: &Inspect) -> Self {
        match options {
            Inspect { json: true, verbose, .. } => Self::Json { spans: *verbose },
            Inspect { hex: true, .. } => Self::Hex,
            Inspect { verbose: true, .. } => Self::Tree,
            _ => Self::Line,
        }
    }
}

/// Standard output and the form of datagrams.
pub(super) struct Output<W> {
    pub(super) to: W,
    pub(super) form: OutputFormat,
    pub(super) palette: Palette,
    /// True if every datagram is flushed.
    pub(super) is_live: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn datagram(&mut self, packet_info: PacketMeta<'_>, record: &Record) -> io::Result<()> {
        let Self { to, form, palette, is_live } = self;
        match form {
            OutputFormat::Line => render::line(to, packet_info, record, palette)?,
            OutputFormat::Tree => render::tree(to, packet_info, record, palette)?,
            OutputFormat::Hex => render::hex(to, packet_info, record, palette)?,
            OutputFormat::Json { spans } => render::json(to, packet_info, record, *spans)?,
        }
        if *is_live { to.flush() } else { Ok(()) }
    }

    pub(super) fn stream_totals(&mut self, totals: &StreamTotals) -> io::Result<()> {
        match self.form {
            OutputFormat::Json { .. } => render::write_json(&mut self.to, totals),
            _ => render::stream_totals(&mut self.to, totals, &self.palette),
        }
    }

    pub(super) fn totals(&mut self, totals: &CaptureStats) -> io::Result<()> {
        match self.form {
            OutputFormat::Json { .. } => render::write_json(&mut self.to, totals),
            _ => render::totals(&mut self.to, totals, &self.palette),
        }
    }
}

/// Lists every name that a filter may use, one per line: name, type, documentation.
pub(super) fn list_fields(catalog: &Catalog) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (name, doc) in BUILTIN_FIELDS {
        row(&mut out, name, "", doc)?;
    }
    for common in catalog.common() {
        let path = format!("{}.{}.{}", common.protocol, placeholder(common.layer), common.field.name);
        row(&mut out, &path, &common.field.kind, &common.field.doc)?;
    }
    for group in catalog.groups() {
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

use std::io::{self, BufWriter, Write};

use gamewire_inspect::conversation::{PacketInfo, PacketMeta};
use gamewire_inspect::filter::BUILTIN_FIELDS;
use gamewire_inspect::protocol::Catalog;
use gamewire_inspect::render::{self, Palette};
use gamewire_inspect::stats::{CaptureStats, StreamTotals};
use gamewire_inspect::time::DisplayTime;
use gamewire_machine::Record;
use gamewire_wire::Layer;

use super::options::{FormatArg, Inspect, Statistic, TimeArg};
use super::table::Table;
use crate::exit_status::Failure;

/// The form in which datagrams are shown.
pub(super) enum OutputFormat {
    Line,
    Tree,
    Hex,
    Json {
        spans: bool,
    },
    Table(Table),
    /// Every message with all its fields.
    Messages,
    /// Datagrams are not shown.
    Nothing,
}

impl OutputFormat {
    pub(super) fn of(
        options: &Inspect,
        statistic: Option<Statistic>,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        let is_table = options.output_format == Some(FormatArg::Fields);
        if is_table == options.columns.is_empty() {
            return Err(Failure::Usage("-T fields and -e NAME go together".into()));
        }
        if is_table && (options.verbose || options.hex || statistic.is_some()) {
            return Err(Failure::Usage("-T fields cannot be used with -V, -x or -z".into()));
        }
        let is_json = options.json || options.output_format == Some(FormatArg::Json);
        Ok(match options {
            Inspect { write: Some(_), .. } | Inspect { extract: Some(_), .. } => Self::Nothing,
            _ if is_table => Self::Table(Table::new(&options.columns, &options.table, catalog)?),
            _ if is_json => Self::Json { spans: options.verbose },
            Inspect { hex: true, .. } => Self::Hex,
            Inspect { verbose: true, .. } => Self::Tree,
            _ if matches!(statistic, Some(Statistic::Follow(_))) => Self::Messages,
            _ => Self::Line,
        })
    }
}

/// A formatter for the times of lines.
pub(super) struct Clock {
    form: TimeArg,
    /// The time from which deltas count.
    before: Option<i64>,
}

impl Clock {
    pub(super) fn new(form: Option<TimeArg>) -> Self {
        Self { form: form.unwrap_or(TimeArg::R), before: None }
    }

    /// Returns the time of a datagram. `is_shown` is true if the datagram is printed.
    pub(super) fn time(&mut self, info: &PacketInfo, is_shown: bool) -> DisplayTime {
        let before = self.before.unwrap_or(info.time);
        if is_shown || self.form == TimeArg::D {
            self.before = Some(info.time);
        }
        match self.form {
            TimeArg::R => DisplayTime::Seconds(info.time),
            TimeArg::Ad => DisplayTime::Date(info.timestamp),
            TimeArg::E => DisplayTime::Seconds(info.timestamp),
            TimeArg::D | TimeArg::Dd => DisplayTime::Seconds(info.time.saturating_sub(before)),
        }
    }
}

/// An output, and the form of the datagrams that are written to it.
pub(super) struct Output<W> {
    pub(super) to: W,
    pub(super) form: OutputFormat,
    pub(super) palette: Palette,
    pub(super) clock: Clock,
    /// True if every datagram is flushed.
    pub(super) is_live: bool,
}

impl<W> Output<W> {
    /// Returns an output of the same form for another thread. Returns `None` if one thread must write all datagrams:
    /// if the form is a table or nothing, if each datagram is flushed, or if its time depends on the previous one.
    pub(super) fn with_writer<V>(&self, to: V) -> Option<Output<V>> {
        let form = match self.form {
            OutputFormat::Line => OutputFormat::Line,
            OutputFormat::Tree => OutputFormat::Tree,
            OutputFormat::Hex => OutputFormat::Hex,
            OutputFormat::Json { spans } => OutputFormat::Json { spans },
            OutputFormat::Messages => OutputFormat::Messages,
            OutputFormat::Table(_) | OutputFormat::Nothing => return None,
        };
        let is_independent = !self.is_live && !matches!(self.clock.form, TimeArg::D | TimeArg::Dd);
        let clock = Clock::new(Some(self.clock.form));
        is_independent.then_some(Output { to, form, palette: self.palette, clock, is_live: false })
    }
}

impl<W: Write> Output<W> {
    /// Writes the header, if the form has one.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        match &self.form {
            OutputFormat::Table(table) => table.header(&mut self.to),
            _ => Ok(()),
        }
    }

    pub(super) fn datagram(&mut self, packet_info: PacketMeta<'_>, record: &Record) -> io::Result<()> {
        let Self { to, form, palette, is_live, .. } = self;
        match form {
            OutputFormat::Line => render::line(to, packet_info, record, palette)?,
            OutputFormat::Tree => render::tree(to, packet_info, record, palette)?,
            OutputFormat::Hex => render::hex(to, packet_info, record, palette)?,
            OutputFormat::Json { spans } => render::json(to, packet_info, record, *spans)?,
            OutputFormat::Table(table) => table.row(to, packet_info, record)?,
            OutputFormat::Messages => render::messages(to, packet_info, record, palette)?,
            OutputFormat::Nothing => {}
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
        let path = format!("{}.{}.{}", common.protocol, word(common.layer).to_uppercase(), common.field.name);
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

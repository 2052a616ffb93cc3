//! `-T fields`: the values of chosen fields, a row per datagram.

use std::io::{self, Write};
use std::str::FromStr;

use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::filter::Field;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::Record;

use crate::exit_status::Failure;

/// A setting of `-E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableOption {
    Header(bool),
    Separator(char),
    Aggregator(char),
    Occurrence(Occurrence),
    Quote(Option<char>),
}

/// The occurrences of a field that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    First,
    Last,
    All,
}

impl FromStr for TableOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let character = || match value {
            "/t" => Some('\t'),
            "/s" => Some(' '),
            value => value.chars().next().filter(|first| first.len_utf8() == value.len()),
        };
        let found = match (name, value) {
            ("header", "y") => Some(Self::Header(true)),
            ("header", "n") => Some(Self::Header(false)),
            ("separator", _) => character().map(Self::Separator),
            ("aggregator", _) => character().map(Self::Aggregator),
            ("occurrence", "f") => Some(Self::Occurrence(Occurrence::First)),
            ("occurrence", "l") => Some(Self::Occurrence(Occurrence::Last)),
            ("occurrence", "a") => Some(Self::Occurrence(Occurrence::All)),
            ("quote", "d") => Some(Self::Quote(Some('"'))),
            ("quote", "s") => Some(Self::Quote(Some('\''))),
            ("quote", "n") => Some(Self::Quote(None)),
            _ => None,
        };
        found.ok_or_else(|| {
            "expected header=y|n, separator=/t|/s|CHAR, aggregator=/s|CHAR, occurrence=f|l|a or quote=d|s|n".into()
        })
    }
}

/// The columns and the form of a table.
pub(super) struct Table {
    columns: Vec<(String, Field)>,
    has_header: bool,
    separator: char,
    aggregator: char,
    occurrence: Occurrence,
    quote: Option<char>,
    /// The values of the current field.
    values: Vec<String>,
}

impl Table {
    pub(super) fn new(names: &[String], options: &[TableOption], catalog: &Catalog) -> Result<Self, Failure> {
        let column = |name: &String| match Field::parse(name, catalog) {
            Ok(field) => Ok((name.clone(), field)),
            Err(error) => Err(Failure::Usage(format!("invalid field: {error}"))),
        };
        let mut table = Self {
            columns: names.iter().map(column).collect::<Result<_, _>>()?,
            has_header: false,
            separator: '\t',
            aggregator: ',',
            occurrence: Occurrence::All,
            quote: None,
            values: Vec::new(),
        };
        for option in options {
            match *option {
                TableOption::Header(has_header) => table.has_header = has_header,
                TableOption::Separator(separator) => table.separator = separator,
                TableOption::Aggregator(aggregator) => table.aggregator = aggregator,
                TableOption::Occurrence(occurrence) => table.occurrence = occurrence,
                TableOption::Quote(quote) => table.quote = quote,
            }
        }
        Ok(table)
    }

    /// Writes the names of the columns, if a header was requested.
    pub(super) fn header(&self, to: &mut impl Write) -> io::Result<()> {
        if !self.has_header {
            return Ok(());
        }
        let names: Vec<_> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(to, "{}", names.join(self.separator.encode_utf8(&mut [0; 4])))
    }

    /// Writes a row. A field that the datagram does not have is left empty.
    pub(super) fn row(
        &mut self,
        to: &mut impl Write,
        packet_info: PacketMeta<'_>,
        record: &Record,
    ) -> io::Result<()> {
        let Self { columns, values, .. } = self;
        for ((_, field), index) in columns.iter().zip(0..) {
            if index > 0 {
                write!(to, "{}", self.separator)?;
            }
            values.clear();
            field.texts(packet_info, record, |text| values.push(text.to_owned()));
            let shown = match self.occurrence {
                Occurrence::First => values.get(..1),
                Occurrence::Last => values.len().checked_sub(1).and_then(|last| values.get(last..)),
                Occurrence::All => Some(values.as_slice()),
            };
            let text = shown.unwrap_or_default().join(self.aggregator.encode_utf8(&mut [0; 4]));
            match self.quote.filter(|_| !values.is_empty()) {
                Some(quote) => write!(to, "{quote}{text}{quote}")?,
                None => write!(to, "{text}")?,
            }
        }
        writeln!(to)
    }
}

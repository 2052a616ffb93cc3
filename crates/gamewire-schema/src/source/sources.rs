use std::ops::Range;
use std::path::Path;

/// One text of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name in diagnostics: a path.
    pub name: String,
    /// The [`Packet::topic`](crate::ir::Packet::topic) of its packets.
    pub topic: String,
    /// Content.
    pub text: String,
}

/// All texts of a definition. Aliases and cancels refer to items of all texts.
///
/// ```
/// use gamewire_schema::{Constants, Sources};
///
/// let mut sources = Sources::default();
/// sources.add("defs/city.def", "PACKET_CITY_REMOVE = 30; sc\n  CITY id;\nend");
/// sources.add("defs/types.def", "type CITY = uint16(int)");
/// let protocol = sources.compile(&Constants::default()).unwrap();
/// assert_eq!(protocol.packets[0].topic, "city");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// Creates a definition of one text. Its packets have no topic.
    #[must_use]
    pub fn only(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { list: vec![Source { name: name.into(), topic: String::new(), text: text.into() }] }
    }

    /// Adds one text of several. Its topic is the name of the file without folder and extension.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) {
        let name = name.into();
        let topic = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.list.push(Source { name, topic, text: text.into() });
    }

    /// Returns the texts, in order.
    #[must_use]
    pub fn list(&self) -> &[Source] {
        &self.list
    }

    /// Returns the text in which the span of a [`Diagnostic`](crate::Diagnostic) starts, and the span in
    /// bytes of this text, or `None` without texts.
    #[must_use]
    pub fn at(&self, span: &Range<usize>) -> Option<(&Source, Range<usize>)> {
        let (index, span) = SourceFile::at(&self.files(), span)?;
        Some((self.list.get(index)?, span))
    }

    pub(crate) fn files<'s>(&'s self) -> Vec<SourceFile<'s>> {
        let mut start = 0;
        let file = |source: &'s Source| {
            let Source { name, topic, text } = source;
            let file = SourceFile { name, topic, text, start };
            start = file.next_start();
            file
        };
        self.list.iter().map(file).collect()
    }
}

/// A text of a definition for the compiler. Offsets count through all texts, with one byte between two
/// texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceFile<'a> {
    pub(crate) name: &'a str,
    pub(crate) topic: &'a str,
    pub(crate) text: &'a str,
    /// Offset of its first byte.
    pub(crate) start: usize,
}

impl<'a> SourceFile<'a> {
    /// Creates the only text of a definition.
    pub(crate) fn only(name: &'a str, text: &'a str) -> Self {
        Self { name, topic: "", text, start: 0 }
    }

    /// Returns the offset of the next text. The byte between them is the end of this one.
    pub(crate) fn next_start(&self) -> usize {
        self.start.saturating_add(self.text.len()).saturating_add(1)
    }

    /// Returns the index of the file in which a span starts, and the span in bytes of its text.
    pub(crate) fn at(files: &[Self], span: &Range<usize>) -> Option<(usize, Range<usize>)> {
        let index = files.iter().rposition(|file| file.start <= span.start)?;
        let start = files.get(index)?.start;
        Some((index, span.start.saturating_sub(start)..span.end.saturating_sub(start)))
    }
}

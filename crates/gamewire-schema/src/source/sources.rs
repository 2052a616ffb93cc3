use std::ops::Range;
use std::path::Path;

use super::part::SourceFile;
use crate::check::{Constants, check_parts};
use crate::diagnostic::Errors;
use crate::ir::Protocol;

/// One text of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the text is called in diagnostics: a path.
    pub name: String,
    /// What its packets are about: the [`Packet::topic`](crate::ir::Packet::topic) they get.
    pub topic: String,
    /// What is in it.
    pub text: String,
}

/// All texts of a definition. Aliases and cancels reach from each to all others.
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
    /// A definition of one text. Its packets have no topic.
    #[must_use]
    pub fn only(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { list: vec![Source { name: name.into(), topic: String::new(), text: text.into() }] }
    }

    /// Adds one text of several. Its topic is the name of the file without folder and ending.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) {
        let name = name.into();
        let topic = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.list.push(Source { name, topic, text: text.into() });
    }

    /// The texts, in order.
    #[must_use]
    pub fn list(&self) -> &[Source] {
        &self.list
    }

    /// Reads the definition.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the texts, up to a bounded number.
    pub fn compile(&self, constants: &Constants) -> Result<Protocol, Errors> {
        check_parts(&self.parts(), constants)
    }

    /// The text in which the span of a [`Diagnostic`](crate::Diagnostic) starts, and the span in bytes
    /// of this text; `None` where there are no texts.
    #[must_use]
    pub fn at(&self, span: &Range<usize>) -> Option<(&Source, Range<usize>)> {
        let (index, span) = SourceFile::at(&self.parts(), span)?;
        Some((self.list.get(index)?, span))
    }

    pub(crate) fn parts<'s>(&'s self) -> Vec<SourceFile<'s>> {
        let mut start = 0;
        let part = |source: &'s Source| {
            let Source { name, topic, text } = source;
            let part = SourceFile { name, topic, text, start };
            start = part.next_start();
            part
        };
        self.list.iter().map(part).collect()
    }
}

use std::ops::Range;

use super::cursor::Cursor;
use super::field::{alias_line, field_line, flags};
use super::tree::{Definition, PacketBlock};
use crate::diagnostic::{Diagnostic, Errors};
use crate::ir::Topic;
use crate::limits::{MAX_ALIASES, MAX_BYTES, MAX_DOC, MAX_FIELDS, MAX_LINE, MAX_PACKETS};
use crate::source::Sources;

/// Returns the texts with block comments replaced by blanks, or `None` if the texts exceed [`MAX_BYTES`].
pub(crate) fn without_comments(sources: &Sources, errors: &mut Errors) -> Option<Vec<String>> {
    let mut bytes = 0_usize;
    for (start, source) in sources.with_offsets() {
        bytes = bytes.saturating_add(source.text.len());
        if bytes > MAX_BYTES {
            let what = if sources.list().len() > 1 { "the files are" } else { "the file is" };
            let message = format!("{what} too long: more than {MAX_BYTES} bytes");
            errors.push(Diagnostic::new(message, start..start));
            return None;
        }
    }
    let mut texts = Vec::new();
    for (start, source) in sources.with_offsets() {
        let (text, open_comment) = blank(&source.text);
        if let Some(span) = open_comment {
            let span = start.saturating_add(span.start)..start.saturating_add(span.end);
            let error = Diagnostic::new("this comment is never closed", span);
            errors.push(error.label("starts here").hint("close it with `*/`"));
        }
        texts.push(text);
    }
    Some(texts)
}

/// Parses texts from [`without_comments`] into aliases and packets. Adds all errors to `errors`, and continues after an
/// invalid line. Returns `None` if a limit is exceeded.
pub(crate) fn parse<'a>(
    sources: &'a Sources,
    texts: &'a [String],
    errors: &mut Errors,
) -> Option<Definition<'a>> {
    let mut parser = Parser::new(errors);
    for ((start, source), text) in sources.with_offsets().zip(texts) {
        parser.topic = Topic { name: source.topic.clone(), doc: String::new() };
        let mut offset = start;
        for line in text.split('\n') {
            parser.line(line, &source.topic, offset)?;
            if parser.errors.is_full() {
                return None;
            }
            offset = offset.saturating_add(line.len()).saturating_add(1);
        }
        parser.end_of_text();
    }
    Some(parser.definition)
}

/// The state of the parser.
struct Parser<'a, 'e> {
    definition: Definition<'a>,
    block: Block<'a>,
    /// Text of the `///` lines before the next item.
    doc: String,
    /// Topic of the current text, with the content of its `//!` lines.
    topic: Topic,
    fields: usize,
    errors: &'e mut Errors,
}

/// Position of the parser in a block.
#[derive(Default)]
enum Block<'a> {
    /// Between blocks. The next line with content is a header.
    #[default]
    Outside,
    /// After a valid header.
    Inside(Box<PacketBlock<'a>>),
    /// After an invalid header. The fields are only parsed to report their errors.
    Lost,
}

impl<'a, 'e> Parser<'a, 'e> {
    fn new(errors: &'e mut Errors) -> Self {
        let (definition, block, topic) = (Definition::default(), Block::Outside, Topic::default());
        Self { definition, block, doc: String::new(), topic, fields: 0, errors }
    }

    /// Parses one line. Returns `None` and ends the parsing if a limit is exceeded.
    fn line(&mut self, line: &'a str, topic: &'a str, offset: usize) -> Option<()> {
        for (mark, doc) in [("///", &mut self.doc), ("//!", &mut self.topic.doc)] {
            if let Some(text) = line.trim_start().strip_prefix(mark) {
                document(doc, text.trim(), offset, self.errors);
                return Some(());
            }
        }
        let code = before_comment(line);
        if code.len() > MAX_LINE && code.trim().len() > MAX_LINE {
            let start = offset.saturating_add(code.len().saturating_sub(code.trim_start().len()));
            let error = Diagnostic::new(format!("the line is longer than {MAX_LINE} bytes"), start..start);
            self.errors.push(error.label("starts here"));
            return Some(());
        }
        let mut cursor = Cursor::new(code, offset);
        if cursor.is_at_end() {
            return Some(());
        }
        let doc = std::mem::take(&mut self.doc).trim_end().to_owned();
        if let Some(alias) = alias_line(cursor.clone()) {
            let alias = alias.map_err(|error| self.errors.push(error)).ok();
            self.definition.aliases.extend(alias);
            return self.check_limit(self.definition.aliases.len(), MAX_ALIASES, "aliases", &mut cursor);
        }
        if code.trim() == "end" {
            self.end(&mut cursor);
            return Some(());
        }
        if !matches!(self.block, Block::Outside) && is_header(cursor.clone()) {
            self.missing_end(&mut cursor);
        }
        match &mut self.block {
            Block::Outside => {
                self.block = match header(cursor.clone(), topic, doc) {
                    Ok(block) => Block::Inside(Box::new(block)),
                    Err(error) => {
                        self.errors.push(error);
                        Block::Lost
                    }
                };
                self.check_limit(self.definition.packets.len(), MAX_PACKETS, "packets", &mut cursor)
            }
            Block::Inside(block) => {
                let mut line = field_line(cursor.clone(), doc).map_err(|error| self.errors.push(error)).ok();
                if let (Some(line), Some(before)) = (&mut line, block.lines.last())
                    && line.doc.is_empty()
                    && line.is_of_the_same_field(before)
                {
                    line.doc.clone_from(&before.doc);
                }
                let count = line.as_ref().map_or(0, |line| line.declarators.len());
                self.fields = self.fields.saturating_add(count);
                block.lines.extend(line);
                self.check_limit(self.fields, MAX_FIELDS, "fields", &mut cursor)
            }
            Block::Lost => {
                let _ = field_line(cursor, doc).map_err(|error| self.errors.push(error));
                Some(())
            }
        }
    }

    fn end(&mut self, cursor: &mut Cursor<'a>) {
        match std::mem::take(&mut self.block) {
            Block::Inside(block) => self.definition.packets.push(*block),
            Block::Lost => {}
            Block::Outside => {
                let error = Diagnostic::new("this `end` closes no packet", cursor.next_span());
                self.errors.push(error.hint("remove it, or write the header of the packet above"));
            }
        }
    }

    /// Reports a header where a field or `end` is expected.
    fn missing_end(&mut self, cursor: &mut Cursor<'a>) {
        if let Block::Inside(block) = std::mem::take(&mut self.block) {
            let error = Diagnostic::new("the packet before this one has no `end`", cursor.next_span());
            let error = error.label("a new packet starts here").hint("write `end` on a line above");
            self.errors.push(error.secondary_label(block.name.span.clone(), "the packet that is still open"));
            self.definition.packets.push(*block);
        }
    }

    fn end_of_text(&mut self) {
        if let Block::Inside(block) = std::mem::take(&mut self.block) {
            let error = Diagnostic::new("this packet has no `end`", block.name.span.clone());
            self.errors.push(error.label("starts here").hint("write `end` on the line after its last field"));
            self.definition.packets.push(*block);
        }
        self.doc.clear();
        let mut topic = std::mem::take(&mut self.topic);
        if !topic.name.is_empty() {
            topic.doc.truncate(topic.doc.trim_end().len());
            self.definition.topics.push(topic);
        }
    }

    fn check_limit(&mut self, count: usize, max: usize, what: &str, cursor: &mut Cursor<'a>) -> Option<()> {
        if count <= max {
            return Some(());
        }
        self.errors.push(Diagnostic::new(format!("more than {max} {what}"), cursor.next_span()));
        None
    }
}

/// Parses the first line of a packet: `NAME = NUMBER; flags`.
fn header<'a>(mut cursor: Cursor<'a>, topic: &'a str, doc: String) -> Result<PacketBlock<'a>, Diagnostic> {
    let hint = "a packet starts like `PACKET_NAME = 12; sc`";
    let name = cursor.name("the name of a packet").map_err(|error| error.hint(hint))?;
    cursor.expect('=').map_err(|error| error.hint(hint))?;
    let number = cursor.name("the number of the packet").map_err(|error| error.hint(hint))?;
    cursor.expect(';').map_err(|error| error.hint("the flags follow a `;`"))?;
    let flags = flags(&mut cursor)?;
    Ok(PacketBlock { name, number, flags, lines: Vec::new(), topic, doc })
}

/// Adds a line to the documentation of an item.
fn document(doc: &mut String, text: &str, offset: usize, errors: &mut Errors) {
    if doc.len().saturating_add(text.len()) < MAX_DOC {
        doc.push_str(text);
        doc.push('\n');
    } else {
        let message = format!("more than {MAX_DOC} bytes of documentation");
        errors.push(Diagnostic::new(message, offset..offset));
    }
}

/// Returns whether a line is a header and not a field. A header starts with a word and `=`.
fn is_header(mut cursor: Cursor<'_>) -> bool {
    cursor.word().is_some() && cursor.eat('=')
}

/// Returns the text with every `/* ... */` replaced by blanks, which preserves offsets. Also returns the start of a
/// comment that is not closed. A comment over several lines joins them.
fn blank(text: &str) -> (String, Option<Range<usize>>) {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        let Some((inside, after)) = comment.split_once("*/") else {
            let start = kept.len();
            kept.push_str(&" ".repeat(comment.len().saturating_add(2)));
            return (kept, Some(start..start.saturating_add(2)));
        };
        kept.push_str(&" ".repeat(inside.len().saturating_add(4)));
        rest = after;
    }
    kept.push_str(rest);
    (kept, None)
}

/// Returns the text before a `#` or a `//`.
fn before_comment(line: &str) -> &str {
    let hash = line.find('#').unwrap_or(line.len());
    let slashes = line.find("//").unwrap_or(line.len());
    line.get(..hash.min(slashes)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comment_becomes_blanks_of_the_same_length() {
        assert_eq!(blank("a/* \u{e4}\n */b"), ("a         b".to_owned(), None));
        assert_eq!(blank("a # /* b */ c").0, "a #         c");
        assert_eq!(blank("/**/").0, "    ");
    }

    #[test]
    fn a_block_comment_without_end_is_found() {
        assert_eq!(blank("ab/* c"), ("ab    ".to_owned(), Some(2..4)));
        assert_eq!(blank("/*/").1, Some(0..2));
    }

    #[test]
    fn the_earlier_comment_of_a_line_counts() {
        assert_eq!(before_comment("a # b // c"), "a ");
        assert_eq!(before_comment("a // b # c"), "a ");
        assert_eq!(before_comment("a"), "a");
    }
}

use super::comments::{before_comment, blank, doc, topic_doc};
use super::cursor::Cursor;
use super::field::{alias_line, field_line, flags};
use super::tree::{Definition, PacketBlock};
use crate::diagnostic::{Diagnostic, Errors};
use crate::ir::Topic;
use crate::limits::{MAX_ALIASES, MAX_BYTES, MAX_DOC, MAX_FIELDS, MAX_LINE, MAX_PACKETS};
use crate::source::SourceFile;

/// Splits texts into aliases and packets and passes the result to `then`. Adds everything wrong to
/// `errors`, and continues after a bad line.
pub(crate) fn parse<R>(
    files: &[SourceFile<'_>],
    errors: &mut Errors,
    then: impl FnOnce(&Definition<'_>, &mut Errors) -> R,
) -> Option<R> {
    let mut bytes = 0_usize;
    for file in files {
        bytes = bytes.saturating_add(file.text.len());
        if bytes > MAX_BYTES {
            let what = if files.len() > 1 { "the files are" } else { "the file is" };
            let message = format!("{what} too long: more than {MAX_BYTES} bytes");
            errors.push(Diagnostic::new(message, file.start..file.start));
            return None;
        }
    }
    let texts: Vec<String> = files.iter().map(|file| without_comments(file, errors)).collect();
    let mut blocks = Blocks::default();
    for (file, text) in files.iter().zip(&texts) {
        blocks.topic = Topic { name: file.topic.to_owned(), doc: String::new() };
        let mut offset = file.start;
        for line in text.split('\n') {
            if blocks.line(line, file.topic, offset, errors).is_none() || errors.is_full() {
                return None;
            }
            offset = offset.saturating_add(line.len()).saturating_add(1);
        }
        blocks.end_of_text(errors);
    }
    Some(then(&blocks.definition, errors))
}

/// Returns the text with its block comments blanked.
fn without_comments(file: &SourceFile<'_>, errors: &mut Errors) -> String {
    let (text, open_comment) = blank(file.text);
    if let Some(span) = open_comment {
        let span = file.start.saturating_add(span.start)..file.start.saturating_add(span.end);
        let error = Diagnostic::new("this comment is never closed", span);
        errors.push(error.label("starts here").hint("close it with `*/`"));
    }
    text
}

/// The blocks that have been read.
#[derive(Default)]
struct Blocks<'a> {
    definition: Definition<'a>,
    block: Block<'a>,
    doc: String,
    /// Topic of the current text.
    topic: Topic,
    fields: usize,
}

/// Position of the reader in a block.
#[derive(Default)]
enum Block<'a> {
    /// Between blocks: a header comes next.
    #[default]
    Outside,
    /// After a valid header.
    Inside(Box<PacketBlock<'a>>),
    /// After an invalid header: the fields are parsed for their errors only.
    Lost,
}

impl<'a> Blocks<'a> {
    /// Parses one line. Returns `None` if a limit is exceeded, which ends the parsing.
    fn line(&mut self, line: &'a str, topic: &'a str, offset: usize, errors: &mut Errors) -> Option<()> {
        if let Some(text) = doc(line) {
            document(&mut self.doc, text, offset, errors);
            return Some(());
        }
        if let Some(text) = topic_doc(line) {
            document(&mut self.topic.doc, text, offset, errors);
            return Some(());
        }
        let code = before_comment(line);
        if code.len() > MAX_LINE && code.trim().len() > MAX_LINE {
            let start = offset.saturating_add(code.len().saturating_sub(code.trim_start().len()));
            let error = Diagnostic::new(format!("the line is longer than {MAX_LINE} bytes"), start..start);
            errors.push(error.label("starts here"));
            return Some(());
        }
        let mut cursor = Cursor::new(code, offset);
        if cursor.is_at_end() {
            return Some(());
        }
        let doc = std::mem::take(&mut self.doc).trim_end().to_owned();
        if let Some(alias) = alias_line(cursor.clone()) {
            let alias = alias.map_err(|error| errors.push(error)).ok();
            self.definition.aliases.extend(alias);
            return check_limit(self.definition.aliases.len(), MAX_ALIASES, "aliases", &mut cursor, errors);
        }
        if code.trim() == "end" {
            self.end(&mut cursor, errors);
            return Some(());
        }
        if !matches!(self.block, Block::Outside) && is_header(cursor.clone()) {
            self.missing_end(&mut cursor, errors);
        }
        match &mut self.block {
            Block::Outside => {
                self.block = match header(cursor.clone(), topic, doc) {
                    Ok(block) => Block::Inside(Box::new(block)),
                    Err(error) => {
                        errors.push(error);
                        Block::Lost
                    }
                };
                check_limit(self.definition.packets.len(), MAX_PACKETS, "packets", &mut cursor, errors)
            }
            Block::Inside(block) => {
                let line = field_line(cursor.clone(), doc).map_err(|error| errors.push(error)).ok();
                let count = line.as_ref().map_or(0, |line| line.declarators.len());
                self.fields = self.fields.saturating_add(count);
                block.lines.extend(line);
                check_limit(self.fields, MAX_FIELDS, "fields", &mut cursor, errors)
            }
            Block::Lost => {
                let _ = field_line(cursor, doc).map_err(|error| errors.push(error));
                Some(())
            }
        }
    }

    fn end(&mut self, cursor: &mut Cursor<'a>, errors: &mut Errors) {
        match std::mem::take(&mut self.block) {
            Block::Inside(block) => self.definition.packets.push(*block),
            Block::Lost => {}
            Block::Outside => {
                let error = Diagnostic::new("this `end` closes no packet", cursor.next_span());
                errors.push(error.hint("remove it, or write the header of the packet above"));
            }
        }
    }

    /// Reports a header in place of a field or `end`.
    fn missing_end(&mut self, cursor: &mut Cursor<'a>, errors: &mut Errors) {
        if let Block::Inside(block) = std::mem::take(&mut self.block) {
            let error = Diagnostic::new("the packet before this one has no `end`", cursor.next_span());
            let error = error.label("a new packet starts here").hint("write `end` on a line above");
            errors.push(error.secondary_label(block.name.span.clone(), "the packet that is still open"));
            self.definition.packets.push(*block);
        }
    }

    fn end_of_text(&mut self, errors: &mut Errors) {
        if let Block::Inside(block) = std::mem::take(&mut self.block) {
            let error = Diagnostic::new("this packet has no `end`", block.name.span.clone());
            errors.push(error.label("starts here").hint("write `end` on the line after its last field"));
            self.definition.packets.push(*block);
        }
        self.doc.clear();
        let mut topic = std::mem::take(&mut self.topic);
        if !topic.name.is_empty() {
            topic.doc.truncate(topic.doc.trim_end().len());
            self.definition.topics.push(topic);
        }
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

/// Adds a line to a documentation.
fn document(doc: &mut String, text: &str, offset: usize, errors: &mut Errors) {
    if doc.len().saturating_add(text.len()) < MAX_DOC {
        doc.push_str(text);
        doc.push('\n');
    } else {
        let message = format!("more than {MAX_DOC} bytes of documentation");
        errors.push(Diagnostic::new(message, offset..offset));
    }
}

/// Returns whether a line is a header instead of a field: a word and then `=`.
fn is_header(mut cursor: Cursor<'_>) -> bool {
    cursor.word().is_some() && cursor.eat('=')
}

fn check_limit(
    count: usize,
    max: usize,
    what: &str,
    cursor: &mut Cursor<'_>,
    errors: &mut Errors,
) -> Option<()> {
    if count <= max {
        return Some(());
    }
    errors.push(Diagnostic::new(format!("more than {max} {what}"), cursor.next_span()));
    None
}

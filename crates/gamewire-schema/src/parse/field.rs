use super::cursor::{Cursor, check_length};
use super::tree::{AliasLine, Declarator, Extent, FieldLine, Flag, Size, TypeName};
use crate::diagnostic::Diagnostic;

/// Parses a line of fields: `TYPE name[size], name; flags`.
pub(super) fn field_line(mut cursor: Cursor<'_>, doc: String) -> Result<FieldLine<'_>, Diagnostic> {
    let type_name = type_name(&mut cursor)?;
    let mut declarators = vec![declarator(&mut cursor)?];
    while cursor.eat(',') {
        declarators.push(declarator(&mut cursor)?);
    }
    let hint = "the `;` is needed even without flags";
    cursor.expect(';').map_err(|error| error.hint(hint))?;
    let flags = flags(&mut cursor)?;
    Ok(FieldLine { alias: None, type_name, declarators, flags, doc })
}

fn declarator<'a>(cursor: &mut Cursor<'a>) -> Result<Declarator<'a>, Diagnostic> {
    let name = cursor.name("the name of a field")?;
    let mut extents = Vec::new();
    while cursor.peek() == Some('[') {
        extents.push(extent(cursor)?);
    }
    Ok(Declarator { name, extents })
}

fn extent<'a>(cursor: &mut Cursor<'a>) -> Result<Extent<'a>, Diagnostic> {
    let start = cursor.next_span().start;
    cursor.expect('[')?;
    let text = cursor.until(&['[', ']', ':', ';', ',']);
    if text.text.is_empty() {
        return Err(cursor.expected("a size").hint("write a size as `[10]`, `[MAX + 1]` or `[MAX:count]`"));
    }
    let size = if text.text == "*" { Size::Own } else { Size::Expression(text) };
    let mut count = None;
    if cursor.eat(':') {
        count = Some(cursor.name("the field that counts")?);
    }
    cursor.expect(']')?;
    Ok(Extent { size, count, span: start..cursor.offset() })
}

/// Parses the flags between a `;` and the end of the line. There may be no flags, or a trailing comma.
pub(super) fn flags<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Flag<'a>>, Diagnostic> {
    let mut flags = Vec::new();
    while !cursor.is_at_end() {
        let word = cursor.flag_word()?;
        let mut argument = None;
        if cursor.eat('(') {
            argument = Some(cursor.flag_argument()?);
            cursor.expect(')')?;
        }
        flags.push(Flag { word, argument });
        if !cursor.is_at_end() {
            cursor.expect(',')?;
        }
    }
    Ok(flags)
}

/// Parses an alias or a basic type.
fn type_name<'a>(cursor: &mut Cursor<'a>) -> Result<TypeName<'a>, Diagnostic> {
    let word = cursor.type_word()?;
    let mut public = None;
    if cursor.eat('(') {
        let text = cursor.until(&['(', ')']);
        if text.text.is_empty() {
            return Err(cursor.expected("a public type"));
        }
        cursor.expect(')')?;
        public = Some(check_length(text)?);
    }
    Ok(TypeName { word, public })
}

/// Parses the definition of an alias. Returns `None` if the line is not one.
pub(super) fn alias_line(line: Cursor<'_>) -> Option<Result<AliasLine<'_>, Diagnostic>> {
    let mut cursor = line;
    let name = cursor.word().filter(|word| word.text == "type").and_then(|_| cursor.word())?;
    if !cursor.eat('=') {
        return None;
    }
    Some(type_name(&mut cursor).and_then(|source| {
        if !cursor.is_at_end() && !cursor.eat(';') {
            return Err(cursor.expected("the end of the line").hint("an alias names one type"));
        }
        Ok(AliasLine { name, source, flags: flags(&mut cursor)? })
    }))
}

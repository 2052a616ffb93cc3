use super::cursor::Cursor;
use super::flag::flags;
use super::tree::{Declarator, Extent, FieldLine, Size};
use super::type_name::type_name;
use crate::diagnostic::Diagnostic;

/// A line of fields: `TYPE name[size], name; flags`.
pub(super) fn field_line(mut cursor: Cursor<'_>, doc: String) -> Result<FieldLine<'_>, Diagnostic> {
    let type_name = type_name(&mut cursor)?;
    let mut declarators = vec![declarator(&mut cursor)?];
    while cursor.eat(',') {
        declarators.push(declarator(&mut cursor)?);
    }
    let hint = "the `;` is needed even without flags";
    cursor.expect(';').map_err(|error| error.hint(hint))?;
    let flags = flags(&mut cursor)?;
    Ok(FieldLine { type_name, declarators, flags, doc })
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

use super::cursor::{Cursor, of_some_length};
use super::tree::{AliasLine, TypeName};
use crate::diagnostic::Diagnostic;

/// An alias or a basic type.
pub(super) fn type_name<'a>(cursor: &mut Cursor<'a>) -> Result<TypeName<'a>, Diagnostic> {
    let word = cursor.name("a type")?;
    let mut public = None;
    if cursor.eat('(') {
        let text = cursor.until(&['(', ')']);
        if text.text.is_empty() {
            return Err(cursor.expected("a public type"));
        }
        cursor.expect(')')?;
        public = Some(of_some_length(text)?);
    }
    Ok(TypeName { word, public })
}

/// The line as the definition of an alias; `None` where it is something else.
pub(super) fn alias_line(line: Cursor<'_>) -> Option<Result<AliasLine<'_>, Diagnostic>> {
    let mut cursor = line;
    let name = cursor.word().filter(|word| word.text == "type").and_then(|_| cursor.word())?;
    if !cursor.eat('=') {
        return None;
    }
    Some(type_name(&mut cursor).and_then(|source| {
        if cursor.is_at_end() {
            Ok(AliasLine { name, source })
        } else {
            Err(cursor.expected("the end of the line").hint("an alias stands for one type"))
        }
    }))
}

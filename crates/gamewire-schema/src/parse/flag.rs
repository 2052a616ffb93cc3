use super::cursor::Cursor;
use super::tree::Flag;
use crate::diagnostic::Diagnostic;

/// The flags behind a `;`, up to the end of the line. There may be none, and a comma behind the
/// last.
pub(super) fn flags<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Flag<'a>>, Diagnostic> {
    let mut flags = Vec::new();
    while !cursor.is_at_end() {
        let word = cursor.flag_word()?;
        let mut argument = None;
        if cursor.eat('(') {
            argument = Some(cursor.name("a name")?);
            cursor.expect(')')?;
        }
        flags.push(Flag { word, argument });
        if !cursor.is_at_end() {
            cursor.expect(',')?;
        }
    }
    Ok(flags)
}

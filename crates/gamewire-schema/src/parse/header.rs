use super::cursor::Cursor;
use super::flag::flags;
use super::tree::PacketBlock;
use crate::diagnostic::Diagnostic;

/// The first line of a packet: `NAME = NUMBER; flags`.
pub(super) fn header<'a>(
    mut cursor: Cursor<'a>,
    topic: &'a str,
    doc: String,
) -> Result<PacketBlock<'a>, Diagnostic> {
    let hint = "a packet starts like `PACKET_NAME = 12; sc`";
    let name = cursor.name("the name of a packet").map_err(|error| error.hint(hint))?;
    cursor.expect('=').map_err(|error| error.hint(hint))?;
    let number = cursor.name("the number of the packet").map_err(|error| error.hint(hint))?;
    cursor.expect(';').map_err(|error| error.hint("the flags come behind a `;`"))?;
    let flags = flags(&mut cursor)?;
    Ok(PacketBlock { name, number, flags, lines: Vec::new(), topic, doc })
}

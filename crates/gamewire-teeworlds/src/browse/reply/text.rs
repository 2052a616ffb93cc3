//! Text of any origin, as the fields of an answer take it.

use std::io::Write as _;

use gamewire_wire::{CodecError, Writer};

use crate::session::info::{ClientEntry, ServerInfo};
use crate::shared::data::Decimal;
use crate::shared::field::Field;
use crate::shared::pack::{Sanitize, Text};

/// The longest texts that the games send, in bytes.
pub(super) const VERSION: usize = 32;
pub(super) const NAME: usize = 64;
pub(super) const EXTENDED_NAME: usize = 256;
pub(super) const HOSTNAME: usize = 128;
pub(super) const MAP: usize = 32;
pub(super) const GAME_TYPE: usize = 16;
const CLIENT_NAME: usize = 15;
const CLAN: usize = 11;

/// The longest client in any form: two texts and three numbers with their zero bytes.
const CLIENT: usize = 64;

/// At most `limit` bytes of `bytes`: up to the first zero byte, and to the end of a character.
pub(super) fn text(bytes: &[u8], limit: usize) -> Text<'_> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let mut cut = end.min(limit);
    if cut < end {
        // A byte 10xxxxxx goes on with the character before it.
        while cut > 0 && bytes.get(cut).is_some_and(|byte| byte & 0xc0 == 0x80) {
            cut = cut.saturating_sub(1);
        }
    }
    Text::received(bytes.get(..cut).unwrap_or_default(), Sanitize::Strict)
}

/// The name of a client.
pub(super) fn client_name(client: &ClientEntry) -> Text<'_> {
    text(&client.name, CLIENT_NAME)
}

/// The clan of a client.
pub(super) fn clan(client: &ClientEntry) -> Text<'_> {
    text(&client.clan, CLAN)
}

/// A number in decimal digits.
#[derive(Clone, Copy, Default)]
pub(super) struct Digits {
    bytes: [u8; 11],
    length: usize,
}

impl Digits {
    pub(super) fn of(number: i32) -> Self {
        let mut digits = Self::default();
        let mut free = digits.bytes.as_mut_slice();
        let left = write!(free, "{number}").map_or(0, |()| free.len());
        digits.length = digits.bytes.len().saturating_sub(left);
        digits
    }

    pub(super) fn decimal(&self) -> Decimal<'_> {
        Decimal(Text::received(self.bytes.get(..self.length).unwrap_or_default(), Sanitize::Strict))
    }
}

/// The name of a server, and how many clients it has where the answer cannot list them all.
pub(super) struct Name {
    bytes: [u8; NAME],
    length: usize,
}

impl Name {
    pub(super) fn with_counts(info: &ServerInfo) -> Self {
        let mut counts = [0; 32];
        let mut free = counts.as_mut_slice();
        let max = usize::try_from(info.max_clients).unwrap_or(0).max(info.clients.len());
        let left = write!(free, " [{}/{max}]", info.clients.len()).map_or(0, |()| free.len());
        let counts = counts.get(..counts.len().saturating_sub(left)).unwrap_or_default();

        let name = text(&info.name, NAME.saturating_sub(counts.len()));
        let mut bytes = [0; NAME];
        let parts = name.as_bytes().iter().chain(counts);
        let length = bytes.iter_mut().zip(parts).map(|(to, from)| *to = *from).count();
        Self { bytes, length }
    }

    pub(super) fn text(&self) -> Text<'_> {
        Text::received(self.bytes.get(..self.length).unwrap_or_default(), Sanitize::Strict)
    }
}

/// Writes a whole client, or nothing.
pub(super) fn write_client<'a>(client: &impl Field<'a>, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let mut buffer = [0; CLIENT];
    let mut whole = Writer::new(&mut buffer);
    client.write(&mut whole)?;
    to.bytes(whole.written())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters_and_at_a_zero_byte() {
        assert_eq!(text("añb".as_bytes(), 2).as_bytes(), b"a");
        assert_eq!(text("añb".as_bytes(), 3).as_bytes(), "añ".as_bytes());
        assert_eq!(text("☃☃".as_bytes(), 5).as_bytes(), "☃".as_bytes());
        assert_eq!(text(b"a\0b", 9).as_bytes(), b"a");
        assert_eq!(text(&[0x80; 9], 4).as_bytes(), b"");
    }

    #[test]
    fn every_number_has_room() {
        for number in [0, -1, i32::MIN, i32::MAX] {
            assert_eq!(Digits::of(number).decimal().value(), number);
        }
    }
}

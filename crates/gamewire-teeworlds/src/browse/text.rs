//! Fields of an answer, cut to the limits of the games.

use gamewire_wire::{Result, Writer};

use crate::model::info::{ClientEntry, ServerInfo};
use crate::shared::data::Decimal;
use crate::shared::pack::{Sanitize, Text, cut};

/// Maximum lengths of texts in bytes, as in the games.
pub(super) const MAX_VERSION: usize = 32;
pub(super) const MAX_NAME: usize = 64;
pub(super) const MAX_EXTENDED_NAME: usize = 256;
pub(super) const MAX_HOSTNAME: usize = 128;
pub(super) const MAX_MAP: usize = 32;
pub(super) const MAX_GAME_TYPE: usize = 16;
const MAX_CLIENT_NAME: usize = 15;
const MAX_CLAN: usize = 11;

/// Maximum length of a client in any format, in bytes: two texts and three numbers with their zero bytes.
const MAX_CLIENT: usize = 64;

/// Returns the start of `bytes`: at most `limit` bytes, without a zero byte and without a part of a character.
pub(super) fn text(bytes: &[u8], limit: usize) -> Text<'_> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    Text::received(cut(bytes.get(..end).unwrap_or_default(), limit), Sanitize::Strict)
}

/// Returns the name of a client.
pub(super) fn client_name(client: &ClientEntry) -> Text<'_> {
    text(client.name.as_bytes(), MAX_CLIENT_NAME)
}

/// Returns the clan of a client.
pub(super) fn clan(client: &ClientEntry) -> Text<'_> {
    text(client.clan.as_bytes(), MAX_CLAN)
}

/// Returns numbers in decimal digits.
pub(super) fn digits<const N: usize>(numbers: [i32; N]) -> [String; N] {
    numbers.map(|number| number.to_string())
}

/// Returns the digits of a number as a field.
pub(super) fn decimal(digits: &str) -> Decimal<'_> {
    Decimal(Text::new(digits))
}

/// Returns the name of a server with its number of clients, for an answer that cannot list all of them.
pub(super) fn name_with_counts(info: &ServerInfo) -> Vec<u8> {
    let count = usize::try_from(info.num_clients).unwrap_or(0).max(info.clients.len());
    let max = usize::try_from(info.max_clients).unwrap_or(0).max(count);
    let counts = format!(" [{count}/{max}]");
    let name = text(info.name.as_bytes(), MAX_NAME.saturating_sub(counts.len()));
    [name.as_bytes(), counts.as_bytes()].concat()
}

/// The counts of players and clients in an answer. They are not negative and not above the limit of the version. There
/// are not more players than clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClampedCounts {
    pub(super) num_players: i32,
    pub(super) max_players: i32,
    pub(super) num_clients: i32,
    pub(super) max_clients: i32,
}

impl ClampedCounts {
    /// Returns the counts of `info` for an answer with `clients` clients, in a version that allows at most `limit`.
    pub(super) fn new(info: &ServerInfo, clients: usize, limit: i32) -> Self {
        let num_clients = i32::try_from(clients).unwrap_or(limit).min(limit);
        let max_clients = info.max_clients.clamp(num_clients, limit);
        let num_players = info.num_players.clamp(0, num_clients);
        let max_players = info.max_players.clamp(num_players, max_clients);
        Self { num_players, max_players, num_clients, max_clients }
    }

    /// Returns the counts in their order on the wire, in decimal digits.
    pub(super) fn digits(self) -> [String; 4] {
        digits([self.num_players, self.max_players, self.num_clients, self.max_clients])
    }
}

/// Writes a client completely or not at all.
pub(super) fn write_client(
    to: &mut Writer<'_>,
    write: impl FnOnce(&mut Writer<'_>) -> Result<()>,
) -> Result<()> {
    let mut buffer = [0; MAX_CLIENT];
    let mut whole = Writer::new(&mut buffer);
    write(&mut whole)?;
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
}

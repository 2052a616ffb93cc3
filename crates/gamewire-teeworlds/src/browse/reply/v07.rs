//! The answer of 0.7.

use gamewire_wire::{CodecError, Writer};

use super::super::decode::{BOT, PASSWORD, SPECTATOR, TIME_SCORE};
use super::super::packet::encode_message;
use super::text::{self, ClampedCounts, ServerName, text};
use crate::session::info::{ClientEntry, ServerInfo};
use crate::shared::connless::Client07;
use crate::shared::data::List;
use crate::v07::wire::connless::{Connless, Info};
use crate::v07::wire::packet::{ConnlessHeader, write_connless};

/// Maximum number of clients that 0.7 supports.
const MAX_CLIENTS: usize = 64;
/// The default skill level.
const NORMAL: i32 = 1;

/// Writes the answer with as many clients as fit.
pub(super) fn write<'b>(
    info: &ServerInfo,
    header: &ConnlessHeader,
    info_token: i32,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let mut listed = info.clients.len().min(MAX_CLIENTS);
    let length = loop {
        let mut to = Writer::new(buffer);
        // The counts are before the list. Clients that do not fit are left out of both.
        match try_write(info, header, info_token, listed, &mut to).ok()? {
            WriteOutcome::All => break to.len(),
            WriteOutcome::Only(fewer) => listed = fewer,
        }
    };
    buffer.get(..length)
}

enum WriteOutcome {
    All,
    /// Only this many clients fit.
    Only(usize),
}

fn try_write(
    info: &ServerInfo,
    header: &ConnlessHeader,
    token: i32,
    listed: usize,
    to: &mut Writer<'_>,
) -> Result<WriteOutcome, CodecError> {
    let counts = ClampedCounts::new(info, listed, 64);
    let name = ServerName::with_counts(info);
    let is_whole = listed == info.clients.len();
    let flag = |is_set: bool, flag: i32| if is_set { flag } else { 0 };
    let answer = Info {
        token,
        version: text(&info.version, text::VERSION),
        name: if is_whole { text(&info.name, text::NAME) } else { name.text() },
        hostname: text(&info.hostname, text::HOSTNAME),
        map: text(&info.map, text::MAP),
        game_type: text(&info.game_type, text::GAME_TYPE),
        flags: flag(info.password, PASSWORD) | flag(info.scores_are_times, TIME_SCORE),
        skill_level: info.skill_level.unwrap_or(NORMAL).clamp(0, 2),
        num_players: counts.num_players,
        max_players: counts.max_players,
        num_clients: counts.num_clients,
        max_clients: counts.max_clients,
        clients: List::new(&[]),
    };
    write_connless(header, to)?;
    encode_message(&Connless::from(answer), to)?;
    for (written, client) in info.clients.iter().take(listed).enumerate() {
        if write_client(client, to).is_err() {
            return Ok(WriteOutcome::Only(written));
        }
    }
    Ok(WriteOutcome::All)
}

fn write_client(client: &ClientEntry, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let flag = |is_set: bool, flag: i32| if is_set { flag } else { 0 };
    let client = Client07 {
        name: text::client_name(client),
        clan: text::clan(client),
        country: client.country,
        score: client.score,
        is_player: flag(!client.is_player, SPECTATOR) | flag(client.is_bot, BOT),
    };
    text::write_client(&client, to)
}

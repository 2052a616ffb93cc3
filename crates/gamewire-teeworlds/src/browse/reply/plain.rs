//! The answer of 0.6.

use gamewire_wire::{CodecError, Writer};

use super::super::decode::PASSWORD;
use super::super::packet::encode_message;
use super::text::{self, ClampedCounts, Digits, ServerName, text};
use crate::session::info::{ClientEntry, ServerInfo};
use crate::shared::connless::Client06;
use crate::shared::data::List;
use crate::v06::wire::connless::{Connless, Info};
use crate::v06::wire::packet::{ConnlessHeader, write_connless};

/// Maximum number of clients that 0.6 supports.
const MAX_CLIENTS: usize = 16;

pub(super) fn write(info: &ServerInfo, token: u8, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let all = info.clients.len();
    let is_full = usize::try_from(info.max_clients).is_ok_and(|max| all >= max);
    // A client does not try to join a server with 16 of 16 clients.
    let listed =
        if all < MAX_CLIENTS || is_full { all.min(MAX_CLIENTS) } else { MAX_CLIENTS.saturating_sub(1) };
    let counts = ClampedCounts::new(info, listed, 16);
    let numbers = [counts.num_players, counts.max_players, counts.num_clients, counts.max_clients];
    let [num_players, max_players, num_clients, max_clients] = numbers.map(Digits::new);
    let (token, flags) = (Digits::new(token.into()), Digits::new(if info.password { PASSWORD } else { 0 }));
    let name = ServerName::with_counts(info);
    let is_small = usize::try_from(info.max_clients).unwrap_or(0).max(all) <= MAX_CLIENTS;

    write_connless(&ConnlessHeader::Plain([0xff; 6]), to)?;
    let answer = Info {
        token: token.decimal(),
        version: text(&info.version, text::VERSION),
        name: if is_small { text(&info.name, text::NAME) } else { name.text() },
        map: text(&info.map, text::MAP),
        game_type: text(&info.game_type, text::GAME_TYPE),
        flags: flags.decimal(),
        num_players: num_players.decimal(),
        max_players: max_players.decimal(),
        num_clients: num_clients.decimal(),
        max_clients: max_clients.decimal(),
        clients: List::new(&[]),
    };
    encode_message(&Connless::from(answer), to)?;
    info.clients.iter().take(listed).try_for_each(|client| write_client(client, to))
}

fn write_client(client: &ClientEntry, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let [country, score, is_player] =
        [client.country, client.score, client.is_player.into()].map(Digits::new);
    let client = Client06 {
        name: text::client_name(client),
        clan: text::clan(client),
        country: country.decimal(),
        score: score.decimal(),
        is_player: is_player.decimal(),
    };
    text::write_client(&client, to)
}

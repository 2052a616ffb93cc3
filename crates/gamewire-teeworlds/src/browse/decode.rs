//! Conversion of the answers of all formats to [`ServerInfo`].

use crate::model::info::{ClientEntry, MAX_CLIENTS, MapFile, ServerInfo};
use crate::shared::connless::{Client07, ExtendedClient};
use crate::shared::data::List;
use crate::{v06, v07};

/// The flag of a server that needs a password.
pub(super) const PASSWORD: i32 = 1;
/// The flag of a server that uses times as scores (0.7).
pub(super) const TIME_SCORE: i32 = 2;
/// The flags of a client on a server of 0.7.
pub(super) const SPECTATOR: i32 = 1;
pub(super) const BOT: i32 = 2;

/// Converts the fields that both formats of 0.6 have.
macro_rules! info_06 {
    ($info:expr, $($field:ident: $value:expr),+) => {
        ServerInfo {
            version: $info.version.into(),
            name: $info.name.into(),
            map: $info.map.into(),
            game_type: $info.game_type.into(),
            password: $info.flags.value() & PASSWORD != 0,
            num_players: $info.num_players.value(),
            max_players: $info.max_players.value(),
            num_clients: $info.num_clients.value(),
            max_clients: $info.max_clients.value(),
            $($field: $value,)+
            ..ServerInfo::default()
        }
    };
}

/// Converts a client of 0.6, which has these fields in both formats.
macro_rules! client_06 {
    ($client:expr) => {
        ClientEntry {
            name: $client.name.into(),
            clan: $client.clan.into(),
            country: $client.country.value(),
            score: $client.score.value(),
            is_player: $client.is_player.value() != 0,
            is_bot: false,
        }
    };
}

/// Converts an answer in plain 0.6.
pub(super) fn plain(info: &v06::connless::Info<'_>) -> ServerInfo {
    let clients = info.clients.iter().take(MAX_CLIENTS).map(|client| client_06!(client));
    info_06!(info, clients: clients.collect())
}

/// Converts the first datagram of the extended format.
pub(super) fn extended(info: &v06::connless::InfoExtended<'_>) -> ServerInfo {
    let file = MapFile { crc: info.map_crc.value().cast_unsigned(), size: info.map_size.value() };
    info_06!(info, map_file: Some(file), clients: extended_clients(&info.clients))
}

/// Converts the clients of a datagram of the extended format.
pub(super) fn extended_clients(clients: &List<'_, ExtendedClient<'_>>) -> Vec<ClientEntry> {
    clients.iter().take(MAX_CLIENTS).map(|client| client_06!(client)).collect()
}

/// Converts an answer in 0.7.
pub(super) fn v07(info: &v07::connless::Info<'_>) -> ServerInfo {
    ServerInfo {
        version: info.version.into(),
        name: info.name.into(),
        hostname: info.hostname.into(),
        map: info.map.into(),
        map_file: None,
        game_type: info.game_type.into(),
        password: info.flags & PASSWORD != 0,
        scores_are_times: info.flags & TIME_SCORE != 0,
        skill_level: Some(info.skill_level),
        num_players: info.num_players,
        max_players: info.max_players,
        num_clients: info.num_clients,
        max_clients: info.max_clients,
        clients: info.clients.iter().take(MAX_CLIENTS).map(|client| client_07(&client)).collect(),
    }
}

fn client_07(client: &Client07<'_>) -> ClientEntry {
    ClientEntry {
        name: client.name.into(),
        clan: client.clan.into(),
        country: client.country,
        score: client.score,
        is_player: client.is_player & SPECTATOR == 0,
        is_bot: client.is_player & BOT != 0,
    }
}

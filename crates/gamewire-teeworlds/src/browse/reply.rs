//! Answers of a server to server info requests.

use gamewire_wire::{Result, Writer};

use super::InfoRequest;
use super::decode::{BOT, PASSWORD, SPECTATOR, TIME_SCORE};
use super::packet::encode_message;
use super::text::{self, ClampedCounts, decimal, digits, name_with_counts, text};
use crate::model::info::{ClientEntry, MAX_CLIENTS, ServerInfo};
use crate::shared::connless::{Client06, Client07};
use crate::shared::data::List;
use crate::shared::field::Field;
use crate::shared::pack::{Text, cut};
use crate::shared::packet::MAX_DATAGRAM;
use crate::v06::packet::{ConnlessHeader, write_connless as write_connless_06};
use crate::{v06, v07};

const HEADER_06: ConnlessHeader = ConnlessHeader::Plain([0xff; 6]);

/// Answers a server info request. Passes each datagram of the answer to `send`.
///
/// Texts are cut to the maximum lengths of the games. In 0.6 (16 clients) and 0.7 (one datagram), the list of clients
/// is cut as well, and the counts are reduced to match the list, because the games ignore an answer if they differ. In
/// this case the name ends with the true counts, as in `[20/64]`. In 0.6 the name also ends with them if more than 16
/// clients may connect. Only the extended format has several datagrams, at most 64.
///
/// An answer is longer than its request, and only 0.7 verifies the address of the sender. For an address that may be
/// forged, use [`short_reply`]. The caller must limit the rate of answers.
pub fn reply(info: &ServerInfo, request: &InfoRequest, mut send: impl FnMut(&[u8])) {
    let mut buffer = [0; MAX_DATAGRAM];
    match *request {
        InfoRequest::Plain { token } => {
            let mut to = Writer::new(&mut buffer);
            if write_plain(info, token, &mut to).is_ok() {
                send(to.written());
            }
        }
        InfoRequest::Extended { token } => send_extended(info, token, &mut buffer, send),
        InfoRequest::V07 { answer: header, token } => {
            if let Some(answer) = write_07(info, &header, token, &mut buffer) {
                send(answer);
            }
        }
    }
}

/// Maximum length of the answer of [`short_reply`] to a request of 0.6, in bytes: five times the shortest request.
pub const MAX_SHORT_REPLY: usize = 75;

/// Length of the part of a version that the games' browsers compare, in bytes. They hide servers with another value in
/// this part.
const COMPARED_VERSION: usize = 3;

/// Answers a server info request from an address that may be forged. Passes one datagram to `send`.
///
/// In 0.6 the datagram has at most [`MAX_SHORT_REPLY`] bytes. It contains what the games' browsers need to list the
/// server: the compared part of the version, the counts, and as much of the name as fits. It contains the game type and
/// the map only if they fit, and never the clients. A request of 0.7 has a token that proves its address, so it gets
/// the answer of [`reply`].
pub fn short_reply(info: &ServerInfo, request: &InfoRequest, send: impl FnMut(&[u8])) {
    if matches!(request, InfoRequest::V07 { .. }) {
        return reply(info, request, send);
    }
    let mut short = ServerInfo {
        version: cut(info.version.as_bytes(), COMPARED_VERSION).into(),
        password: info.password,
        num_players: info.num_players,
        max_players: info.max_players,
        num_clients: info.num_clients,
        max_clients: info.max_clients,
        ..ServerInfo::default()
    };
    let mut used = 0;
    reply(&short, request, |answer| used = answer.len());
    let mut left = MAX_SHORT_REPLY.saturating_sub(used);
    let mut fits = |bytes: &[u8]| {
        let rest = left.checked_sub(bytes.len());
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let name = cut(info.name.as_bytes(), MAX_SHORT_REPLY.saturating_sub(used));
    for (to, bytes) in [
        (&mut short.name, name),
        (&mut short.game_type, info.game_type.as_bytes()),
        (&mut short.map, info.map.as_bytes()),
    ] {
        if fits(bytes) {
            *to = bytes.into();
        }
    }
    reply(&short, request, send);
}

/// Maximum number of clients that 0.6 supports.
const MAX_CLIENTS_06: usize = 16;

fn write_plain(info: &ServerInfo, token: u8, to: &mut Writer<'_>) -> Result<()> {
    let all = info.clients.len();
    let is_full = usize::try_from(info.max_clients).is_ok_and(|max| all >= max);
    // List at most 15 clients while there is a free slot: a client does not try to join a server with 16 of 16 clients.
    let listed = if all < MAX_CLIENTS_06 || is_full {
        all.min(MAX_CLIENTS_06)
    } else {
        MAX_CLIENTS_06.saturating_sub(1)
    };
    let [num_players, max_players, num_clients, max_clients] = ClampedCounts::new(info, listed, 16).digits();
    let [token, flags] = digits([token.into(), flag(info.password, PASSWORD)]);
    let most = usize::try_from(info.max_clients).unwrap_or(0).max(all);
    let is_whole = i32::try_from(listed).is_ok_and(|listed| listed >= info.num_clients);
    let is_small = is_whole && most <= MAX_CLIENTS_06;
    let name = if is_small { info.name.as_bytes().to_vec() } else { name_with_counts(info) };

    write_connless_06(&HEADER_06, to)?;
    let answer = v06::connless::Info {
        token: decimal(&token),
        version: text(info.version.as_bytes(), text::MAX_VERSION),
        name: text(&name, text::MAX_NAME),
        map: text(info.map.as_bytes(), text::MAX_MAP),
        game_type: text(info.game_type.as_bytes(), text::MAX_GAME_TYPE),
        flags: decimal(&flags),
        num_players: decimal(&num_players),
        max_players: decimal(&max_players),
        num_clients: decimal(&num_clients),
        max_clients: decimal(&max_clients),
        clients: List::new(&[]),
    };
    encode_message(&v06::connless::Connless::from(answer), to)?;
    info.clients.iter().take(listed).try_for_each(|client| write_client_06(client, false, to))
}

/// The numbers that DDNet gives to the datagrams after the first one.
const MORE: core::ops::Range<i32> = 1..64;

fn send_extended(info: &ServerInfo, token: u32, buffer: &mut [u8], mut send: impl FnMut(&[u8])) {
    let token = (token & 0x00ff_ffff).to_string();
    let mut left = info.clients.get(..MAX_CLIENTS).unwrap_or(&info.clients);

    let mut to = Writer::new(buffer);
    if write_first(info, &token, &mut to).is_err() {
        return;
    }
    left = fill(left, &mut to);
    send(to.written());
    for number in MORE {
        if left.is_empty() {
            return;
        }
        let mut to = Writer::new(buffer);
        if write_more(number, &token, &mut to).is_err() {
            return;
        }
        left = fill(left, &mut to);
        send(to.written());
    }
}

/// Writes the part of the first datagram before the clients.
fn write_first(info: &ServerInfo, token: &str, to: &mut Writer<'_>) -> Result<()> {
    let total = usize::try_from(info.num_clients).unwrap_or(0).max(info.clients.len());
    let [num_players, max_players, num_clients, max_clients] = ClampedCounts::new(info, total, 128).digits();
    let (crc, size) = info.map_file.map_or((0, 0), |file| (file.crc.cast_signed(), file.size));
    let [crc, size, flags] = digits([crc, size, flag(info.password, PASSWORD)]);
    let answer = v06::connless::InfoExtended {
        token: decimal(token),
        version: text(info.version.as_bytes(), text::MAX_VERSION),
        name: text(info.name.as_bytes(), text::MAX_EXTENDED_NAME),
        map: text(info.map.as_bytes(), text::MAX_MAP),
        map_crc: decimal(&crc),
        map_size: decimal(&size),
        game_type: text(info.game_type.as_bytes(), text::MAX_GAME_TYPE),
        flags: decimal(&flags),
        num_players: decimal(&num_players),
        max_players: decimal(&max_players),
        num_clients: decimal(&num_clients),
        max_clients: decimal(&max_clients),
        reserved: Text::default(),
        clients: List::new(&[]),
    };
    write_connless_06(&HEADER_06, to)?;
    encode_message(&v06::connless::Connless::from(answer), to)
}

/// Writes the part of another datagram before the clients.
fn write_more(number: i32, token: &str, to: &mut Writer<'_>) -> Result<()> {
    let number = number.to_string();
    let answer = v06::connless::InfoExtendedMore {
        token: decimal(token),
        packet_no: decimal(&number),
        reserved: Text::default(),
        clients: List::new(&[]),
    };
    write_connless_06(&HEADER_06, to)?;
    encode_message(&v06::connless::Connless::from(answer), to)
}

/// Appends as many clients as fit and returns the others.
fn fill<'c>(mut clients: &'c [ClientEntry], to: &mut Writer<'_>) -> &'c [ClientEntry] {
    while let Some((client, rest)) = clients.split_first() {
        if write_client_06(client, true, to).is_err() {
            break;
        }
        clients = rest;
    }
    clients
}

/// Writes a client of 0.6. In the extended format it ends with an empty text, which is reserved for extensions.
fn write_client_06(client: &ClientEntry, is_extended: bool, to: &mut Writer<'_>) -> Result<()> {
    let [country, score, is_player] = digits([client.country, client.score, client.is_player.into()]);
    let client = Client06 {
        name: text::client_name(client),
        clan: text::clan(client),
        country: decimal(&country),
        score: decimal(&score),
        is_player: decimal(&is_player),
    };
    text::write_client(to, |to| {
        client.write(to)?;
        if is_extended { Text::default().write(to) } else { Ok(()) }
    })
}

/// Maximum number of clients that 0.7 supports.
const MAX_CLIENTS_07: usize = 64;
/// The default skill level.
const NORMAL: i32 = 1;

/// Writes the answer with as many clients as fit.
fn write_07<'b>(
    info: &ServerInfo,
    header: &v07::packet::ConnlessHeader,
    info_token: i32,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let mut listed = info.clients.len().min(MAX_CLIENTS_07);
    let length = loop {
        let mut to = Writer::new(buffer);
        // The counts precede the list. If not all clients fit, write the answer again with smaller counts.
        match try_write_07(info, header, info_token, listed, &mut to).ok()? {
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

fn try_write_07(
    info: &ServerInfo,
    header: &v07::packet::ConnlessHeader,
    token: i32,
    listed: usize,
    to: &mut Writer<'_>,
) -> Result<WriteOutcome> {
    let counts = ClampedCounts::new(info, listed, 64);
    let is_whole = listed == info.clients.len();
    let name = if is_whole { info.name.as_bytes().to_vec() } else { name_with_counts(info) };
    let answer = v07::connless::Info {
        token,
        version: text(info.version.as_bytes(), text::MAX_VERSION),
        name: text(&name, text::MAX_NAME),
        hostname: text(info.hostname.as_bytes(), text::MAX_HOSTNAME),
        map: text(info.map.as_bytes(), text::MAX_MAP),
        game_type: text(info.game_type.as_bytes(), text::MAX_GAME_TYPE),
        flags: flag(info.password, PASSWORD) | flag(info.scores_are_times, TIME_SCORE),
        skill_level: info.skill_level.unwrap_or(NORMAL).clamp(0, 2),
        num_players: counts.num_players,
        max_players: counts.max_players,
        num_clients: counts.num_clients,
        max_clients: counts.max_clients,
        clients: List::new(&[]),
    };
    v07::packet::write_connless(header, to)?;
    encode_message(&v07::connless::Connless::from(answer), to)?;
    for (written, client) in info.clients.iter().take(listed).enumerate() {
        if write_client_07(client, to).is_err() {
            return Ok(WriteOutcome::Only(written));
        }
    }
    Ok(WriteOutcome::All)
}

fn write_client_07(client: &ClientEntry, to: &mut Writer<'_>) -> Result<()> {
    let client = Client07 {
        name: text::client_name(client),
        clan: text::clan(client),
        country: client.country,
        score: client.score,
        is_player: flag(!client.is_player, SPECTATOR) | flag(client.is_bot, BOT),
    };
    text::write_client(to, |to| client.write(to))
}

/// Returns `flag` if it is set, and otherwise 0.
const fn flag(is_set: bool, flag: i32) -> i32 {
    if is_set { flag } else { 0 }
}

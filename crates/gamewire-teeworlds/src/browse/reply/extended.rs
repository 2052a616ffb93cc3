//! The answer in the extended format of DDNet.

use gamewire_wire::{CodecError, Writer};

use super::super::decode::PASSWORD;
use super::super::packet::encode_message;
use super::text::{self, ClampedCounts, Digits, text};
use crate::session::info::{ClientEntry, MAX_CLIENTS, ServerInfo};
use crate::shared::connless::ExtendedClient;
use crate::shared::data::List;
use crate::shared::pack::Text;
use crate::v06::wire::connless::{Connless, InfoExtended, InfoExtendedMore};
use crate::v06::wire::packet::{ConnlessHeader, write_connless};

/// The numbers of the datagrams after the first one in DDNet.
const MORE: core::ops::Range<i32> = 1..64;

pub(super) fn write(info: &ServerInfo, token: u32, buffer: &mut [u8], mut send: impl FnMut(&[u8])) {
    let token = Digits::new((token & 0x00ff_ffff).cast_signed());
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

/// Writes the first datagram without clients.
fn write_first(info: &ServerInfo, token: &Digits, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let total = usize::try_from(info.num_clients).unwrap_or(0).max(info.clients.len());
    let counts = ClampedCounts::new(info, total, 128);
    let numbers = [counts.num_players, counts.max_players, counts.num_clients, counts.max_clients];
    let [num_players, max_players, num_clients, max_clients] = numbers.map(Digits::new);
    let (crc, size) = info.map_file.map_or((0, 0), |file| (file.crc.cast_signed(), file.size));
    let [crc, size, flags] = [crc, size, if info.password { PASSWORD } else { 0 }].map(Digits::new);
    let answer = InfoExtended {
        token: token.decimal(),
        version: text(&info.version, text::VERSION),
        name: text(&info.name, text::EXTENDED_NAME),
        map: text(&info.map, text::MAP),
        map_crc: crc.decimal(),
        map_size: size.decimal(),
        game_type: text(&info.game_type, text::GAME_TYPE),
        flags: flags.decimal(),
        num_players: num_players.decimal(),
        max_players: max_players.decimal(),
        num_clients: num_clients.decimal(),
        max_clients: max_clients.decimal(),
        reserved: Text::default(),
        clients: List::new(&[]),
    };
    write_connless(&ConnlessHeader::Plain([0xff; 6]), to)?;
    encode_message(&Connless::from(answer), to)
}

/// Writes another datagram without clients.
fn write_more(number: i32, token: &Digits, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let number = Digits::new(number);
    let answer = InfoExtendedMore {
        token: token.decimal(),
        packet_no: number.decimal(),
        reserved: Text::default(),
        clients: List::new(&[]),
    };
    write_connless(&ConnlessHeader::Plain([0xff; 6]), to)?;
    encode_message(&Connless::from(answer), to)
}

/// Appends as many clients as fit and returns the others.
fn fill<'c>(mut clients: &'c [ClientEntry], to: &mut Writer<'_>) -> &'c [ClientEntry] {
    while let Some((client, rest)) = clients.split_first() {
        if write_client(client, to).is_err() {
            break;
        }
        clients = rest;
    }
    clients
}

fn write_client(client: &ClientEntry, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let [country, score, is_player] =
        [client.country, client.score, client.is_player.into()].map(Digits::new);
    let client = ExtendedClient {
        name: text::client_name(client),
        clan: text::clan(client),
        country: country.decimal(),
        score: score.decimal(),
        is_player: is_player.decimal(),
        reserved: Text::default(),
    };
    text::write_client(&client, to)
}

//! The answers of DDNet's extended form.

use gamewire_wire::{CodecError, Writer};

use super::super::packet::write_message;
use super::super::read::PASSWORD;
use super::counts::ClampedCounts;
use super::text::{self, Digits, text};
use crate::session::info::{ClientEntry, MAX_CLIENTS, ServerInfo};
use crate::shared::connless::ExtendedClient;
use crate::shared::data::List;
use crate::shared::pack::Text;
use crate::v06::wire::connless::{Connless, InfoExtended, InfoExtendedMore};
use crate::v06::wire::packet::{ConnlessHeader, write_connless};

/// DDNet numbers its further answers from 1 to 63.
const FURTHER: core::ops::Range<i32> = 1..64;

pub(super) fn write(info: &ServerInfo, token: u32, buffer: &mut [u8], mut send: impl FnMut(&[u8])) {
    let token = Digits::of((token & 0x00ff_ffff).cast_signed());
    let mut left = info.clients.get(..MAX_CLIENTS).unwrap_or(&info.clients);

    let mut to = Writer::new(buffer);
    if first(info, &token, &mut to).is_err() {
        return;
    }
    left = fill(left, &mut to);
    send(to.written());
    for number in FURTHER {
        if left.is_empty() {
            return;
        }
        let mut to = Writer::new(buffer);
        if further(number, &token, &mut to).is_err() {
            return;
        }
        left = fill(left, &mut to);
        send(to.written());
    }
}

/// The first answer, without clients.
fn first(info: &ServerInfo, token: &Digits, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let told = usize::try_from(info.num_clients).unwrap_or(0).max(info.clients.len());
    let counts = ClampedCounts::of(info, told, 128);
    let numbers = [counts.num_players, counts.max_players, counts.num_clients, counts.max_clients];
    let [num_players, max_players, num_clients, max_clients] = numbers.map(Digits::of);
    let (crc, size) = info.map_file.map_or((0, 0), |file| (file.crc.cast_signed(), file.size));
    let [crc, size, flags] = [crc, size, if info.password { PASSWORD } else { 0 }].map(Digits::of);
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
    write_message(&Connless::from(answer), to)
}

/// A further answer, without clients.
fn further(number: i32, token: &Digits, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let number = Digits::of(number);
    let answer = InfoExtendedMore {
        token: token.decimal(),
        packet_no: number.decimal(),
        reserved: Text::default(),
        clients: List::new(&[]),
    };
    write_connless(&ConnlessHeader::Plain([0xff; 6]), to)?;
    write_message(&Connless::from(answer), to)
}

/// Adds as many clients as fit, and returns the others.
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
    let [country, score, is_player] = [client.country, client.score, client.is_player.into()].map(Digits::of);
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

//! A browser and a scripted server.

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine as _, Output, pump};

use crate::browse::{Browser, BrowserConfig, Event, InfoFormat, InfoRequest, reply};
use crate::handshake::InfoQuery;
use crate::handshake::decode::Unconnected;
use crate::link::PacketError;
use crate::model::TextBuf;
use crate::model::info::{ClientEntry, MapFile, ServerInfo};
use crate::shared::control::Padding;
use crate::shared::data::Token;
use crate::shared::packet::Header;
use crate::v07::control::{Control, TokenExchange};
use crate::v07::packet::ConnlessHeader;

pub(super) const SERVER_TOKEN: Token = Token(0x1234_5678);

pub(super) fn address(last: u8) -> SocketAddr {
    SocketAddr::from(([192, 0, 2, last], 8303))
}

pub(super) fn at(milliseconds: u64) -> Instant {
    Instant::from_micros(milliseconds * 1000)
}

pub(super) fn config(formats: &[InfoFormat]) -> BrowserConfig {
    BrowserConfig { formats: formats.to_vec(), ..BrowserConfig::new([7; 32]) }
}

pub(super) fn browser(formats: &[InfoFormat]) -> Browser {
    Browser::new([address(1)], config(formats), Instant::ZERO)
}

/// Returns the datagrams and events of the browser.
pub(super) fn turn(browser: &mut Browser, now: Instant) -> (Vec<(SocketAddr, Vec<u8>)>, Vec<Event>) {
    let (mut sent, mut events) = (Vec::new(), Vec::new());
    let send = |output: Output, data: &[u8]| {
        if let Output::Datagram(transmit) = output {
            sent.push((transmit.to, data.to_vec()));
        }
    };
    let wake = pump(browser, now, &mut Vec::new(), send, |event| events.push(event));
    assert!(wake.is_none_or(|wake| wake.at > now), "{wake:?}");
    (sent, events)
}

/// Returns the datagrams of the browser.
pub(super) fn sent(browser: &mut Browser, now: Instant) -> Vec<Vec<u8>> {
    turn(browser, now).0.into_iter().map(|(_, data)| data).collect()
}

/// Returns the only datagram of the browser.
pub(super) fn question(browser: &mut Browser, now: Instant) -> Vec<u8> {
    let mut all = sent(browser, now);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Returns the answers of a server of every format to a datagram of a browser.
pub(super) fn answers(info: &ServerInfo, datagram: &[u8]) -> Vec<Vec<u8>> {
    if let Some(token) = asked_token(datagram) {
        return vec![token_reply(token, SERVER_TOKEN)];
    }
    let request = request(datagram).unwrap();
    if let InfoRequest::V07 { answer, .. } = request {
        assert_eq!(answer.response_token, SERVER_TOKEN);
    }
    let mut all = Vec::new();
    reply(info, &request, |answer| all.push(answer.to_vec()));
    all
}

/// Decodes the request in a datagram without a check of tokens.
pub(super) fn request(datagram: &[u8]) -> Result<InfoRequest, PacketError> {
    match Unconnected::decode(datagram)? {
        Unconnected::Browse06(header, payload) => InfoRequest::decode(&InfoQuery::V06 { header, payload }),
        Unconnected::Browse07(ConnlessHeader { token, response_token }, payload) => {
            let answer = ConnlessHeader { token: response_token, response_token: token };
            InfoRequest::decode(&InfoQuery::V07 { answer, payload })
        }
        _ => Err(PacketError::Unexpected("a packet of a connection")),
    }
}

/// Returns the browser's token in a token request of 0.7.
pub(super) fn asked_token(datagram: &[u8]) -> Option<Token> {
    let body = datagram.strip_prefix(&[4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5])?;
    body.first_chunk().map(|token| Token(u32::from_be_bytes(*token)))
}

/// Returns the answer of a server of 0.7 with the token `theirs`.
pub(super) fn token_reply(ours: Token, theirs: Token) -> Vec<u8> {
    let mut buffer = [0; 64];
    let mut to = gamewire_wire::Writer::new(&mut buffer);
    let header = Header { control: true, token: Some(ours), ..Header::default() };
    crate::v07::packet::write(&header, &mut to).unwrap();
    Control::Known(TokenExchange { token: theirs, padding: Padding(&[]) }.into()).encode(&mut to).unwrap();
    to.written().to_vec()
}

/// Exchanges datagrams between the browser and a server at `from` until there are none.
pub(super) fn talk(browser: &mut Browser, from: SocketAddr, info: &ServerInfo, now: Instant) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let (sent, reported) = turn(browser, now);
        events.extend(reported);
        if sent.is_empty() {
            return events;
        }
        for (to, datagram) in sent {
            assert_eq!(to, from);
            for answer in answers(info, &datagram) {
                browser.handle_datagram(now, from, &answer).unwrap();
            }
        }
    }
}

/// Returns the answers among events, which must end with `Finished`.
pub(super) fn infos(mut events: Vec<Event>) -> Vec<(InfoFormat, ServerInfo)> {
    assert_eq!(events.pop(), Some(Event::Finished));
    let info = |event| match event {
        Event::Answer { format, info, .. } => (format, info),
        other => panic!("{other:?}"),
    };
    events.into_iter().map(info).collect()
}

/// Returns a server with `count` clients, every third a spectator.
pub(super) fn server(clients: usize) -> ServerInfo {
    let client = |number: usize| ClientEntry {
        name: format!("player {number}").into(),
        clan: "clan".into(),
        country: 276,
        score: number as i32 - 3,
        is_player: !number.is_multiple_of(3),
        is_bot: false,
    };
    let clients: Vec<_> = (0..clients).map(client).collect();
    ServerInfo {
        version: "0.6.4".into(),
        name: "Spaß ☃ server".into(),
        hostname: TextBuf::default(),
        map: "ctf5".into(),
        map_file: Some(MapFile { crc: 0xf215_9e6e, size: 5805 }),
        game_type: "CTF".into(),
        password: true,
        scores_are_times: false,
        skill_level: None,
        num_players: clients.iter().filter(|client| client.is_player).count() as i32,
        max_players: 128,
        num_clients: clients.len() as i32,
        max_clients: 128,
        clients,
    }
}

/// Fires the timers until the browser is finished, and returns its events.
pub(super) fn wait(browser: &mut Browser) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..1000 {
        let Some(wake) = browser.poll_timeout() else { return events };
        events.extend(turn(browser, wake.at).1);
    }
    panic!("a busy loop: {:?}", browser.poll_timeout());
}

pub(super) const SECOND: Duration = Duration::from_secs(1);

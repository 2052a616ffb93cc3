//! A recorded conversation, and the machines that replay it.

use core::time::Duration;

use gamewire_freeciv::session::client::ClientConfig as FreecivClientConfig;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Server as FreecivServer, ServerConfig as FreecivServerConfig};
use gamewire_machine::{Instant, Machine, Role, Transport};
use gamewire_proxy::replay::freeciv::{FreecivRecording, FreecivReplayPlayer};
use gamewire_proxy::replay::riptide::{RiptideRecording, RiptideReplay, RiptideReplayPlayer};
use gamewire_proxy::replay::teeworlds::{TeeworldsRecording, TeeworldsReplay, TeeworldsReplayPlayer};
use gamewire_proxy::replay::{RecordedConversation, RecordedPacket, ReplayMachine};
use gamewire_riptide::client::{Client as RiptideClient, ClientConfig as RiptideClientConfig};
use gamewire_riptide::server::{Server as RiptideServer, ServerConfig as RiptideServerConfig};
use gamewire_sim::contract::{START, StreamsAsDatagram};
use gamewire_teeworlds::client::{Client, ClientConfig};
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{LinkConfig, TokenlessPolicy};

use super::peers::{ADDRESS, Peer, Sender};
use super::session::DIALECTS;

/// Maximum number of packets. Further ones are ignored.
const MAX_PACKETS: usize = 64;
/// Speed of a replay, so that little time of the sessions is simulated.
const SPEED: f64 = 16.0;
/// Maximum time of a replay.
const MAX_TIME: Duration = Duration::from_millis(1_500);
/// Maximum number of timers of a replay that fire.
const MAX_WAKES: usize = 120;
/// Maximum number of datagrams that a replay sends at one time.
const MAX_OUTPUTS: usize = 4_096;

/// The result of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// The conversation cannot be replayed.
    Refused,
    /// A replay sent this many bytes.
    Sent(usize),
}

/// Replays a conversation. Three bits of the first byte select the protocol, bit 3 the side that is played. Each packet
/// is a byte with its sender (bit 7) and the time since the last one, two bytes with its length, and its bytes.
///
/// A replay does not panic, has no timer that is due after its timers fired, and sends a bounded number of datagrams.
pub fn replay(input: &[u8]) -> Played {
    let Some((&start, bytes)) = input.split_first() else { return Played::Refused };
    let side = if start & 8 == 0 { Role::Server } else { Role::Client };
    match start & 7 {
        number @ 0..4 => teeworlds(&conversation(DIALECTS[usize::from(number)].name(), bytes), side),
        4 => riptide(&conversation("riptide-2.0", bytes), side),
        5 | 6 => riptide(&conversation("riptide-2.1", bytes), side),
        _ => freeciv(&conversation("freeciv-3.0", bytes)),
    }
}

/// Returns the input of [`replay`] for packets of a conversation.
pub fn input<'a>(start: u8, packets: impl IntoIterator<Item = &'a RecordedPacket>) -> Vec<u8> {
    let (mut input, mut last) = (vec![start], Duration::ZERO);
    for packet in packets {
        let millis = packet.at.saturating_sub(last).as_millis().min(0x7f) as u8;
        last = packet.at;
        input.push(millis | if packet.sender == Role::Server { 0x80 } else { 0 });
        input.extend((packet.bytes.len() as u16).to_be_bytes());
        input.extend(&packet.bytes);
    }
    input
}

fn conversation(dialect: &'static str, mut bytes: &[u8]) -> RecordedConversation {
    let mut at = Duration::ZERO;
    let packets = core::iter::from_fn(|| {
        let (&[head, high, low], rest) = bytes.split_first_chunk::<3>()?;
        let length = usize::from(u16::from_be_bytes([high, low])).min(rest.len());
        let (packet, rest) = rest.split_at(length);
        bytes = rest;
        at += Duration::from_millis((head & 0x7f).into());
        let sender = if head & 0x80 == 0 { Role::Client } else { Role::Server };
        Some(RecordedPacket { at, sender, bytes: packet.to_vec() })
    });
    let packets = packets.take(MAX_PACKETS).collect();
    RecordedConversation { number: 1, dialect: Some(dialect), transport: Transport::Udp, packets }
}

fn teeworlds(conversation: &RecordedConversation, side: Role) -> Played {
    let Ok(recording) = TeeworldsRecording::new(conversation) else { return Played::Refused };
    let dialect = recording.dialect();
    if side == Role::Server {
        let client = Client::connect(ADDRESS, ClientConfig::new(dialect, "viewer", [2; 32]), START);
        return play(TeeworldsReplay::new(recording, [1; 32], START), client);
    }
    let mut config = ServerConfig::new([2; 32], "a server", Map::new("dm1", vec![7; 100]));
    config.acceptor.tokenless = TokenlessPolicy::Accept(LinkConfig::vanilla(dialect));
    let server = Server::new(config, WalkingGame::default(), START);
    play(TeeworldsReplayPlayer::connect(recording, ADDRESS, None, [1; 32], START), server)
}

fn riptide(conversation: &RecordedConversation, side: Role) -> Played {
    let Ok(recording) = RiptideRecording::new(conversation) else { return Played::Refused };
    if side == Role::Server {
        let config = RiptideClientConfig::new(recording.format());
        let client = RiptideClient::connect(&config, ADDRESS, START).unwrap();
        return play(RiptideReplay::new(recording, START), client);
    }
    let server = RiptideServer::new(RiptideServerConfig::new(2), START);
    match RiptideReplayPlayer::connect(recording, Transport::Udp, ADDRESS, START) {
        Ok(player) => play(player, server),
        // The recorded connect data may be too long.
        Err(_) => Played::Refused,
    }
}

fn freeciv(conversation: &RecordedConversation) -> Played {
    let Ok(recording) = FreecivRecording::new(conversation, None) else { return Played::Refused };
    let config = FreecivClientConfig::of(Definition::default(), recording.name());
    let Ok(player) = FreecivReplayPlayer::connect(recording, config, START) else { return Played::Refused };
    let server = FreecivServer::new(FreecivServerConfig::new(Definition::default()), START).unwrap();
    let mut player = player;
    player.playback_mut().set_speed(SPEED);
    exchange(StreamsAsDatagram::connected(player, START, ADDRESS), StreamsAsDatagram::new(server))
}

fn play(mut subject: impl ReplayMachine, peer: impl Sender) -> Played {
    subject.playback_mut().set_speed(SPEED);
    exchange(subject, peer)
}

/// Runs a replay and its peer.
fn exchange(mut subject: impl Machine, mut peer: impl Sender) -> Played {
    let (mut now, mut sent, mut buffer): (Instant, usize, Vec<u8>) = (START, 0, Vec::new());
    for _ in 0..MAX_WAKES {
        let mut is_busy = true;
        while core::mem::take(&mut is_busy) {
            let mut count = 0;
            while subject.poll_transmit(now, &mut buffer).is_some() {
                count += 1;
                assert!(count <= MAX_OUTPUTS, "too many outputs");
                sent += buffer.len();
                peer.handle(now, &buffer);
                is_busy = true;
            }
            while subject.poll_event().is_some() {}
            while Peer::poll_transmit(&mut peer, now, &mut buffer) {
                let _ = subject.handle_datagram(now, ADDRESS, &buffer);
                is_busy = true;
            }
        }
        let later = now + Duration::from_millis(1);
        let wakes = [subject.poll_timeout().map(|wake| wake.at), Peer::poll_timeout(&peer)];
        let Some(at) = wakes.into_iter().flatten().min().map(|at| at.max(later)) else { break };
        if at > START + MAX_TIME {
            break;
        }
        now = at;
        subject.handle_timeout(now);
        Peer::handle_timeout(&mut peer, now);
        let due = subject.poll_timeout().filter(|wake| wake.at <= now);
        assert!(due.is_none(), "due after it fired: {due:?}");
    }
    Played::Sent(sent)
}

use std::sync::LazyLock;
use std::time::Duration;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_proxy::replay::riptide::{RiptideRecording, RiptideReplay, RiptideReplayPlayer};
use gamewire_proxy::replay::{PlayerEvent, RecordedConversation, ViewerEvent};
use gamewire_riptide::Format;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::server::{Server, ServerConfig};
use gamewire_sim::contract::{Command, Harness, Lifecycle, PEER, SUBJECT, StreamsAsDatagram};

use super::support::{MAX_SENDS, commands, of_player, of_viewer, play_to_the_end, stream_commands};
use crate::contract::support::{check, conversation, samples};

struct Riptide {
    conversation: RecordedConversation,
    recording: RiptideRecording,
}

/// A recorded connection over UDP, and one over TCP.
static RIPTIDE: LazyLock<[Riptide; 2]> = LazyLock::new(|| {
    ["pytide-2.1.0a0-udp.pcapng", "pytide-2.1.0a0-tcp.pcapng"].map(|name| {
        let conversation = conversation("riptide", &format!("riptide/captures/{name}"));
        let recording = RiptideRecording::new(&conversation).unwrap();
        Riptide { conversation, recording }
    })
});

/// Memory of all half-open connections of a replayed server of Riptide.
const MAX_HALF_OPEN_BYTES: usize = 256 * 4_096 + 65_536;

/// A replayed server of Riptide.
struct RiptideServer;

impl Harness for RiptideServer {
    type Machine = RiptideReplay;
    type Peer = Client;

    const MAX_UNVERIFIED_BYTES: usize = MAX_HALF_OPEN_BYTES;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENDS;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(20));

    fn make(_: u64, now: Instant) -> RiptideReplay {
        RiptideReplay::new(RIPTIDE[0].recording.clone(), now)
    }

    fn peer(number: u64, now: Instant) -> Option<Client> {
        let format = if number % 8 == 7 { Format::V20 } else { Format::V21 };
        let config = ClientConfig::new(format);
        Some(Client::connect(&config, SUBJECT, now).unwrap())
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        samples(&RIPTIDE[0].conversation, Role::Client)
    }

    fn commands() -> &'static [Command<RiptideReplay>] {
        commands()
    }

    fn held_bytes(replay: &RiptideReplay) -> usize {
        replay.held_bytes()
    }

    fn lifecycle(event: &ViewerEvent) -> Lifecycle {
        of_viewer(event)
    }
}

/// A replayed server of Riptide over streams.
struct RiptideStreams;

impl Harness for RiptideStreams {
    type Machine = StreamsAsDatagram<RiptideReplay>;
    type Peer = StreamsAsDatagram<Client>;

    const MAX_UNVERIFIED_BYTES: usize = MAX_HALF_OPEN_BYTES;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENDS;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(20));

    fn make(number: u64, now: Instant) -> Self::Machine {
        StreamsAsDatagram::new(RiptideServer::make(number, now))
    }

    fn peer(_: u64, now: Instant) -> Option<Self::Peer> {
        let config = ClientConfig::new(Format::V21);
        let client = Client::connect_over_transport(&config, now).unwrap();
        Some(StreamsAsDatagram::connected(client, now, SUBJECT))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        samples(&RIPTIDE[1].conversation, Role::Client)
    }

    fn commands() -> &'static [Command<Self::Machine>] {
        stream_commands()
    }

    fn held_bytes(replay: &Self::Machine) -> usize {
        replay.machine().held_bytes()
    }

    fn lifecycle(event: &ViewerEvent) -> Lifecycle {
        of_viewer(event)
    }
}

/// A replayed client of Riptide.
struct RiptideClient;

impl Harness for RiptideClient {
    type Machine = RiptideReplayPlayer;
    type Peer = Server;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENDS;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(20));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(_: u64, now: Instant) -> RiptideReplayPlayer {
        RiptideReplayPlayer::connect(RIPTIDE[0].recording.clone(), Transport::Udp, PEER, now).unwrap()
    }

    fn peer(_: u64, now: Instant) -> Option<Server> {
        Some(Server::new(ServerConfig::new(8), now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        samples(&RIPTIDE[0].conversation, Role::Server)
    }

    fn commands() -> &'static [Command<RiptideReplayPlayer>] {
        commands()
    }

    fn held_bytes(_: &RiptideReplayPlayer) -> usize {
        0
    }

    fn lifecycle(event: &PlayerEvent) -> Lifecycle {
        of_player(event)
    }
}

#[test]
fn the_recordings_of_the_contract_are_played_to_their_end() {
    play_to_the_end::<RiptideServer>();
    play_to_the_end::<RiptideStreams>();
    play_to_the_end::<RiptideClient>();
}

#[test]
fn a_replayed_server_of_riptide_keeps_the_contract() {
    check::<RiptideServer>(1_000);
}

#[test]
fn a_replayed_server_of_riptide_keeps_the_contract_over_streams() {
    check::<RiptideStreams>(500);
}

#[test]
fn a_replayed_client_of_riptide_keeps_the_contract() {
    check::<RiptideClient>(2_000);
}

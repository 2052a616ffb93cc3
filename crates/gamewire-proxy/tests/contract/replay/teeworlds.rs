use std::sync::LazyLock;
use std::time::Duration;

use gamewire_machine::{Instant, Role};
use gamewire_proxy::replay::teeworlds::{TeeworldsRecording, TeeworldsReplay, TeeworldsReplayPlayer};
use gamewire_proxy::replay::{PlayerEvent, RecordedConversation, ViewerEvent};
use gamewire_sim::contract::{Command, Harness, Lifecycle, PEER, SUBJECT};
use gamewire_teeworlds::client::{Client, ClientConfig};
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{Dialect, LinkConfig, TokenlessPolicy};

use super::support::{MAX_SENDS, commands, of_player, of_viewer, play_to_the_end};
use crate::contract::support::{check, conversation, samples, seed};

struct Teeworlds {
    conversation: RecordedConversation,
    recording: TeeworldsRecording,
}

/// A recorded game of each dialect.
static TEEWORLDS: LazyLock<[Teeworlds; 4]> = LazyLock::new(|| {
    let names =
        ["tw-0.6-ddnet-20.pcap", "tw-0.6.5-tokens.pcap", "tw-0.6-ddnet-tken.pcap", "tw-0.7-two-clients.pcap"];
    names.map(|name| {
        let conversation = conversation("teeworlds", &format!("teeworlds/captures/{name}"));
        let recording = TeeworldsRecording::new(&conversation).unwrap();
        Teeworlds { conversation, recording }
    })
});

/// A replayed server of Teeworlds.
struct TeeworldsServer<const DIALECT: usize>;

impl<const DIALECT: usize> Harness for TeeworldsServer<DIALECT> {
    type Machine = TeeworldsReplay;
    type Peer = Client;

    /// Sixty-four viewers, because plain 0.6 has no token.
    const MAX_UNVERIFIED_BYTES: usize = 64 * 8 * 1024;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENDS;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(110));

    fn make(number: u64, now: Instant) -> TeeworldsReplay {
        TeeworldsReplay::new(TEEWORLDS[DIALECT].recording.clone(), seed(number), now)
    }

    fn peer(number: u64, now: Instant) -> Option<Client> {
        let dialect = TEEWORLDS[DIALECT].recording.dialect();
        Some(Client::connect(SUBJECT, ClientConfig::new(dialect, "viewer", seed(number)), now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        samples(&TEEWORLDS[DIALECT].conversation, Role::Client)
    }

    fn commands() -> &'static [Command<TeeworldsReplay>] {
        commands()
    }

    fn held_bytes(replay: &TeeworldsReplay) -> usize {
        replay.held_bytes()
    }

    fn lifecycle(event: &ViewerEvent) -> Lifecycle {
        of_viewer(event)
    }
}

/// A replayed client of Teeworlds.
struct TeeworldsClient<const DIALECT: usize>;

impl<const DIALECT: usize> Harness for TeeworldsClient<DIALECT> {
    type Machine = TeeworldsReplayPlayer;
    type Peer = Server<WalkingGame>;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENDS;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(110));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(number: u64, now: Instant) -> TeeworldsReplayPlayer {
        let recording = TEEWORLDS[DIALECT].recording.clone();
        TeeworldsReplayPlayer::connect(recording, PEER, None, seed(number), now)
    }

    fn peer(number: u64, now: Instant) -> Option<Server<WalkingGame>> {
        let mut config = ServerConfig::new(seed(number), "a server", Map::new("dm1", vec![7; 2_000]));
        config.acceptor.tokenless = TokenlessPolicy::Accept(LinkConfig::of_games(Dialect::V06));
        Some(Server::new(config, WalkingGame::default(), now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        samples(&TEEWORLDS[DIALECT].conversation, Role::Server)
    }

    fn commands() -> &'static [Command<TeeworldsReplayPlayer>] {
        commands()
    }

    fn held_bytes(_: &TeeworldsReplayPlayer) -> usize {
        0
    }

    fn lifecycle(event: &PlayerEvent) -> Lifecycle {
        of_player(event)
    }
}

#[test]
fn the_recordings_of_the_contract_are_played_to_their_end() {
    play_to_the_end::<TeeworldsServer<0>>();
    play_to_the_end::<TeeworldsServer<1>>();
    play_to_the_end::<TeeworldsServer<2>>();
    play_to_the_end::<TeeworldsServer<3>>();
    play_to_the_end::<TeeworldsClient<0>>();
    play_to_the_end::<TeeworldsClient<1>>();
    play_to_the_end::<TeeworldsClient<2>>();
    play_to_the_end::<TeeworldsClient<3>>();
}

#[test]
fn a_replayed_server_of_0_6_keeps_the_contract() {
    check::<TeeworldsServer<0>>(50);
}

#[test]
fn a_replayed_server_of_0_6_5_keeps_the_contract() {
    check::<TeeworldsServer<1>>(50);
}

#[test]
fn a_replayed_server_of_ddnet_keeps_the_contract() {
    check::<TeeworldsServer<2>>(50);
}

#[test]
fn a_replayed_server_of_0_7_keeps_the_contract() {
    check::<TeeworldsServer<3>>(50);
}

#[test]
fn a_replayed_client_of_0_6_keeps_the_contract() {
    check::<TeeworldsClient<0>>(150);
}

#[test]
fn a_replayed_client_of_0_6_5_keeps_the_contract() {
    check::<TeeworldsClient<1>>(150);
}

#[test]
fn a_replayed_client_of_ddnet_keeps_the_contract() {
    check::<TeeworldsClient<2>>(150);
}

#[test]
fn a_replayed_client_of_0_7_keeps_the_contract() {
    check::<TeeworldsClient<3>>(150);
}

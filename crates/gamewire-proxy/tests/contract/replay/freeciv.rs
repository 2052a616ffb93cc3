use std::net::SocketAddr;
use std::sync::LazyLock;
use std::time::Duration;

use gamewire_freeciv::session::client::ClientConfig;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Event, Server, ServerConfig};
use gamewire_machine::{Instant, Machine, Role, Transmit, Wake};
use gamewire_proxy::replay::freeciv::{FreecivRecording, FreecivReplayPlayer};
use gamewire_proxy::replay::{PlayerEvent, RecordedConversation};
use gamewire_sim::contract::{Command, Harness, Lifecycle, NoSuchStream, PEER, StreamsAsDatagram};

use super::support::{MAX_SENDS, of_player, play_to_the_end, stream_commands};
use crate::contract::support::{check, conversation, samples};

struct Freeciv {
    conversation: RecordedConversation,
    recording: FreecivRecording,
}

static FREECIV: LazyLock<Freeciv> = LazyLock::new(|| {
    let conversation = conversation("freeciv", "freeciv/captures/game.pcap");
    let recording = FreecivRecording::new(&conversation, None).unwrap();
    Freeciv { conversation, recording }
});

/// A server that starts a turn for every packet of a client.
struct TurnServer(StreamsAsDatagram<Server>);

impl Machine for TurnServer {
    type Event = ();
    type DatagramError = NoSuchStream;

    fn handle_timeout(&mut self, now: Instant) {
        self.0.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.0.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<()> {
        None
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoSuchStream> {
        self.0.handle_datagram(now, from, data)?;
        while let Some(event) = self.0.poll_event() {
            let server = self.0.machine_mut();
            if let Event::Joined { client, .. } | Event::Packet { client, .. } = event {
                let _ = server.finish_request(client);
                let _ = server.send_fields(client, "PACKET_BEGIN_TURN", &[]);
                let _ = server.send_fields(client, "PACKET_CHAT_MSG", &[("message", "a turn".into())]);
            }
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.0.poll_transmit(now, buffer)
    }
}

/// A replayed client of Freeciv.
struct FreecivClient;

impl Harness for FreecivClient {
    type Machine = StreamsAsDatagram<FreecivReplayPlayer>;
    type Peer = TurnServer;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENDS;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(301));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(_: u64, now: Instant) -> Self::Machine {
        let config = ClientConfig::of(Definition::default(), FREECIV.recording.name());
        let player = FreecivReplayPlayer::connect(FREECIV.recording.clone(), config, now).unwrap();
        StreamsAsDatagram::connected(player, now, PEER)
    }

    fn peer(_: u64, now: Instant) -> Option<TurnServer> {
        let config = ServerConfig::new(Definition::default());
        Some(TurnServer(StreamsAsDatagram::new(Server::new(config, now).unwrap())))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        let mut samples = samples(&FREECIV.conversation, Role::Server);
        samples.iter_mut().for_each(|sample| sample.truncate(1_000));
        samples
    }

    fn commands() -> &'static [Command<Self::Machine>] {
        stream_commands()
    }

    fn held_bytes(_: &Self::Machine) -> usize {
        0
    }

    fn lifecycle(event: &PlayerEvent) -> Lifecycle {
        of_player(event)
    }
}

#[test]
fn the_recordings_of_the_contract_are_played_to_their_end() {
    play_to_the_end::<FreecivClient>();
}

#[test]
fn a_replayed_client_of_freeciv_keeps_the_contract() {
    check::<FreecivClient>(1_000);
}

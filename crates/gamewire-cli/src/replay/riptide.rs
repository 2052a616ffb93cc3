use std::time::Duration;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_net::Transports;
use gamewire_net::blocking::Driver;
use gamewire_proxy::replay::riptide::{RiptideRecording, RiptideReplay, RiptideReplayPlayer};
use gamewire_riptide::Format;

use super::first_address;
use super::options::Replay;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Value, event};
use crate::record::local_for;
use crate::url::{HostPort, RiptideTransport, Url, UrlProtocol};

/// Timeout for opening a stream to the server.
const CONNECT_TIME: Duration = Duration::from_secs(5);

impl Replay {
    /// Plays the server of a recorded connection of Riptide.
    pub(super) fn serve_riptide(&self, host: &HostPort, transport: Transport) -> Result<ExitStatus, Failure> {
        let recording = self.riptide_recording()?;
        let transports = match transport {
            Transport::Udp => Transports::Udp,
            Transport::Tcp => Transports::Tcp,
        };
        let new = || RiptideReplay::new(recording.clone(), Instant::ZERO);
        self.serve(host, transports, new, |local| {
            event!(
                "listening",
                address: Value::Escaped(local.to_string()),
                port: local.port(),
                dialect: recording.dialect(),
                messages: u64::try_from(recording.messages(Role::Server)).unwrap_or(u64::MAX),
                recorded_ms: u64::try_from(recording.duration().as_millis()).unwrap_or(u64::MAX),
            )
        })
    }

    /// Loads the recorded connection. Without a number, a connection that the server rejected is not replayed.
    fn riptide_recording(&self) -> Result<RiptideRecording, Failure> {
        self.load("riptide", |conversation| match RiptideRecording::new(conversation) {
            Ok(recording) if self.conversation.is_none() && !recording.is_accepted() => {
                let advice = format!("--conversation {} replays that", conversation.number);
                Err(format!("the server rejected the client; {advice}"))
            }
            recording => recording.map_err(|error| error.to_string()),
        })
    }

    /// Plays the client of a recorded connection of Riptide.
    pub(super) fn play_riptide(
        &self,
        host: &HostPort,
        format: Format,
        transport: Transport,
    ) -> Result<ExitStatus, Failure> {
        let recording = self.riptide_recording()?;
        if recording.format() != format {
            let scheme =
                Url::scheme_of(UrlProtocol::Riptide(recording.format(), RiptideTransport::from(transport)));
            let message = format!("the recording is of Riptide {}; use {scheme}://", recording.format());
            return Err(Failure::Usage(message));
        }
        let interrupt = Interrupt::listen()?;
        let server = first_address(host)?;
        let player = RiptideReplayPlayer::connect(recording, transport, server, Instant::ZERO)
            .map_err(|error| Failure::Failed(format!("cannot send the recorded connect data: {error}")))?;
        self.play(player, interrupt, |player, settings| match transport {
            Transport::Udp => Driver::bind_with(local_for(server), player, settings),
            Transport::Tcp => Driver::connect_with(server, CONNECT_TIME, player, settings),
        })
    }
}

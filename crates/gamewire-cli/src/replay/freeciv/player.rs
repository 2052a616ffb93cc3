use std::time::Duration;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_proxy::replay::freeciv::{FreecivRecording, FreecivReplayPlayer};

use crate::compile::definition;
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::client_config;
use crate::interrupt::Interrupt;
use crate::replay::Replay;
use crate::replay::run::first_address;
use crate::url::HostPort;

/// Timeout for opening the stream to the server.
const CONNECT_TIME: Duration = Duration::from_secs(5);

impl Replay {
    /// Plays the client of a recorded game of Freeciv.
    pub(in crate::replay) fn play_freeciv(
        &self,
        host: &HostPort,
        version: Option<ProtocolVersion>,
    ) -> Result<ExitStatus, Failure> {
        let given = self.definition.as_deref();
        let given = given.map(|path| definition(path, self.constants.as_deref())).transpose()?;
        let recording =
            self.load("freeciv", |conversation| FreecivRecording::new(conversation, given.clone()))?;
        let config = match given {
            Some(definition) => ClientConfig::of(definition, recording.name()),
            None => client_config(version, recording.name()),
        };
        let interrupt = Interrupt::listen()?;
        let server = first_address(host)?;
        let player = FreecivReplayPlayer::connect(recording, config, Instant::ZERO)
            .map_err(|error| Failure::Failed(format!("cannot log in as the recorded user: {error}")))?;
        self.play(player, interrupt, |player, settings| {
            Driver::connect_with(server, CONNECT_TIME, player, settings)
        })
    }
}

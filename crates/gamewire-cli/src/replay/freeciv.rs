//! Recordings of Freeciv: their server for every client, or their client for a server.

mod recording;
mod server;

use std::time::Duration;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Server, ServerConfig};
use gamewire_machine::{Instant, Role};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};
use gamewire_proxy::replay::freeciv::{FreecivRecording, FreecivReplayPlayer};

use self::recording::Recording;
use self::server::ReplayServer;
use super::first_address;
use crate::compile::definition;
use crate::controls::Controls;
use crate::driving::open_server;
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::client_config;
use crate::interrupt::Interrupt;
use crate::output::{Output, Value, event};
use crate::page::{ProtocolFiles, shown_on};
use crate::record;
use crate::replay::Replay;
use crate::url::HostPort;

/// Timeout for opening the stream to the server.
const CONNECT_TIME: Duration = Duration::from_secs(5);

impl Replay {
    /// Replays a recorded game of Freeciv to every client: everything up to the first turn immediately, then turn after
    /// turn.
    pub(super) fn serve_freeciv(&self, host: &HostPort) -> Result<ExitStatus, Failure> {
        let given = self.freeciv_definition()?;
        let recording = Recording::load(&self.file, self.conversation, given)?;
        let mut config = ServerConfig::new(recording.definition.clone());
        config.compression = gamewire::freeciv::compression_level();
        let interrupt = Interrupt::listen()?;
        let files = ProtocolFiles {
            definition: self.definition.as_deref(),
            constants: self.constants.as_deref(),
            ..ProtocolFiles::default()
        };
        let page = self.page.open(self.title(), Role::Server, files, Vec::new())?;
        let driver = open_server(host, |local| {
            // The built-in capability string is not too long, so this does not fail.
            let server = Server::new(config.clone(), Instant::ZERO).map_err(std::io::Error::other)?;
            let settings = shown_on(page.as_ref(), DriverConfig::default());
            Driver::listen_with(local, Transports::Tcp, server, settings)
        })?;
        let output = Output::begin_server(self.json, self.quiet);
        let local = driver.local_addr();
        let address = Value::Escaped(local.to_string());
        let (packets, turns) = (recording.packets, recording.turns);
        output.emit(
            &event!("listening", address: address, port: local.port(), packets: packets, turns: turns),
        )?;
        let mut server = ReplayServer::new(driver, &recording, self.turn_time, output);
        Controls::begin(interrupt, self.duration).run(&mut server, &record::Recording::default())?;
        server.end()?;
        Ok(ExitStatus::Success)
    }

    /// Plays the client of a recorded game of Freeciv.
    pub(super) fn play_freeciv(
        &self,
        host: &HostPort,
        version: Option<ProtocolVersion>,
    ) -> Result<ExitStatus, Failure> {
        let given = self.freeciv_definition()?;
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

    /// Returns the definition that the user has named.
    fn freeciv_definition(&self) -> Result<Option<Definition>, Failure> {
        let given = self.definition.as_deref();
        given.map(|path| definition(path, self.constants.as_deref())).transpose()
    }
}

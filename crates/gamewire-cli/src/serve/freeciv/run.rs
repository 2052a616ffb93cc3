use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Server, ServerConfig};
use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};

use super::options::FreecivReplay;
use super::recording::Recording;
use super::server::ReplayServer;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Output, Value, event};
use crate::record;
use crate::serve::options::open;
use crate::session::Controls;

/// The default port of freeciv-server.
const PORT: u16 = 5556;

impl FreecivReplay {
    pub(in crate::serve) fn run(self) -> Result<ExitStatus, Failure> {
        let config = ServerConfig::new(Definition::v30());
        let recording = Recording::load(&self.replay, &config.definition)?;
        let interrupt = Interrupt::listen()?;
        let driver = open(self.bind, PORT, |local| {
            // The built-in capability string is not too long.
            let server = Server::new(config.clone(), Instant::ZERO).map_err(std::io::Error::other)?;
            Driver::listen_with(local, Transports::Tcp, server, DriverConfig::default())
        })?;
        let output = Output::begin(self.json, self.quiet);
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
}

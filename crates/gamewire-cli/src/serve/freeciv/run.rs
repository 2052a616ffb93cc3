use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Server, ServerConfig};
use gamewire_machine::Instant as Moment;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError, Transports};

use super::describe;
use super::options::FreecivReplay;
use super::recording::Recording;
use super::server::ReplayServer;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::Output;

/// The default port of the original server.
const PORT: u16 = 5556;
/// Maximum wait for an event before other work is checked.
const TURN: Duration = Duration::from_millis(20);

impl FreecivReplay {
    pub(in crate::serve) fn run(self) -> Result<ExitStatus, Failure> {
        let config = ServerConfig::new(Definition::v30());
        let recording = Recording::load(&self.replay, &config.definition)?;
        let interrupt = Interrupt::listen()?;
        let driver = self.open(&config)?;
        let output = Output::begin(self.json, self.quiet);
        output.emit(&describe::listening(driver.local_addr(), &recording))?;
        let end = self.duration.and_then(from_now);
        let mut server = ReplayServer::new(driver, &recording, self.turn_time, output);
        while !server.is_over() {
            // On any error, such as a closed pipe, the clients are still disconnected.
            server.turn(TURN).inspect_err(|_: &Failure| server.stop())?;
            if interrupt.is_set() || end.is_some_and(|end| Instant::now() >= end) {
                server.stop();
            }
        }
        server.end()?;
        Ok(ExitStatus::Success)
    }

    fn open(&self, config: &ServerConfig) -> Result<Driver<Server>, Failure> {
        let everywhere_6 = SocketAddr::from((Ipv6Addr::UNSPECIFIED, PORT));
        let everywhere_4 = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT));
        let driver = match self.bind {
            Some(local) => bind(config, local),
            // Not every system has IPv6. If it has, its error is the better one.
            None => bind(config, everywhere_6).or_else(|error| bind(config, everywhere_4).map_err(|_| error)),
        };
        driver.map_err(|error| Failure::Failed(error.to_string()))
    }
}

fn bind(config: &ServerConfig, local: SocketAddr) -> Result<Driver<Server>, OpenError> {
    // The built-in capability string is not too long.
    let server = Server::new(config.clone(), Moment::ZERO).map_err(std::io::Error::other)?;
    Driver::listen_with(local, Transports::Tcp, server, DriverConfig::default())
}

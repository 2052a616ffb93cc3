use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use gamewire_machine::Instant as Moment;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};
use gamewire_riptide::server::{Server, ServerConfig};

use super::describe;
use super::options::{RiptideRelay, Transport};
use super::server::Plan;
use super::server::RelayServer;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::stdin;

/// Maximum wait for an event before other work is checked.
const TURN: Duration = Duration::from_millis(20);

impl RiptideRelay {
    pub(in crate::serve) fn run(self) -> Result<ExitStatus, Failure> {
        if self.transport == Transport::Tcp && self.impair.is_some() {
            return Err(Failure::Usage(
                "--impair is for datagrams only; remove it for --transport tcp".into(),
            ));
        }
        let plan = Plan::of(&self)?;
        let interrupt = Interrupt::listen()?;
        let driver = open(&self)?;
        let output = Output::begin(self.json, self.quiet);
        output.emit(&describe::listening(driver.local_addr(), self.transport.into(), self.max_clients))?;
        let input = stdin::lines();
        let end = self.duration.and_then(from_now);
        let mut server = RelayServer::new(driver, &plan, output);
        let turn = |server: &mut RelayServer<'_>| {
            server.turn(TURN)?;
            input.try_iter().try_for_each(|line| server.line(&line))?;
            if interrupt.is_set() || end.is_some_and(|end| Instant::now() >= end) {
                server.stop();
            }
            Ok(())
        };
        while !server.is_over() {
            // On any error, such as a closed pipe, the clients are still disconnected.
            turn(&mut server).inspect_err(|_: &Failure| server.stop())?;
        }
        server.end()?;
        Ok(ExitStatus::Success)
    }
}

/// The port of the original's examples.
const PORT: u16 = 7777;

/// Opens the sockets of a relay.
pub(super) fn open(options: &RiptideRelay) -> Result<Driver<Server>, Failure> {
    let everywhere_6 = SocketAddr::from((Ipv6Addr::UNSPECIFIED, PORT));
    let everywhere_4 = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT));
    let driver = match options.bind {
        Some(local) => bind(options, local),
        // Not every system has IPv6. If it has, its error is the better one.
        None => bind(options, everywhere_6).or_else(|error| bind(options, everywhere_4).map_err(|_| error)),
    };
    driver.map_err(|error| Failure::Failed(error.to_string()))
}

fn bind(options: &RiptideRelay, local: SocketAddr) -> Result<Driver<Server>, OpenError> {
    let settings = match options.impair {
        Some(impairment) => impairment.apply(DriverConfig::default()),
        None => DriverConfig::default(),
    };
    let server = Server::new(config(options), Moment::ZERO);
    Driver::listen_with(local, options.transport.into(), server, settings)
}

fn config(options: &RiptideRelay) -> ServerConfig {
    let mut config = ServerConfig::new(options.max_clients);
    config.handle_connection = options.require_data.is_some();
    if options.strict { config.hardened() } else { config }
}

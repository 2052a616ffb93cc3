use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use gamewire_machine::Instant as Moment;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};
use gamewire_riptide::server::{Server, ServerConfig};

use super::options::RiptideRelay;
use crate::end::Failure;

/// The port of the original's examples.
const PORT: u16 = 7777;

/// Opens the sockets of a relay.
pub(super) fn open(options: &RiptideRelay) -> Result<Driver<Server>, Failure> {
    let everywhere_6 = SocketAddr::from((Ipv6Addr::UNSPECIFIED, PORT));
    let everywhere_4 = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT));
    let host = match options.bind {
        Some(local) => bind(options, local),
        // Not every system has IPv6. If it has, its error is the better one.
        None => bind(options, everywhere_6).or_else(|error| bind(options, everywhere_4).map_err(|_| error)),
    };
    host.map_err(|error| Failure::Failed(error.to_string()))
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

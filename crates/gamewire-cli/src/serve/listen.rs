//! Opens the sockets of a server.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use gamewire_net::OpenError;

use crate::exit_status::Failure;

/// Opens a server at `bind`, or at `port` of every address.
pub(super) fn open<D>(
    bind: Option<SocketAddr>,
    port: u16,
    open: impl Fn(SocketAddr) -> Result<D, OpenError>,
) -> Result<D, Failure> {
    let driver = match bind {
        Some(local) => open(local),
        // Not every system has IPv6. If it has, its error is the better one.
        None => open((Ipv6Addr::UNSPECIFIED, port).into())
            .or_else(|error| open((Ipv4Addr::UNSPECIFIED, port).into()).map_err(|_| error)),
    };
    driver.map_err(|error| Failure::Failed(error.to_string()))
}

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};
use gamewire_riptide::client::Client;

use crate::url::UrlTransport;

/// Drives a client to `server`: over UDP from `local`, or over a TCP stream that must open within
/// `timeout`.
pub(crate) fn open_client(
    transport: UrlTransport,
    (local, server): (SocketAddr, SocketAddr),
    timeout: Duration,
    client: Client,
    config: DriverConfig,
) -> Result<Driver<Client>, OpenError> {
    match transport {
        UrlTransport::Udp => Driver::bind_with(local, client, config),
        UrlTransport::Tcp => Driver::connect_with(server, timeout, client, config),
    }
}

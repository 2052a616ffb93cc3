use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Transport};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};

/// Creates a client for `server`. The client sends datagrams, or writes to the stream that its driver opens.
///
/// # Errors
/// [`SendError`] if the connect data do not fit a packet.
pub(crate) fn new_client(
    transport: Transport,
    server: SocketAddr,
    config: &ClientConfig,
) -> Result<Client, SendError> {
    match transport {
        Transport::Udp => Client::connect(config, server, Instant::ZERO),
        Transport::Tcp => Client::connect_over_transport(config, Instant::ZERO),
    }
}

/// Drives a client to `server`: over UDP from `local`, or over a TCP stream that must open within `timeout`.
pub(crate) fn open_client(
    transport: Transport,
    local: SocketAddr,
    server: SocketAddr,
    timeout: Duration,
    client: Client,
    config: DriverConfig,
) -> Result<Driver<Client>, OpenError> {
    match transport {
        Transport::Udp => Driver::bind_with(local, client, config),
        Transport::Tcp => Driver::connect_with(server, timeout, client, config),
    }
}

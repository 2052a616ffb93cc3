use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::websocket::Target;

use super::EncryptionKey;
use crate::impairment::random_seed;
use crate::url::RiptideTransport;

/// Creates a client for `server`, which has the name `host`. The client sends datagrams, or writes to the stream that its driver opens.
///
/// # Errors
/// [`SendError`] if the connect data do not fit a packet.
pub(crate) fn new_client(
    transport: RiptideTransport,
    key: Option<&EncryptionKey>,
    host: &str,
    server: SocketAddr,
    config: &ClientConfig,
) -> Result<Client, SendError> {
    match transport {
        RiptideTransport::Udp => Client::connect(config, server, Instant::ZERO),
        // The caller has checked that there is a key. Nothing is sent without it.
        RiptideTransport::EncryptedUdp => {
            key.map_or(Err(SendError::NotConnected), |key| key.client(config, server))
        }
        RiptideTransport::Tcp => Client::connect_over_transport(config, Instant::ZERO),
        RiptideTransport::WebSocket | RiptideTransport::SecureWebSocket => {
            let target = Target::new(host);
            Client::connect_over_websocket(config, &target, random_seed(), Instant::ZERO)
        }
    }
}

/// Drives a client to `server`: over UDP from `local`, or over a TCP stream that must open within `timeout`.
pub(crate) fn open_client(
    transport: RiptideTransport,
    local: SocketAddr,
    server: SocketAddr,
    timeout: Duration,
    client: Client,
    config: DriverConfig,
) -> Result<Driver<Client>, OpenError> {
    match transport {
        RiptideTransport::Udp | RiptideTransport::EncryptedUdp => Driver::bind_with(local, client, config),
        RiptideTransport::Tcp | RiptideTransport::WebSocket | RiptideTransport::SecureWebSocket => {
            Driver::connect_with(server, timeout, client, config)
        }
    }
}

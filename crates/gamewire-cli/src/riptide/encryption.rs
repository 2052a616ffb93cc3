//! `--key`: encrypted datagrams of Riptide.

use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::path::Path;

use gamewire_inspect::render::Escaped;
use gamewire_machine::Instant;
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::records::{self, HandshakeState, Key};
use gamewire_riptide::server::{RecordPolicy, Server};

use crate::exit_status::{Failure, io_message};

/// Maximum size of a key file in bytes.
const MAX_SIZE: u64 = 256;

/// The key of a server, read from a file.
#[derive(Debug)]
pub(crate) struct EncryptionKey(Key);

impl EncryptionKey {
    /// Reads a key from a file.
    pub(crate) fn load(path: &Path) -> Result<Self, Failure> {
        let name = Escaped(path.as_os_str().as_encoded_bytes());
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(MAX_SIZE).read_to_string(&mut text))
            .map_err(|error| Failure::Failed(format!("cannot read {name}: {}", io_message(&error))))?;
        let key = Key::from_hex(&text).map_err(|error| {
            Failure::Usage(format!(
                "cannot use {name}: {error}; make a key with: openssl rand -hex 32 > server.key"
            ))
        })?;
        Ok(Self(key))
    }

    /// Creates a client that encrypts its datagrams.
    pub(crate) fn client(&self, config: &ClientConfig, server: SocketAddr) -> Result<Client, SendError> {
        // An empty token is never too long.
        let key = self.0.client_key(b"").map_err(|_| SendError::NotConnected)?;
        let session = records::Client::new(key, [server], gamewire::seed(), Instant::ZERO);
        Client::connect_over_records(config, session, Instant::ZERO)
    }

    /// Returns the server with encryption.
    pub(crate) fn protect(&self, server: Server, is_required: bool) -> Server {
        let policy = if is_required { RecordPolicy::Required } else { RecordPolicy::Optional };
        let sessions =
            records::Server::new(self.0.clone(), records::ServerConfig::default(), gamewire::seed());
        server.with_records(sessions, policy)
    }
}

/// Returns the reason why a client found no encrypted session, if it is known.
pub(crate) fn refusal(client: &Client) -> Option<String> {
    let is_refused = client.handshake_state() == Some(HandshakeState::Initiating);
    is_refused.then(|| "the server does not accept the key: is --key the file of this server?".into())
}

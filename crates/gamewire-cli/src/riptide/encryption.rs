//! `--key`: encrypted datagrams of Riptide.

use std::net::SocketAddr;
use std::path::Path;

use gamewire_machine::Instant;
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::records::{self, HandshakeState, Key};
use gamewire_riptide::server::{RecordPolicy, Server};

use crate::exit_status::Failure;
use crate::user_file::{name_of, read_text};

/// Maximum size of a key file in bytes.
const MAX_SIZE: u64 = 256;

/// The key of a server, read from a file.
#[derive(Debug)]
pub(crate) struct EncryptionKey(Key);

impl EncryptionKey {
    /// Reads a key from a file.
    pub(crate) fn load(path: &Path) -> Result<Self, Failure> {
        let name = name_of(path);
        let text = read_text(path, MAX_SIZE, Failure::Usage)?;
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

//! `--key` in a build without the feature `records`.

use std::net::SocketAddr;
use std::path::Path;

use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::server::Server;

use crate::exit_status::Failure;

/// No key.
#[derive(Debug)]
pub(crate) enum EncryptionKey {}

impl EncryptionKey {
    pub(crate) fn load(_: &Path) -> Result<Self, Failure> {
        Err(Failure::missing_feature("--key", "records"))
    }

    pub(crate) fn client(&self, _: &ClientConfig, _: SocketAddr) -> Result<Client, SendError> {
        match *self {}
    }

    pub(crate) fn protect(&self, _: Server, _: bool) -> Server {
        match *self {}
    }
}

pub(crate) const fn refusal(_: &Client) -> Option<String> {
    None
}

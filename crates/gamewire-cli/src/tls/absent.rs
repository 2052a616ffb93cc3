//! TLS in a build without the feature `tls`.

use std::net::SocketAddr;
use std::path::Path;

use gamewire_net::DriverConfig;

use crate::exit_status::Failure;
use crate::url::HostPort;

/// No certificate.
#[derive(Debug)]
pub(crate) enum Certificate {}

impl Certificate {
    pub(crate) fn load(_: &Path, _: &Path) -> Result<Self, Failure> {
        Err(Failure::missing_feature("--wss", "tls"))
    }

    pub(crate) const fn path(&self) -> &Path {
        match *self {}
    }

    pub(crate) fn listen(&self, _: SocketAddr, _: DriverConfig) -> DriverConfig {
        match *self {}
    }

    pub(crate) const fn reload(&mut self) -> bool {
        match *self {}
    }
}

/// No certificates.
#[derive(Debug)]
pub(crate) enum ServerTrust {}

impl ServerTrust {
    pub(crate) fn load(_: Option<&Path>, _: &HostPort) -> Result<Self, Failure> {
        Err(Failure::missing_feature("wss", "tls"))
    }

    pub(crate) fn connect(&self, _: DriverConfig) -> DriverConfig {
        match *self {}
    }

    pub(crate) const fn refusal(&self, _: &str) -> Option<String> {
        match *self {}
    }
}

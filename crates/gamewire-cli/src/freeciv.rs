//! Connection, events and errors that `join`, `play` and `info` share for Freeciv.

pub(crate) mod describe;
mod error;
mod request;

pub(crate) use describe::rejection;
pub(crate) use error::error_message;
pub(crate) use request::Request;

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::session::client::{ClientConfig, SendError};
use gamewire_freeciv::session::codec::Definition;
use gamewire_machine::Machine;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};

use crate::duration::share_of;
use crate::exit_status::Failure;
use crate::page::{TappedPage, shown_on};
use crate::record::Recording;
use crate::url::Url;

/// Returns the configuration of a client that uses one version. Without a version, it uses the server's version.
pub(crate) fn client_config(version: Option<ProtocolVersion>, name: &str) -> ClientConfig {
    version.map_or_else(|| ClientConfig::new(name), |version| ClientConfig::of(Definition::of(version), name))
}

/// A connector of machines to a server, each to its first address that accepts a connection. The recording and the page
/// have all connections.
#[derive(Clone)]
pub(crate) struct Connector<'a> {
    url: &'a Url,
    timeout: Duration,
    page: Option<&'a TappedPage>,
    recording: Recording,
}

impl<'a> Connector<'a> {
    /// Creates a connector, and starts to record if a file is given.
    pub(crate) fn new(
        url: &'a Url,
        timeout: Duration,
        record: Option<&Path>,
        page: Option<&'a TappedPage>,
    ) -> Result<Self, Failure> {
        Ok(Self { url, timeout, page, recording: Recording::begin(record)? })
    }

    pub(crate) const fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Connects a machine.
    pub(crate) fn connect<M: Machine>(
        &self,
        machine: impl Fn() -> Result<M, SendError>,
    ) -> Result<Driver<M>, Failure> {
        let Self { url, timeout, page, recording } = self;
        let addresses = url.host.resolve()?;
        let share = share_of(*timeout, addresses.len());
        let mut why = String::new();
        for address in addresses {
            let machine = machine()
                .map_err(|error| Failure::Usage(format!("cannot connect with these options: {error}")))?;
            let settings = shown_on(*page, recording.recorded(DriverConfig::default()));
            match Driver::connect_with(address, share, machine, settings) {
                Ok(driver) => return Ok(driver),
                Err(OpenError::Connect { source, .. }) => why = connect_error(&source, address),
                Err(other) => why = other.to_string(),
            }
        }
        Err(Failure::Failed(format!("cannot connect to {url}: {why}")))
    }
}

/// Returns the error message for a failed connection to an address.
fn connect_error(error: &io::Error, address: SocketAddr) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => format!("no server is listening at {address}"),
        io::ErrorKind::TimedOut => format!("timed out waiting for {address}"),
        _ => error.to_string(),
    }
}

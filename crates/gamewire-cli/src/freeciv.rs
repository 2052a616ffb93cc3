//! Connection, events and errors that `join`, `play` and `info` share for Freeciv.

pub(crate) mod describe;
mod error;
mod request;

pub(crate) use describe::{json_of, rejection};
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

/// Returns the configuration of a client that speaks one version. Without a version, it speaks the server's version.
pub(crate) fn client_config(version: Option<ProtocolVersion>, name: &str) -> ClientConfig {
    version.map_or_else(|| ClientConfig::new(name), |version| ClientConfig::of(Definition::of(version), name))
}

/// Connects a machine to the first address of a server that accepts a connection.
pub(crate) fn connect<M: Machine>(
    url: &Url,
    timeout: Duration,
    (record, page): (Option<&Path>, Option<&TappedPage>),
    machine: impl Fn() -> Result<M, SendError>,
) -> Result<(Driver<M>, Recording), Failure> {
    let addresses = url.host.resolve()?;
    let share = share_of(timeout, addresses.len());
    let mut why = String::new();
    for address in addresses {
        let machine = machine()
            .map_err(|error| Failure::Usage(format!("cannot connect with these options: {error}")))?;
        let (recording, settings) = Recording::begin(record, DriverConfig::default())?;
        match Driver::connect_with(address, share, machine, shown_on(page, settings)) {
            Ok(driver) => return Ok((driver, recording)),
            Err(OpenError::Connect { source, .. }) => why = connect_error(&source, address),
            Err(other) => why = other.to_string(),
        }
    }
    Err(Failure::Failed(format!("cannot connect to {url}: {why}")))
}

/// Returns the error message for a failed connection to an address.
fn connect_error(error: &io::Error, address: SocketAddr) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => format!("no server is listening at {address}"),
        io::ErrorKind::TimedOut => format!("timed out waiting for {address}"),
        _ => error.to_string(),
    }
}

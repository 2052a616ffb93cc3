//! Stub for builds without the feature `fleet`.

use std::convert::Infallible;
use std::net::SocketAddr;

use gamewire_inspect::filter::Filter;
use gamewire_page::{Page, Source};
use gamewire_watch::Sinks;

use crate::exit_status::Failure;
use crate::page::ServedPage;

/// The connection to a fleet. There is none in this build.
pub(crate) struct Fleet(Infallible);

impl Fleet {
    /// Rejects every address of a NATS server.
    pub(crate) fn server(url: Option<&str>) -> Result<Option<Infallible>, Failure> {
        match url {
            Some(_) => Err(Failure::missing_feature("--nats", "fleet")),
            None => Ok(None),
        }
    }

    pub(crate) fn publish(
        server: Infallible,
        _: Option<&str>,
        _: [SocketAddr; 2],
        _: &Source,
        _: Option<&ServedPage>,
        _: Option<Filter>,
        _: &mut Sinks,
    ) -> Result<Self, Failure> {
        match server {}
    }

    pub(crate) fn show(server: Infallible, _: Page) -> Result<Self, Failure> {
        Ok(Self(server))
    }
}

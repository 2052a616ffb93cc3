//! Server URLs.

mod any;
mod freeciv;
mod help;
mod host_port;
mod riptide;
mod teeworlds;

pub(crate) use any::Url;
pub(crate) use freeciv::FreecivUrl;
pub(crate) use help::{JOIN_HELP, TEEWORLDS_HELP};
pub(crate) use riptide::{RiptideUrl, UrlTransport};
pub(crate) use teeworlds::TeeworldsUrl;

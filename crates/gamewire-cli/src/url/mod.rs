//! Server URLs.

mod any;
mod error;
mod freeciv;
mod help;
mod place;
mod riptide;
mod teeworlds;

pub(crate) use any::Url;
pub(crate) use freeciv::FreecivUrl;
pub(crate) use help::{JOIN_HELP, TEEWORLDS_HELP};
pub(crate) use riptide::{RiptideUrl, UrlTransport};
pub(crate) use teeworlds::TeeworldsUrl;

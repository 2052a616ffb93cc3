//! Server URLs.

mod help;
mod host_port;
mod server_url;

pub(crate) use help::{FREECIV_HELP, INFO_HELP, JOIN_HELP, RIPTIDE_HELP, TEEWORLDS_HELP};
pub(crate) use host_port::HostPort;
pub(crate) use server_url::{Url, UrlProtocol};

//! Server URLs.

mod help;
mod host_port;
mod url;

pub(crate) use help::{JOIN_HELP, TEEWORLDS_HELP};
pub(crate) use url::{Url, UrlProtocol, UrlTransport};

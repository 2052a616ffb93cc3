//! Server URLs.

mod help;
mod host_port;
mod server_url;

pub(crate) use help::{JOIN_HELP, TEEWORLDS_HELP};
pub(crate) use server_url::{Url, UrlProtocol, UrlTransport};

//! `gamewire proxy`: relays and watches the traffic of real clients and their server.

mod command;
mod describe;
mod options;
mod run;
mod session;
mod sessions;
mod sink;
mod summary;

pub(crate) use command::link_command;
pub(crate) use options::Proxy;

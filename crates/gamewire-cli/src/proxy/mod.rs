//! `gamewire proxy`: relays and watches the traffic of real clients and their server.

mod bridge_kind;
mod command;
mod describe;
mod live_rules;
mod options;
mod relay_end;
mod resolver;
mod run;
mod running;
mod sink;
mod summary;

pub(crate) use command::link_command;
pub(crate) use options::Proxy;

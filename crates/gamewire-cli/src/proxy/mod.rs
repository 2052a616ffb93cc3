//! `gamewire proxy`.

mod command;
mod describe;
mod options;
mod run;
mod session;
mod sessions;
mod sink;
mod summary;

pub(crate) use options::Proxy;

//! Figures of a server for Prometheus, over HTTP on the loopback interface.

mod address;
mod exposition;
mod http;
mod server;

pub(crate) use address::parse_address;
pub(crate) use exposition::{Exposition, Histogram};
pub(crate) use server::MetricsServer;

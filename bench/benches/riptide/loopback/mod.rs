//! Contenders with sockets on loopback, all driven by one thread.

pub(crate) mod bare;
pub(crate) mod enet;
pub(crate) mod ours;
pub(crate) mod renet;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Returns an address with a port of the system's choice.
const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

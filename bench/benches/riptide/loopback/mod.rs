//! Contenders with sockets on loopback, all driven by one thread.

pub(crate) mod bare;
pub(crate) mod enet;
pub(crate) mod ours;
pub(crate) mod renet;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// A loopback address. The system chooses the port.
const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

//! Contenders with sockets of loopback, all driven by one thread.

pub(crate) mod bare;
pub(crate) mod enet;
pub(crate) mod ours;
pub(crate) mod renet;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// An address for a socket, the port being the system's choice.
const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

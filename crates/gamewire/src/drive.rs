use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use gamewire_machine::{Instant, Machine};
use gamewire_net::{Stats, blocking};

/// Access to a machine that is driven, by either runtime: the types of the frame loop and those for
/// tokio share their commands.
pub trait MachineAccess {
    /// The machine that is driven.
    type Machine: Machine;

    /// Returns the machine.
    fn machine(&self) -> &Self::Machine;

    /// Returns the machine so that commands can be issued, after advancing its clock.
    fn machine_mut(&mut self) -> &mut Self::Machine;
}

/// The parts of a driver that do not wait.
pub trait MachineDriver: MachineAccess {
    /// Returns the current time of the machine's clock.
    fn now(&self) -> Instant;

    /// Returns the counters of the driver.
    fn stats(&self) -> &Stats;

    /// Returns the port that the sockets are bound to.
    fn port(&self) -> u16;
}

macro_rules! machine_driver {
    ($driver:ty) => {
        impl<M: Machine> MachineAccess for $driver {
            type Machine = M;

            fn machine(&self) -> &M {
                self.machine()
            }

            fn machine_mut(&mut self) -> &mut M {
                self.machine_mut()
            }
        }

        impl<M: Machine> MachineDriver for $driver {
            fn now(&self) -> Instant {
                self.now()
            }

            fn stats(&self) -> &Stats {
                self.stats()
            }

            fn port(&self) -> u16 {
                self.local_addr().port()
            }
        }
    };
}

machine_driver!(blocking::Driver<M>);
#[cfg(feature = "tokio")]
machine_driver!(gamewire_net::tokio::Driver<M>);

/// Returns the unspecified address of the family of `server`, with any port.
pub(crate) fn any_port(server: SocketAddr) -> SocketAddr {
    match server {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    }
}

/// Returns the first address of a server. Blocks while its name is resolved.
pub(crate) fn resolve(server: impl ToSocketAddrs) -> io::Result<SocketAddr> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    server.to_socket_addrs()?.next().ok_or_else(none)
}

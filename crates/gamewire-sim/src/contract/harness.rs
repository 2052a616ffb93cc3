use core::fmt::Debug;
use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire_machine::{Instant, Machine};

/// The address of the machine under test.
pub const SUBJECT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 1000);
/// The address of its peer.
pub const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)), 2000);
/// The time at which machines are created. It is not zero, so that clocks can be set back.
pub const START: Instant = Instant::from_micros(1_000_000_000_000);

/// Returns the `number`th address that does not belong to the peer.
pub const fn unknown_addr(number: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(198, 51, 100, 7)), number)
}

/// A command of a machine: its name and its function. The number selects the arguments.
pub type Command<M> = (&'static str, fn(&mut M, u64));

/// The meaning of an event for the lifecycle of a peer. The harness numbers the peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// The peer connected. A number may be reused after the peer's end.
    Opened(u64),
    /// An event of a connected peer.
    Active(u64),
    /// The peer's last event.
    Closed(u64),
    /// An event that does not belong to a peer.
    Other,
}

/// A machine to check against the contract, and the data that the checks need.
pub trait Harness {
    /// The machine. It has the address [`SUBJECT`]; a client connects to [`PEER`].
    type Machine: Machine<Event: Debug> + 'static;
    /// The other role, which lets the machine reach all its states. It has the address [`PEER`]; a client connects to
    /// [`SUBJECT`].
    type Peer: Machine;

    /// Maximum bytes that the machine may hold for all unproven peers together.
    const MAX_UNVERIFIED_BYTES: usize;
    /// Maximum number of datagrams that the machine may send in the second after its clock has jumped.
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = 32;
    /// Duration of silence after which every peer has ended; `None` if the machine waits forever.
    const IDLE_TIMEOUT: Option<Duration>;
    /// The peers that a new machine has without an event; for a client its server.
    const INITIAL_PEERS: &'static [u64] = &[];

    /// Creates a machine.
    fn make(seed: u64, now: Instant) -> Self::Machine;

    /// Creates a machine of the other role, if there is one.
    fn peer(seed: u64, now: Instant) -> Option<Self::Peer>;

    /// Returns datagrams of every kind that the machine can receive. The checks send them unchanged and changed.
    fn samples(seed: u64) -> Vec<Vec<u8>>;

    /// Returns the commands of the machine.
    fn commands() -> &'static [Command<Self::Machine>] {
        &[]
    }

    /// Returns the number of bytes that the machine holds for its peers.
    fn held_bytes(machine: &Self::Machine) -> usize;

    /// Returns the meaning of an event for the lifecycle of a peer.
    fn lifecycle(event: &<Self::Machine as Machine>::Event) -> Lifecycle;
}

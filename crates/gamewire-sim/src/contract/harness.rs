use core::fmt::Debug;
use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire_machine::{Instant, Machine};

/// The address of the machine under test.
pub const SUBJECT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 1000);
/// The address of the machine that it talks with.
pub const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)), 2000);
/// When machines are made; there is time before it, for clocks that go back.
pub const START: Instant = Instant::from_micros(1_000_000_000_000);

/// The address of the `number`th one of those who have nothing to do with it.
#[must_use]
pub const fn unknown_addr(number: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(198, 51, 100, 7)), number)
}

/// A command of a machine: its name, and how to give it. The number chooses among its arguments.
pub type Command<M> = (&'static str, fn(&mut M, u64));

/// What an event says of the life of a peer, which goes by any number that the subject gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    /// The peer is there. A number may be given again after its end.
    Opened(u64),
    /// Something of a peer that is there.
    Active(u64),
    /// The peer is gone: the last event of it.
    Closed(u64),
    /// Something of no peer.
    Other,
}

/// A machine to be held against the contract, with what is needed to put it through its paces.
pub trait Harness {
    /// The machine. It is at [`SUBJECT`]; if it connects to somebody, to [`PEER`].
    type Machine: Machine<Event: Debug> + 'static;
    /// The other role, so that the machine gets into all its states. It is at [`PEER`] and, if it
    /// connects to somebody, connects to [`SUBJECT`].
    type Peer: Machine;

    /// Maximum number of bytes that all unproven peers together may make the machine hold.
    const MAX_UNVERIFIED_BYTES: usize;
    /// Maximum number of datagrams that it may send in the second after its clock has jumped.
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = 32;
    /// After how much silence every peer has ended; `None` if it waits for ever.
    const IDLE_TIMEOUT: Option<Duration>;
    /// The peers that a new machine has, without an event that says so; for a client its server.
    const INITIAL_PEERS: &'static [u64] = &[];

    /// A new machine.
    fn make(seed: u64, now: Instant) -> Self::Machine;

    /// A new other role, if there is one.
    fn peer(seed: u64, now: Instant) -> Option<Self::Peer>;

    /// Datagrams of every kind that the machine may be sent, to be sent as they are and changed.
    fn samples(seed: u64) -> Vec<Vec<u8>>;

    /// The commands of the machine.
    fn commands() -> &'static [Command<Self::Machine>] {
        &[]
    }

    /// Returns the number of bytes that the machine holds for its peers.
    fn held_bytes(machine: &Self::Machine) -> usize;

    /// Returns the meaning of an event for the life of a peer.
    fn lifecycle(event: &<Self::Machine as Machine>::Event) -> Lifecycle;
}

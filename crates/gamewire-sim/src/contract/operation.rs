use core::fmt;
use core::time::Duration;
use std::net::SocketAddr;

use fastrand::Rng;

use super::harness::{PEER, unknown_addr};

/// One operation on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Time passes, and the machine and its peer exchange datagrams.
    Exchange(Duration),
    /// Time passes, and all that the machine sends is lost.
    Wait(Duration),
    /// The clock jumps ahead, and the machine was not pumped in the meantime.
    Jump(Duration),
    /// The clock goes back.
    Back(Duration),
    /// Calls `handle_timeout`, whether or not a timer is due.
    Timeout,
    /// A datagram arrives. Its answers are not polled yet.
    Receive(Source, Content),
    /// The command with this name and argument is given.
    Command(&'static str, u64),
    /// One datagram is polled.
    PollTransmit,
    /// One event is polled.
    PollEvent,
}

/// The sender of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The peer, or an attacker who forges its address.
    Peer,
    /// An unrelated address.
    Unknown(u16),
}

impl Source {
    pub(super) const fn address(self) -> SocketAddr {
        match self {
            Self::Peer => PEER,
            Self::Unknown(number) => unknown_addr(number),
        }
    }
}

/// The content of a datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// These bytes.
    Bytes(Hex),
    /// The sample with this number (counted round), changed.
    Sample(usize, Change),
    /// A datagram that the peer has sent before (counted round), changed.
    Replay(usize, Change),
}

/// A change of a datagram. The number selects the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// Some bytes become others.
    Scramble(u64),
    /// The end is cut off.
    Cut(u64),
    /// Something is appended.
    Extend(u64),
}

impl Change {
    pub(super) fn apply(self, datagram: &mut Vec<u8>) {
        match self {
            Self::Nothing => {}
            Self::Scramble(seed) => {
                let mut random = Rng::with_seed(seed);
                for _ in 0..random.usize(1..=4) {
                    let at = random.usize(..datagram.len().max(1));
                    if let Some(byte) = datagram.get_mut(at) {
                        *byte = random.u8(..);
                    }
                }
            }
            Self::Cut(seed) => datagram.truncate(Rng::with_seed(seed).usize(..datagram.len().max(1))),
            Self::Extend(seed) => {
                let mut random = Rng::with_seed(seed);
                for _ in 0..random.usize(1..=64) {
                    datagram.push(random.u8(..));
                }
            }
        }
    }
}

/// Bytes that are shown as hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Hex(pub Vec<u8>);

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

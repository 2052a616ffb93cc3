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
    /// Time passes, and all datagrams of the machine are lost.
    Wait(Duration),
    /// The clock jumps ahead without a call of the machine in between.
    Jump(Duration),
    /// The clock goes back.
    Back(Duration),
    /// Calls `handle_timeout`, even if no timer is due.
    Timeout,
    /// A datagram arrives. The replies are not polled yet.
    Receive(Source, Content),
    /// Issues the command with this name and argument.
    Command(&'static str, u64),
    /// Polls one datagram.
    PollTransmit,
    /// Polls one event.
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
    /// The sample with this number (modulo their count), changed.
    Sample(usize, Change),
    /// A datagram that the peer has sent before (number modulo their count), changed.
    Replay(usize, Change),
}

/// A change of a datagram. The number selects the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// Some bytes are replaced.
    Scramble(u64),
    /// The end is cut off.
    Cut(u64),
    /// Bytes are appended.
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

/// Bytes that are displayed as hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Hex(pub Vec<u8>);

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

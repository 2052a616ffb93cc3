use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, IoSliceMut};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant as Monotonic};

use quinn_udp::{RecvMeta, Transmit};
use rustix::io::Errno;

use super::datagram_peer::DatagramPeer;
use super::scripted_streams::ScriptedListener;
use crate::engine::{Engine, Sockets};
use crate::queue::Singles;
use crate::socket::DatagramSocket;
use crate::{DriverConfig, Stats};

pub(super) const LOCAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
pub(super) const PEER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 2);

/// The content of a buffer, and the length of each datagram in it.
pub(super) type Filled = (Vec<u8>, usize);

/// A socket with scripted results. Without a script it has nothing to read and accepts everything.
#[derive(Default)]
pub(super) struct ScriptedSocket {
    /// The result of each read.
    pub(super) reads: RefCell<VecDeque<Result<Vec<Filled>, Errno>>>,
    /// The result of every further read.
    pub(super) endless: Option<Result<Filled, Errno>>,
    /// The error of each attempt to send a datagram or a GSO batch, if any. If it is not the first attempt of a call,
    /// the error ends the call, and the next call returns it.
    pub(super) sends: RefCell<VecDeque<Option<Errno>>>,
    /// The error of every further attempt.
    pub(super) always: Cell<Option<Errno>>,
    pub(super) segments: usize,
    /// The calls that sent something.
    pub(super) sent: RefCell<Vec<Call>>,
    pub(super) attempts: Cell<usize>,
}

/// A call that sent datagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// True if the datagrams were passed to the system as one.
    pub(super) is_gso: bool,
    pub(super) datagrams: Vec<(SocketAddr, Vec<u8>)>,
}

impl ScriptedSocket {
    /// Returns the numbers sent in each call.
    pub(super) fn numbers(&self) -> Vec<Vec<u16>> {
        let number = |(_, datagram): &(_, Vec<u8>)| u16::from_be_bytes(*datagram.first_chunk().unwrap());
        self.sent.borrow().iter().map(|call| call.datagrams.iter().map(number).collect()).collect()
    }

    /// Returns for each call whether it passed its datagrams to the system as one.
    pub(super) fn gso(&self) -> Vec<bool> {
        self.sent.borrow().iter().map(|call| call.is_gso).collect()
    }

    /// Returns the error of the next attempt without removing it from the script.
    fn next_error(&self) -> Option<Errno> {
        self.sends.borrow().front().copied().unwrap_or_else(|| self.always.get())
    }

    /// Attempts to send. Removes the next error from the script and returns it.
    fn attempt(&self) -> io::Result<()> {
        let error = self.next_error();
        self.sends.borrow_mut().pop_front();
        error.map_or(Ok(()), |errno| Err(errno.into()))
    }
}

impl DatagramSocket for ScriptedSocket {
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize> {
        let endless = self.endless.clone().map(|read| read.map(|read| vec![read; buffers.len()]));
        let read = self.reads.borrow_mut().pop_front().or(endless).unwrap_or(Err(Errno::AGAIN))?;
        for ((buffer, meta), (bytes, stride)) in buffers.iter_mut().zip(meta).zip(&read) {
            buffer[..bytes.len()].copy_from_slice(bytes);
            (meta.addr, meta.len, meta.stride) = (PEER, bytes.len(), *stride);
        }
        Ok(read.len())
    }

    fn send_batch(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        self.attempts.set(self.attempts.get() + 1);
        self.attempt()?;
        let datagrams = transmit.contents.chunks(transmit.segment_size.unwrap());
        let datagrams = datagrams.map(|datagram| (transmit.destination, datagram.to_vec())).collect();
        self.sent.borrow_mut().push(Call { is_gso: true, datagrams });
        Ok(())
    }

    fn send_each(&self, mut datagrams: Singles<'_>) -> io::Result<usize> {
        self.attempts.set(self.attempts.get() + 1);
        let mut sent: Vec<_> =
            datagrams.next().map(|(to, datagram)| (to, datagram.to_vec())).into_iter().collect();
        self.attempt()?;
        for (to, datagram) in datagrams {
            if self.next_error().is_some() {
                break;
            }
            self.attempt()?;
            sent.push((to, datagram.to_vec()));
        }
        let count = sent.len();
        self.sent.borrow_mut().push(Call { is_gso: false, datagrams: sent });
        Ok(count)
    }

    fn max_gso_segments(&self) -> usize {
        self.segments.max(1)
    }
}

pub(super) type Scripted = Engine<DatagramPeer, ScriptedSocket, ScriptedListener>;

pub(super) fn engine(script: ScriptedSocket) -> Scripted {
    engine_with(DatagramPeer::default(), script, LOCAL)
}

pub(super) fn engine_with(peer: DatagramPeer, script: ScriptedSocket, local: SocketAddr) -> Scripted {
    let (listeners, also_local) = (Vec::new(), Vec::new());
    let sockets = Sockets { local, datagrams: Some(script), listeners, also_local, stream: None };
    Engine::new(peer, sockets, DriverConfig::default())
}

/// Returns the socket of an engine.
pub(super) fn port(engine: &Scripted) -> &ScriptedSocket {
    &engine.datagrams.as_ref().unwrap().port
}

/// Sends these numbers in datagrams of 10 bytes.
pub(super) fn send_numbers(engine: &mut Scripted, numbers: impl IntoIterator<Item = u16>) {
    for number in numbers {
        engine.machine_mut().send(PEER, number, 10);
    }
}

/// Drives until `count` datagrams were sent.
pub(super) fn drive_until_sent(engine: &mut Scripted, count: u64) -> Stats {
    let deadline = Monotonic::now() + Duration::from_secs(20);
    while engine.observer.stats.sent.datagrams < count {
        assert!(Monotonic::now() < deadline, "{:?}", engine.observer.stats);
        engine.drive();
    }
    engine.observer.stats
}

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
    /// The error of each attempt to send, if any.
    pub(super) sends: RefCell<VecDeque<Option<Errno>>>,
    /// The error of every further attempt.
    pub(super) always: Cell<Option<Errno>>,
    pub(super) segments: usize,
    /// The receiver and the datagrams of each call.
    pub(super) sent: RefCell<Vec<(SocketAddr, Vec<Vec<u8>>)>>,
    pub(super) attempts: Cell<usize>,
}

impl ScriptedSocket {
    /// Returns the numbers sent in each call.
    pub(super) fn numbers(&self) -> Vec<Vec<u16>> {
        let number = |datagram: &Vec<u8>| u16::from_be_bytes(*datagram.first_chunk().unwrap());
        self.sent.borrow().iter().map(|(_, datagrams)| datagrams.iter().map(number).collect()).collect()
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

    fn send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        self.attempts.set(self.attempts.get() + 1);
        let scripted = self.sends.borrow_mut().pop_front();
        if let Some(errno) = scripted.unwrap_or_else(|| self.always.get()) {
            return Err(errno.into());
        }
        let segment = transmit.segment_size.unwrap_or(transmit.contents.len());
        let datagrams = transmit.contents.chunks(segment).map(<[u8]>::to_vec).collect();
        self.sent.borrow_mut().push((transmit.destination, datagrams));
        Ok(())
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
    let sockets = Sockets { local, datagrams: Some(script), listener: None, stream: None };
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

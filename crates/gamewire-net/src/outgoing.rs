use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_sim::Conditioner;
use quinn_udp::Transmit;

use crate::address::to_socket_family;
use crate::limits::{GATHERED_BYTES, RETRY_AFTER};
use crate::observer::Observer;
use crate::queue::Queue;
use crate::socket::DatagramSocket;
use crate::socket_error::SocketError;

/// The send path: the conditioner, if there is one, and the queue before the socket.
pub(crate) struct Outgoing {
    pub(crate) queue: Queue,
    pub(crate) conditioner: Option<Conditioner<SocketAddr>>,
    /// The datagram that the conditioner returned last.
    buffer: Vec<u8>,
    /// Number of datagrams to send one by one, because the system rejected their batch.
    alone: usize,
    /// Time to try the socket again after its send buffer was full.
    pub(crate) retry_at: Option<Instant>,
}

impl Outgoing {
    pub(crate) fn new(conditioner: Option<Conditioner<SocketAddr>>) -> Self {
        Self { queue: Queue::default(), conditioner, buffer: Vec::new(), alone: 0, retry_at: None }
    }

    /// Accepts a datagram from the machine.
    pub(crate) fn push(
        &mut self,
        now: Instant,
        to: SocketAddr,
        datagram: &[u8],
        port: &impl DatagramSocket,
        observer: &mut Observer,
    ) {
        match &mut self.conditioner {
            Some(conditioner) => conditioner.push(now, to, datagram),
            None => self.enqueue(now, to, datagram, port, observer),
        }
    }

    /// Moves the datagrams that are due from the conditioner to the queue, and sends the queue.
    pub(crate) fn turn(&mut self, now: Instant, port: &impl DatagramSocket, observer: &mut Observer) {
        let mut buffer = core::mem::take(&mut self.buffer);
        while let Some(to) = self.conditioner.as_mut().and_then(|link| link.pop(now, &mut buffer)) {
            self.enqueue(now, to, &buffer, port, observer);
        }
        self.buffer = buffer;
        self.flush(now, port, observer);
    }

    fn enqueue(
        &mut self,
        now: Instant,
        to: SocketAddr,
        datagram: &[u8],
        port: &impl DatagramSocket,
        observer: &mut Observer,
    ) {
        let Some(to) = to_socket_family(observer.local, to) else {
            observer.failed(SocketError::Unreachable);
            return observer.dropped();
        };
        if self.queue.waiting() >= GATHERED_BYTES {
            self.flush(now, port, observer);
        }
        if !self.queue.push(to, datagram) {
            observer.dropped();
        }
    }

    fn flush(&mut self, now: Instant, port: &impl DatagramSocket, observer: &mut Observer) {
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        self.retry_at = None;
        self.queue.coalesce();
        let mut tried = false;
        while let Some(run) = self.queue.run(if self.alone > 0 { 1 } else { port.max_gso_segments() }) {
            let segment_size = (run.count > 1).then_some(run.segment);
            let transmit =
                Transmit { destination: run.to, ecn: None, contents: run.bytes, segment_size, src_ip: None };
            let count = run.count;
            match port.send(&transmit).map_err(|error| SocketError::of(&error)) {
                Ok(()) => observer.sent(now, run),
                Err(failure) if failure.is_unrelated() && !tried => {
                    observer.failed(failure);
                    tried = true;
                    continue;
                }
                Err(failure) if failure.is_retryable() => {
                    observer.failed(failure);
                    self.retry_at = Some(now + RETRY_AFTER);
                    return;
                }
                // Not every network card accepts batches, nor every path their length.
                Err(_) if count > 1 => {
                    self.alone = count;
                    continue;
                }
                Err(failure) => {
                    observer.failed(failure);
                    observer.dropped();
                }
            }
            tried = false;
            self.alone = self.alone.saturating_sub(1);
            self.queue.pop(count);
        }
    }
}

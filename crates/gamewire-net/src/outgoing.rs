use std::io;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use quinn_udp::Transmit;

use crate::address::to_socket_family;
use crate::datagrams::Datagrams;
use crate::limits::{GATHERED_BYTES, MIN_SEGMENTS, RETRY_AFTER};
use crate::observer::Observer;
use crate::queue::{GsoBatch, Singles};
use crate::send::MAX_SEND_BATCH;
use crate::socket::DatagramSocket;
use crate::socket_error::SocketError;
use crate::stats::increment;

/// Datagrams for one call.
enum Batch<'a> {
    Gso(GsoBatch<'a>),
    Singles(Singles<'a>),
}

/// The send path: the conditioner, if there is one, and the queue before the socket.
impl<P: DatagramSocket> Datagrams<P> {
    /// Queues a datagram of the machine.
    pub(crate) fn push(&mut self, now: Instant, to: SocketAddr, datagram: &[u8], observer: &mut Observer) {
        match &mut self.outgoing {
            Some(link) => _ = link.push(now, to, datagram),
            None => self.enqueue(now, to, datagram, observer),
        }
    }

    /// Moves the datagrams that are due from the conditioner to the queue, and sends the queue.
    pub(crate) fn flush(&mut self, now: Instant, observer: &mut Observer) {
        let mut buffer = core::mem::take(&mut self.buffer);
        while let Some(to) = self.outgoing.as_mut().and_then(|link| link.pop(now, &mut buffer)) {
            self.enqueue(now, to, &buffer, observer);
        }
        self.buffer = buffer;
        self.send_queue(now, observer);
    }

    /// Sends the delayed datagrams of a conditioner immediately and in order, because the driver is dropped.
    pub(crate) fn flush_delayed(&mut self, now: Instant, observer: &mut Observer) {
        let mut buffer = core::mem::take(&mut self.buffer);
        while let Some(link) = &mut self.outgoing
            && let Some(at) = link.wake()
            && let Some(to) = link.pop(at, &mut buffer)
        {
            self.enqueue(now, to, &buffer, observer);
        }
        self.send_queue(now, observer);
    }

    fn enqueue(&mut self, now: Instant, to: SocketAddr, datagram: &[u8], observer: &mut Observer) {
        let Some(to) = to_socket_family(observer.local, to) else {
            observer.stats.errors.count(SocketError::Unreachable);
            return increment(&mut observer.stats.dropped);
        };
        if self.queue.waiting() >= GATHERED_BYTES {
            self.send_queue(now, observer);
        }
        if !self.queue.push(to, datagram) {
            increment(&mut observer.stats.dropped);
        }
    }

    fn send_queue(&mut self, now: Instant, observer: &mut Observer) {
        if self.retry_at.is_some_and(|at| now < at) {
            return;
        }
        self.retry_at = None;
        if self.queue.is_empty() {
            return;
        }
        self.queue.coalesce();
        let mut tried = false;
        while let Some((count, result)) = self.send_batch(now, observer) {
            let done = match result.map_err(|error| SocketError::of(&error)) {
                Ok(count) => count,
                Err(failure) if failure.is_unrelated() && !tried => {
                    observer.stats.errors.count(failure);
                    tried = true;
                    continue;
                }
                Err(failure) if failure.is_retryable() => {
                    observer.stats.errors.count(failure);
                    self.retry_at = Some(now + RETRY_AFTER);
                    return;
                }
                // Not every network card accepts batches, and not every path accepts their length.
                Err(_) if count > 1 => {
                    self.alone = count;
                    continue;
                }
                Err(failure) => {
                    observer.stats.errors.count(failure);
                    increment(&mut observer.stats.dropped);
                    1
                }
            };
            tried = false;
            self.alone = self.alone.saturating_sub(done);
            self.queue.pop(done);
            if self.queue.is_empty() {
                return;
            }
        }
    }

    /// Sends the next batch. Returns the number of datagrams that an error applies to, and the number of sent
    /// datagrams.
    fn send_batch(&self, now: Instant, observer: &mut Observer) -> Option<(usize, io::Result<usize>)> {
        Some(match self.next_batch()? {
            Batch::Gso(batch @ GsoBatch { to, bytes, segment, count }) => {
                let segment_size = Some(segment);
                let transmit =
                    Transmit { destination: to, ecn: None, contents: bytes, segment_size, src_ip: None };
                let result = self.port.send_batch(&transmit);
                if result.is_ok() {
                    observer.sent(now, batch.datagrams().map(|datagram| (to, datagram)));
                }
                (count, result.map(|()| count))
            }
            Batch::Singles(singles) => {
                let result = self.port.send_each(singles.clone());
                if let Ok(count) = result {
                    observer.sent(now, singles.take(count));
                }
                (1, result)
            }
        })
    }

    /// Returns the datagrams for the next call: a GSO batch, or all datagrams before the next GSO batch.
    fn next_batch(&self) -> Option<Batch<'_>> {
        let Self { queue, port, alone, .. } = self;
        let segments = port.max_gso_segments();
        let count = match *alone {
            0 if segments < MIN_SEGMENTS => MAX_SEND_BATCH,
            0 => queue.before_batch(MAX_SEND_BATCH),
            alone => alone.min(MAX_SEND_BATCH),
        };
        if count == 0 {
            return queue.run(segments).map(Batch::Gso);
        }
        let singles = queue.singles(count);
        (singles.len() > 0).then_some(Batch::Singles(singles))
    }
}

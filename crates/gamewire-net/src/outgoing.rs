use std::net::SocketAddr;

use gamewire_machine::Instant;
use quinn_udp::Transmit;

use crate::address::to_socket_family;
use crate::datagrams::Datagrams;
use crate::limits::{GATHERED_BYTES, MIN_SEGMENTS, RETRY_AFTER};
use crate::observer::Observer;
use crate::queue::GsoBatch;
use crate::socket::DatagramSocket;
use crate::socket_error::SocketError;
use crate::stats::increment;

/// The send path: the conditioner, if there is one, and the queue before the socket.
impl<P: DatagramSocket> Datagrams<P> {
    /// Accepts a datagram from the machine.
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

    /// Sends what a conditioner still delays, in order and at once, because the driver ends.
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
        self.queue.coalesce();
        let mut tried = false;
        while let Some(run) = self.next_run() {
            let segment_size = (run.count > 1).then_some(run.segment);
            let transmit =
                Transmit { destination: run.to, ecn: None, contents: run.bytes, segment_size, src_ip: None };
            let count = run.count;
            match self.port.send(&transmit).map_err(|error| SocketError::of(&error)) {
                Ok(()) => observer.sent(now, run),
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
                // Not every network card accepts batches, nor every path their length.
                Err(_) if count > 1 => {
                    self.alone = count;
                    continue;
                }
                Err(failure) => {
                    observer.stats.errors.count(failure);
                    increment(&mut observer.stats.dropped);
                }
            }
            tried = false;
            self.alone = self.alone.saturating_sub(1);
            self.queue.pop(count);
        }
    }

    /// Returns the next datagram, or a batch of them that is worth it.
    fn next_run(&self) -> Option<GsoBatch<'_>> {
        if self.alone > 0 {
            return self.queue.run(1);
        }
        let longest = self.queue.run(self.port.max_gso_segments())?;
        if longest.count < MIN_SEGMENTS { self.queue.run(1) } else { Some(longest) }
    }
}

use crate::{Instant, Machine, StreamOutput, Transmit, Wake};

/// An output of a machine, for [`pump`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The bytes are a datagram to send.
    Datagram(Transmit),
    /// An operation on a stream. The bytes are the bytes to write.
    Stream(StreamOutput),
}

/// Drains a machine. All drivers and simulators use this loop.
///
/// Fires the machine's timer if it is due, passes its datagrams and stream operations to `output` and its events to
/// `event`, and returns its next timer. `buffer` is reused as scratch space.
pub fn pump<M: Machine>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    output: impl FnMut(Output, &[u8]),
    event: impl FnMut(M::Event),
) -> Option<Wake> {
    if machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
        machine.handle_timeout(now);
    }
    drain(machine, now, buffer, output, event);
    machine.poll_timeout()
}

/// Drains a machine like [`pump`], but does not fire its timers.
pub fn drain<M: Machine>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    mut output: impl FnMut(Output, &[u8]),
    mut event: impl FnMut(M::Event),
) {
    machine.poll_transmits(now, buffer, |transmit, bytes| output(Output::Datagram(transmit), bytes));
    buffer.clear();
    while let Some(operation) = machine.poll_stream(now, buffer) {
        output(Output::Stream(operation), buffer);
        buffer.clear();
    }
    while let Some(happened) = machine.poll_event() {
        event(happened);
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "times of a toy")]
mod tests {
    use core::convert::Infallible;
    use core::time::Duration;
    use std::collections::VecDeque;
    use std::net::{IpAddr, Ipv4Addr, SocketAddr};

    use super::*;
    use crate::StreamId;

    /// A machine that returns each datagram after one second, and sends a greeting over streams.
    #[derive(Default)]
    struct LateEcho {
        waiting: VecDeque<(Instant, SocketAddr, Vec<u8>)>,
        ready: VecDeque<(SocketAddr, Vec<u8>)>,
        streams: VecDeque<StreamOutput>,
        echoed: VecDeque<usize>,
    }

    const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7);
    const STREAM: StreamId = StreamId::new(1);
    const SECOND: Instant = Instant::from_micros(1_000_000);

    impl Machine for LateEcho {
        type Event = usize;
        type DatagramError = Infallible;

        fn handle_timeout(&mut self, now: Instant) {
            while self.waiting.front().is_some_and(|(at, ..)| *at <= now) {
                if let Some((_, to, data)) = self.waiting.pop_front() {
                    self.echoed.push_back(data.len());
                    self.ready.push_back((to, data));
                }
            }
        }

        fn poll_timeout(&self) -> Option<Wake> {
            self.waiting.front().map(|(at, ..)| Wake { at: *at, reason: "echo" })
        }

        fn poll_event(&mut self) -> Option<usize> {
            self.echoed.pop_front()
        }

        fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), Infallible> {
            self.waiting.push_back((now + Duration::from_secs(1), from, data.to_vec()));
            Ok(())
        }

        fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
            let (to, data) = self.ready.pop_front()?;
            buffer.clear();
            buffer.extend_from_slice(&data);
            Some(Transmit { to })
        }

        fn handle_open(&mut self, _: Instant, stream: StreamId, _: SocketAddr) {
            self.streams.extend([StreamOutput::Write(stream), StreamOutput::Write(stream)]);
            self.streams.push_back(StreamOutput::Close(stream));
        }

        fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
            let operation = self.streams.pop_front()?;
            if matches!(operation, StreamOutput::Write(_)) {
                buffer.extend_from_slice(b"hello");
            }
            Some(operation)
        }
    }

    #[test]
    fn a_timer_fires_when_it_is_due_and_not_before() {
        let (mut machine, mut buffer, mut sent) = (LateEcho::default(), Vec::new(), Vec::new());
        machine.handle_datagram(Instant::ZERO, PEER, b"one").unwrap();
        machine.handle_datagram(Instant::ZERO, PEER, b"three").unwrap();

        let wake = pump(&mut machine, Instant::ZERO, &mut buffer, |_, _| panic!("too early"), |_| {});
        assert_eq!(wake, Some(Wake { at: SECOND, reason: "echo" }));

        let mut events = Vec::new();
        let late = Instant::from_micros(60_000_000);
        let output = |output, data: &[u8]| sent.push((output, data.to_vec()));
        let wake = pump(&mut machine, late, &mut buffer, output, |event| events.push(event));
        assert_eq!(wake, None);
        let to = Output::Datagram(Transmit { to: PEER });
        assert_eq!(sent, [(to, b"one".to_vec()), (to, b"three".to_vec())]);
        assert_eq!(events, [3, 5]);
    }

    #[test]
    fn each_write_to_a_stream_excludes_earlier_bytes() {
        let (mut machine, mut buffer, mut done) = (LateEcho::default(), b"old".to_vec(), Vec::new());
        machine.handle_open(Instant::ZERO, STREAM, PEER);
        let note = |output, bytes: &[u8]| done.push((output, bytes.to_vec()));
        let wake = pump(&mut machine, Instant::ZERO, &mut buffer, note, |_| {});
        let hello = (Output::Stream(StreamOutput::Write(STREAM)), b"hello".to_vec());
        assert_eq!(done, [hello.clone(), hello, (Output::Stream(StreamOutput::Close(STREAM)), Vec::new())]);
        assert_eq!(wake, None);
    }

    #[test]
    fn datagrams_and_streams_come_through_one_closure() {
        let (mut machine, mut buffer, mut done) = (LateEcho::default(), Vec::new(), Vec::new());
        machine.handle_datagram(Instant::ZERO, PEER, b"one").unwrap();
        machine.streams.push_back(StreamOutput::Close(STREAM));
        pump(&mut machine, SECOND, &mut buffer, |output, bytes| done.push((output, bytes.to_vec())), |_| {});
        let datagram = (Output::Datagram(Transmit { to: PEER }), b"one".to_vec());
        assert_eq!(done, [datagram, (Output::Stream(StreamOutput::Close(STREAM)), Vec::new())]);
    }

    /// A machine without transports.
    struct Idle;

    impl Machine for Idle {
        type Event = ();
        type DatagramError = Infallible;

        fn handle_timeout(&mut self, _: Instant) {}

        fn poll_timeout(&self) -> Option<Wake> {
            None
        }

        fn poll_event(&mut self) -> Option<()> {
            None
        }
    }

    #[test]
    fn a_machine_without_transports_ignores_them() {
        let mut idle = Idle;
        idle.handle_datagram(Instant::ZERO, PEER, b"one").unwrap();
        idle.handle_open(Instant::ZERO, STREAM, PEER);
        idle.handle_bytes(Instant::ZERO, STREAM, b"two");
        idle.handle_close(Instant::ZERO, STREAM);
        let wake = pump(&mut idle, Instant::ZERO, &mut Vec::new(), |_, _| panic!("nothing to send"), |()| {});
        assert_eq!(wake, None);
    }
}

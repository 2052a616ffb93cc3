//! The drain loop, written once for every driver and simulator.

use crate::{Datagram, Instant, Machine, Stream, StreamOutput, Streams, Transmit, Wake};

/// Turns a datagram machine: fires its timer if it is due, hands every datagram to `send` and
/// every event to `event`, and says when to come again. `buffer` is scratch space to be reused.
pub fn datagrams<M: Datagram>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    send: impl FnMut(Transmit, &[u8]),
    event: impl FnMut(M::Event),
) -> Option<Wake> {
    fire_timer(machine, now);
    machine.poll_transmits(now, buffer, send);
    events(machine, event);
    machine.poll_timeout()
}

/// Turns a stream machine: fires its timer if it is due, appends what it wants to write to
/// `out`, hands every event to `event`, and says when to come again.
pub fn stream<M: Stream>(
    machine: &mut M,
    now: Instant,
    out: &mut Vec<u8>,
    event: impl FnMut(M::Event),
) -> Option<Wake> {
    fire_timer(machine, now);
    while machine.poll_write(now, out) {}
    events(machine, event);
    machine.poll_timeout()
}

/// Turns a machine of many streams: fires its timer if it is due, hands everything that it wants
/// done with a stream to `output`, with the bytes to write, and every event to `event`, and says
/// when to come again. `buffer` is scratch space to be reused.
pub fn streams<M: Streams>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    output: impl FnMut(StreamOutput, &[u8]),
    event: impl FnMut(M::Event),
) -> Option<Wake> {
    fire_timer(machine, now);
    outputs(machine, now, buffer, output);
    events(machine, event);
    machine.poll_timeout()
}

/// What a machine that speaks in datagrams and over streams wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The bytes are a datagram.
    Datagram(Transmit),
    /// Something with a stream.
    Stream(StreamOutput),
}

/// Turns a machine that speaks in datagrams and over streams: [`datagrams`] and [`streams`] at
/// once.
pub fn both<M: Datagram + Streams>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    mut output: impl FnMut(Action, &[u8]),
    event: impl FnMut(M::Event),
) -> Option<Wake> {
    fire_timer(machine, now);
    machine.poll_transmits(now, buffer, |transmit, bytes| output(Action::Datagram(transmit), bytes));
    outputs(machine, now, buffer, |wanted, bytes| output(Action::Stream(wanted), bytes));
    events(machine, event);
    machine.poll_timeout()
}

fn outputs<M: Streams>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    mut output: impl FnMut(StreamOutput, &[u8]),
) {
    buffer.clear();
    while let Some(wanted) = machine.poll_stream(now, buffer) {
        output(wanted, buffer);
        buffer.clear();
    }
}

fn fire_timer<M: Machine>(machine: &mut M, now: Instant) {
    if machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
        machine.handle_timeout(now);
    }
}

fn events<M: Machine>(machine: &mut M, mut event: impl FnMut(M::Event)) {
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
    use std::net::{Ipv4Addr, SocketAddr};

    use super::*;
    use crate::StreamId;

    /// Sends back what it gets one second later, over either kind of transport.
    #[derive(Default)]
    struct LateEcho {
        waiting: VecDeque<(Instant, SocketAddr, Vec<u8>)>,
        ready: VecDeque<(SocketAddr, Vec<u8>)>,
        echoed: VecDeque<usize>,
    }

    const PEER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7);

    impl Machine for LateEcho {
        type Event = usize;

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
    }

    impl Datagram for LateEcho {
        type DatagramError = Infallible;

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
    }

    impl Stream for LateEcho {
        type Error = Infallible;

        fn handle_bytes(&mut self, now: Instant, data: &[u8]) -> Result<(), Infallible> {
            self.handle_datagram(now, PEER, data)
        }

        fn handle_eof(&mut self, _: Instant) {
            self.waiting.clear();
        }

        fn poll_write(&mut self, _: Instant, buffer: &mut Vec<u8>) -> bool {
            self.ready.pop_front().map(|(_, data)| buffer.extend_from_slice(&data)).is_some()
        }
    }

    #[test]
    fn a_datagram_machine_acts_when_its_time_has_come_and_not_before() {
        let (mut machine, mut buffer, mut sent) = (LateEcho::default(), Vec::new(), Vec::new());
        machine.handle_datagram(Instant::ZERO, PEER, b"one").unwrap();
        machine.handle_datagram(Instant::ZERO, PEER, b"three").unwrap();

        let wake = datagrams(&mut machine, Instant::ZERO, &mut buffer, |_, _| panic!("too early"), |_| {});
        assert_eq!(wake, Some(Wake { at: Instant::from_micros(1_000_000), reason: "echo" }));

        let mut events = Vec::new();
        let late = Instant::from_micros(60_000_000);
        let wake = datagrams(
            &mut machine,
            late,
            &mut buffer,
            |transmit, data| sent.push((transmit.to, data.to_vec())),
            |event| events.push(event),
        );
        assert_eq!(wake, None);
        assert_eq!(sent, [(PEER, b"one".to_vec()), (PEER, b"three".to_vec())]);
        assert_eq!(events, [3, 5]);
    }

    #[test]
    fn a_stream_machine_writes_all_that_is_due_in_order() {
        let (mut machine, mut out) = (LateEcho::default(), Vec::new());
        Stream::handle_bytes(&mut machine, Instant::ZERO, b"he").unwrap();
        Stream::handle_bytes(&mut machine, Instant::ZERO, b"llo").unwrap();
        stream(&mut machine, Instant::ZERO, &mut out, |_| panic!("too early"));
        assert!(out.is_empty());
        let mut events = 0;
        stream(&mut machine, Instant::from_micros(2_000_000), &mut out, |_| events += 1);
        assert_eq!((out.as_slice(), events), (b"hello".as_slice(), 2));
        Stream::handle_bytes(&mut machine, Instant::ZERO, b"never").unwrap();
        machine.handle_eof(Instant::ZERO);
        assert_eq!(machine.poll_timeout(), None);
    }

    impl Streams for LateEcho {
        fn handle_open(&mut self, now: Instant, _: StreamId, from: SocketAddr) {
            self.waiting.push_back((now, from, b"hello".to_vec()));
        }

        fn handle_bytes(&mut self, _: Instant, _: StreamId, _: &[u8]) {}

        fn handle_close(&mut self, _: Instant, _: StreamId) {}

        fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
            let (_, data) = self.ready.pop_front()?;
            buffer.extend_from_slice(&data);
            let stream = StreamId::new(1);
            Some(if data.is_empty() { StreamOutput::Close(stream) } else { StreamOutput::Write(stream) })
        }
    }

    #[test]
    fn what_is_written_to_a_stream_is_handed_over_without_what_was_written_before() {
        let (mut machine, mut buffer, mut done) = (LateEcho::default(), b"old".to_vec(), Vec::new());
        let id = StreamId::new(1);
        machine.handle_open(Instant::ZERO, id, PEER);
        machine.handle_open(Instant::ZERO, id, PEER);
        machine.waiting.push_back((Instant::ZERO, PEER, Vec::new()));
        let mut events = 0;
        let note = |output, bytes: &[u8]| done.push((output, bytes.to_vec()));
        let wake = streams(&mut machine, Instant::ZERO, &mut buffer, note, |_| events += 1);
        let hello = (StreamOutput::Write(id), b"hello".to_vec());
        assert_eq!(done, [hello.clone(), hello, (StreamOutput::Close(id), Vec::new())]);
        assert_eq!((wake, events), (None, 3));
    }

    #[test]
    fn both_kinds_of_output_come_through_one_closure() {
        let (mut machine, mut buffer, mut done) = (LateEcho::default(), Vec::new(), Vec::new());
        machine.handle_datagram(Instant::ZERO, PEER, b"one").unwrap();
        let due = Instant::from_micros(1_000_000);
        both(&mut machine, due, &mut buffer, |output, bytes| done.push((output, bytes.to_vec())), |_| {});
        assert_eq!(done, [(Action::Datagram(Transmit { to: PEER }), b"one".to_vec())]);
    }
}

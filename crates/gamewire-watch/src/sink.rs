use gamewire_inspect::conversation::PacketInfo;
use gamewire_machine::Record;

use crate::event::Event;
use crate::packet::{ObservedPacket, PeerConnection};
use crate::recording::RecordError;

/// Receives the decoded packets and events of a [`Watcher`](crate::Watcher), in order, on the watcher's thread.
pub trait Sink {
    /// Handles a decoded datagram, or the next part of a stream.
    fn packet(&mut self, connection: PeerConnection, info: &PacketInfo, record: &Record);

    /// Returns whether [`packet`](Self::packet) does anything. If not, the watcher may leave out packets.
    fn wants_packets(&self) -> bool {
        true
    }

    /// Handles an event of a client. `time` is in nanoseconds since 1970.
    fn event(&mut self, time: i64, event: &Event) {
        let _ = (time, event);
    }

    /// Handles a datagram that a link's conditions lost.
    fn lost(&mut self, packet: &ObservedPacket, bytes: &[u8]) {
        let _ = (packet, bytes);
    }

    /// Handles a new number of packets of an unknown protocol. The number drops when a later packet reveals the protocol.
    fn unrecognized(&mut self, count: u64) {
        let _ = count;
    }

    /// Handles a new number of packets and events that the [`Feed`](crate::Feed) dropped, because the watcher was too
    /// slow.
    fn missed(&mut self, count: u64) {
        let _ = count;
    }

    /// Handles the error that ended the recording.
    fn recording_failed(&mut self, error: &RecordError) {
        let _ = error;
    }
}

/// Several sinks of one watcher. Each receives everything, in this order.
pub type Sinks = Vec<Box<dyn Sink + Send>>;

impl Sink for Sinks {
    fn packet(&mut self, connection: PeerConnection, info: &PacketInfo, record: &Record) {
        self.iter_mut().for_each(|sink| sink.packet(connection, info, record));
    }

    fn wants_packets(&self) -> bool {
        self.iter().any(|sink| sink.wants_packets())
    }

    fn event(&mut self, time: i64, event: &Event) {
        self.iter_mut().for_each(|sink| sink.event(time, event));
    }

    fn lost(&mut self, packet: &ObservedPacket, bytes: &[u8]) {
        self.iter_mut().for_each(|sink| sink.lost(packet, bytes));
    }

    fn unrecognized(&mut self, count: u64) {
        self.iter_mut().for_each(|sink| sink.unrecognized(count));
    }

    fn missed(&mut self, count: u64) {
        self.iter_mut().for_each(|sink| sink.missed(count));
    }

    fn recording_failed(&mut self, error: &RecordError) {
        self.iter_mut().for_each(|sink| sink.recording_failed(error));
    }
}

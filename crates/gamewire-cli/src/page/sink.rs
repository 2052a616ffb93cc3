use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_inspect::recording::RecordError;
use gamewire_machine::{Record, Role};
use gamewire_page::traffic::Lost;
use gamewire_page::{Feeder, Source};
use gamewire_proxy::traffic::{ClientNumber, Event, Packet};
use gamewire_proxy::watch::Sink;

/// A sink that writes everything to a page, and passes it on to `inner`.
pub(crate) struct PageSink<S> {
    feeder: Feeder,
    inner: S,
}

impl<S> PageSink<S> {
    pub(crate) fn new(source: Source, protocols: ProtocolConfig, inner: S) -> Self {
        Self { feeder: Feeder::new(source, protocols), inner }
    }
}

impl<S: Sink> Sink for PageSink<S> {
    fn event(&mut self, time: i64, event: &Event) {
        if let Event::Closed { client, reason, .. } = event {
            self.feeder.closed(client.0, &reason.to_string());
        }
        self.inner.event(time, event);
    }

    fn packet(&mut self, client: ClientNumber, side: Role, info: &PacketInfo, record: &Record) {
        self.feeder.packet(Some((client.0, side.name())), info, record);
        self.inner.packet(client, side, info, record);
    }

    fn lost(&mut self, packet: &Packet, bytes: &[u8]) {
        let (from, to) = packet.addresses();
        self.feeder.lost(Lost {
            time: packet.time,
            client: packet.client.0,
            side: packet.side.name(),
            sender: packet.sender,
            from,
            to,
            bytes,
        });
        self.inner.lost(packet, bytes);
    }

    fn unrecognized(&mut self, count: u64) {
        self.feeder.set_unrecognized(count);
        self.inner.unrecognized(count);
    }

    fn recording_failed(&mut self, error: &RecordError) {
        self.feeder.source().notice(format!("the recording stopped: {error}"));
        self.inner.recording_failed(error);
    }
}

/// A sink that ignores everything.
pub(super) struct Nothing;

impl Sink for Nothing {
    fn event(&mut self, _: i64, _: &Event) {}
    fn packet(&mut self, _: ClientNumber, _: Role, _: &PacketInfo, _: &Record) {}
    fn recording_failed(&mut self, _: &RecordError) {}
}

//! A reassembler that records what it delivers.

use std::net::SocketAddr;

use gamewire_machine::Role;

use crate::net::tcp::{Delivery, Reassembler, ReassemblyLimits, TcpEvent};
use crate::net::{Segment, TcpFlags};

const SECOND: i64 = 1_000_000_000;

pub(super) const SYN: TcpFlags = TcpFlags { syn: true, ack: false, fin: false, rst: false };
pub(super) const SYN_ACK: TcpFlags = TcpFlags { ack: true, ..SYN };
pub(super) const ACK: TcpFlags = TcpFlags { syn: false, ack: true, fin: false, rst: false };
pub(super) const FIN: TcpFlags = TcpFlags { fin: true, ..ACK };
pub(super) const RST: TcpFlags = TcpFlags { rst: true, ..ACK };

/// A reassembler, a clock, and a line per delivered event; `client` has port 1000.
pub(super) struct Script {
    pub(super) reassembler: Reassembler,
    pub(super) now: i64,
    pub(super) client: SocketAddr,
    server: SocketAddr,
    lines: Vec<String>,
}

impl Script {
    pub(super) fn new(limits: ReassemblyLimits) -> Self {
        Self {
            reassembler: Reassembler::new(limits),
            now: 0,
            client: SocketAddr::from(([10, 0, 0, 1], 1000)),
            server: SocketAddr::from(([10, 0, 0, 2], 5556)),
            lines: Vec::new(),
        }
    }

    /// Returns an established connection: the client's first byte has `seq`, the server's 501.
    pub(super) fn connected(seq: u32) -> Self {
        let mut script = Self::new(ReassemblyLimits::default());
        script.client(seq.wrapping_sub(1), SYN, b"");
        script.server(500, SYN_ACK, b"");
        script.client(seq, ACK, b"");
        assert!(script.lines.is_empty(), "a handshake alone has no events");
        script
    }

    pub(super) fn client(&mut self, seq: u32, flags: TcpFlags, data: &[u8]) {
        self.segment(true, seq, 0, flags, data);
    }

    pub(super) fn server(&mut self, seq: u32, flags: TcpFlags, data: &[u8]) {
        self.segment(false, seq, 0, flags, data);
    }

    pub(super) fn segment(&mut self, from_client: bool, seq: u32, ack: u32, flags: TcpFlags, data: &[u8]) {
        let (source, destination) =
            if from_client { (self.client, self.server) } else { (self.server, self.client) };
        let wire_len = data.len();
        let segment = Segment { source, destination, seq, ack, flags, data, wire_len, cut: false };
        let (client, lines) = (self.client, &mut self.lines);
        self.reassembler.push(self.now, &segment, |delivery| lines.push(line(client, &delivery)));
    }

    pub(super) fn wait_seconds(&mut self, seconds: i64) {
        self.now += seconds * SECOND;
    }

    pub(super) fn finish(&mut self) {
        let (client, lines) = (self.client, &mut self.lines);
        self.reassembler.finish(|delivery| lines.push(line(client, &delivery)));
    }

    /// Sends segments, each with its sender, sequence number, flags and data, and checks the events.
    pub(super) fn check(&mut self, segments: &[(Role, u32, TcpFlags, &str)], events: &str) {
        for (sender, seq, flags, data) in segments {
            self.segment(*sender == Role::Client, *seq, 0, *flags, data.as_bytes());
        }
        assert_eq!(self.events().join("; "), events);
    }

    /// Returns the events since the last call.
    pub(super) fn events(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }
}

fn line(client: SocketAddr, delivery: &Delivery<'_>) -> String {
    let who = if delivery.source == client { "client" } else { "server" };
    let what = match delivery.event {
        TcpEvent::Opened { saw_syn: true } => "opens".to_owned(),
        TcpEvent::Opened { saw_syn: false } => "is in the middle".to_owned(),
        TcpEvent::Data(data) if data.len() > 1000 => format!("sends {} bytes", data.len()),
        TcpEvent::Data(data) => String::from_utf8_lossy(data).into_owned(),
        TcpEvent::Gap { bytes } => format!("misses {bytes}"),
        TcpEvent::Finished => "ends".to_owned(),
        TcpEvent::Reset => "resets".to_owned(),
        TcpEvent::Dropped => "is dropped".to_owned(),
    };
    format!("{} {who} {what}", delivery.connection)
}

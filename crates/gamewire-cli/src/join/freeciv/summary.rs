use std::time::Duration;

use gamewire_net::Stats;
use serde_json::json;

use super::bytes::Bytes;

/// The summary.
pub(super) struct Summary {
    pub(super) turns: u32,
    pub(super) packets: u64,
    pub(super) pings: u64,
    pub(super) bytes: Bytes,
    pub(super) socket: Stats,
    pub(super) time: Duration,
}

impl Summary {
    /// Returns the summary as JSON.
    pub(super) fn json(&self) -> String {
        let Bytes { wire, packets, without_delta: whole } = self.bytes;
        json!({
            "event": "summary",
            "seconds": (self.time.as_secs_f64() * 1000.0).round() / 1000.0,
            "turns": self.turns,
            "packets": self.packets,
            "pings": self.pings,
            "bytes": { "sent": self.socket.streams.sent_bytes, "received": wire },
            "received": { "wire": wire, "packets": packets, "without_delta": whole },
        })
        .to_string()
    }

    /// Returns the summary as text.
    pub(super) fn text(&self) -> String {
        let Bytes { wire, packets, without_delta: whole } = self.bytes;
        format!(
            "{:.1} s: {} turns; received {} packets in {wire} bytes, {packets} before compression,\n\
             {whole} without delta; sent {} bytes, including {} ping replies",
            self.time.as_secs_f64(),
            self.turns,
            self.packets,
            self.socket.streams.sent_bytes,
            self.pings,
        )
    }
}

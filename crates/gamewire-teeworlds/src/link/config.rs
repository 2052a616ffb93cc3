use core::time::Duration;

use crate::Dialect;
use crate::shared::huffman::TrailingByte;
use crate::shared::pack::{Sanitize, Text};

/// The policy for a vital message when the send buffer is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowPolicy {
    /// Close the connection with "too weak connection (out of buffer)", as Teeworlds does.
    Disconnect,
    /// Do not send the message, and return an error to the caller. DDNet also returns an error, but it sends the
    /// message once without storing it. If this datagram is lost, the connection hangs.
    Refuse,
}

/// Timers and limits of a connection. [`LinkConfig::vanilla`], [`LinkConfig::ddnet`] and [`LinkConfig::ddnet_16`]
/// return the values of the games. All durations must be longer than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkConfig {
    /// Maximum time without a packet of the peer: 10 s in Teeworlds, 100 s in DDNet (`conn_timeout`).
    pub receive_timeout: Duration,
    /// Maximum age of an unacknowledged message: 10 s in Teeworlds, 100 s in DDNet (`conn_timeout`).
    pub unacked_timeout: Duration,
    /// Time after which the oldest unacknowledged message is resent: 1 s in all games.
    pub resend_after: Duration,
    /// Minimum time between two answers to resend requests: 100 ms in DDNet (`conn_resend_requests_per_second` 10).
    /// Teeworlds answers every request, which allows amplification attacks. Here the limit applies to all dialects.
    pub resend_answer_after: Duration,
    /// Time after the last datagram at which queued messages are flushed: 500 ms in all games.
    pub flush_after: Duration,
    /// Time after the last datagram at which a KEEPALIVE is sent: 1 s in all games.
    pub keepalive_after: Duration,
    /// Time after which a message of the handshake is repeated: 500 ms in all games.
    pub retry_after: Duration,
    /// Maximum time that a client of 0.7 waits for a token: 5 s in Teeworlds.
    pub token_timeout: Duration,
    /// Maximum bytes of unacknowledged messages, including the overhead of the games' ring buffer: 32 KiB
    /// (`NET_CONN_BUFFERSIZE`) in all games.
    pub resend_buffer: usize,
    /// The policy for a vital message that does not fit into the resend buffer.
    pub overflow: OverflowPolicy,
    /// Size of the payload buffer in bytes: 1394 in 0.6.4 and DDNet up to 20.0-rc6, 1390 in 0.6.5, 1391 in 0.7
    /// (`NET_MAX_PAYLOAD`), 1397 in later DDNet.
    pub max_payload: usize,
    /// Bytes that stay free when a message is added to a packet: 5 in 0.6, 3 in 0.7 (`NET_MAX_CHUNKHEADERSIZE`). DDNet
    /// adds 4 for a token in every dialect: 9 up to 16, 7 from 17 on.
    pub chunk_reserve: usize,
    /// The end of compressed payloads: [`TrailingByte::Exact`] in DDNet from 20 on, otherwise
    /// [`TrailingByte::ExtraByte`].
    pub ending: TrailingByte,
    /// Maximum bytes of the reason of a CLOSE: 127 in Teeworlds, 255 in DDNet.
    pub close_reason_max: usize,
    /// Send a CLOSE when the peer times out. Teeworlds does so, DDNet does not.
    pub close_on_timeout: bool,
    /// Reject packets without chunks and without a resend request, and control packets that are compressed or announce
    /// chunks. DDNet does so from 19.4 on, Teeworlds does not.
    pub strict_packets: bool,
}

impl LinkConfig {
    /// Returns the values of Teeworlds 0.6.4, 0.6.5 or 0.7.5, depending on `dialect`. No Teeworlds supports
    /// [`Dialect::Tken`], so it gets the packet sizes of DDNet.
    pub const fn vanilla(dialect: Dialect) -> Self {
        let (max_payload, chunk_reserve) = match dialect {
            Dialect::V06 => (1394, 5),
            Dialect::V065 => (1390, 5),
            Dialect::V07 => (1391, 3),
            Dialect::Tken => (1397, 7),
        };
        Self {
            receive_timeout: Duration::from_secs(10),
            unacked_timeout: Duration::from_secs(10),
            resend_after: Duration::from_secs(1),
            resend_answer_after: Duration::from_millis(100),
            flush_after: Duration::from_millis(500),
            keepalive_after: Duration::from_secs(1),
            retry_after: Duration::from_millis(500),
            token_timeout: Duration::from_secs(5),
            resend_buffer: 32 * 1024,
            overflow: OverflowPolicy::Disconnect,
            max_payload,
            chunk_reserve,
            ending: TrailingByte::ExtraByte,
            close_reason_max: 127,
            close_on_timeout: true,
            strict_packets: false,
        }
    }

    /// Returns the values of DDNet's development version of August 2026, after 20.0-rc6. The values are the same for
    /// every dialect. DDNet 17 to 19 have [`LinkConfig::max_payload`] 1394 and [`TrailingByte::ExtraByte`], and up to
    /// 19.3 [`LinkConfig::strict_packets`] is off. For 16 see [`LinkConfig::ddnet_16`].
    pub const fn ddnet(dialect: Dialect) -> Self {
        Self {
            receive_timeout: Duration::from_secs(100),
            unacked_timeout: Duration::from_secs(100),
            overflow: OverflowPolicy::Refuse,
            max_payload: 1397,
            chunk_reserve: 7,
            ending: TrailingByte::Exact,
            close_reason_max: 255,
            close_on_timeout: false,
            strict_packets: true,
            ..Self::vanilla(dialect)
        }
    }

    /// Returns the values of the games of a dialect: DDNet for [`Dialect::Tken`], otherwise Teeworlds.
    pub const fn of_games(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Tken => Self::ddnet(dialect),
            Dialect::V06 | Dialect::V065 | Dialect::V07 => Self::vanilla(dialect),
        }
    }

    /// Returns the reason of a CLOSE in `bytes`, up to its zero byte and at most [`LinkConfig::close_reason_max`]
    /// bytes.
    pub(crate) fn close_text<'a>(&self, bytes: &'a [u8]) -> Option<Text<'a>> {
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let text = text.get(..self.close_reason_max).unwrap_or(text);
        (!text.is_empty()).then(|| Text::received(text, Sanitize::Controls))
    }

    /// Returns the values of DDNet 16. The values are the same for every dialect. The live tests use 16.4.
    pub const fn ddnet_16(dialect: Dialect) -> Self {
        Self {
            max_payload: 1394,
            chunk_reserve: 9,
            ending: TrailingByte::ExtraByte,
            strict_packets: false,
            ..Self::ddnet(dialect)
        }
    }
}

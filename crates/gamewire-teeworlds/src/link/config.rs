use core::time::Duration;

use crate::Dialect;
use crate::shared::huffman::TrailingByte;

/// What a vital message meets when too much is unacknowledged already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverflowPolicy {
    /// The connection is closed with "too weak connection (out of buffer)", as Teeworlds does it.
    Disconnect,
    /// The message is not sent and the caller is told. DDNet tells its caller too, but sends the
    /// message once without keeping it: the connection hangs for good if that one is lost.
    Refuse,
}

/// Timers and limits of a connection. [`LinkConfig::vanilla`], [`LinkConfig::ddnet`] and
/// [`LinkConfig::ddnet_16`] are what the games have; all durations must be longer than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkConfig {
    /// Silence of the peer after which the connection is over: 10 s in Teeworlds, 100 s in DDNet
    /// (`conn_timeout`).
    pub receive_timeout: Duration,
    /// Age of an unacknowledged message at which the connection is over: 10 s in Teeworlds,
    /// 100 s in DDNet (`conn_timeout`).
    pub unacked_timeout: Duration,
    /// How long after it was queued or last sent again the oldest unacknowledged message is sent
    /// again: 1 s in all games.
    pub resend_after: Duration,
    /// The shortest time between two answers to requests to send again: 100 ms in DDNet
    /// (`conn_resend_requests_per_second` 10). Teeworlds answers every one; that makes a peer an
    /// amplifier, so there is a limit here all the same.
    pub resend_answer_after: Duration,
    /// How long after the last datagram queued messages are sent without being asked to: 500 ms
    /// in all games.
    pub flush_after: Duration,
    /// How long after the last datagram a KEEPALIVE is sent: 1 s in all games.
    pub keepalive_after: Duration,
    /// How often a message of the handshake is repeated: every 500 ms in all games.
    pub retry_after: Duration,
    /// How long a client of 0.7 waits for a token: 5 s in Teeworlds.
    pub token_timeout: Duration,
    /// How many bytes of messages may be unacknowledged, with what the games' own ring takes
    /// beside each message: 32 KiB (`NET_CONN_BUFFERSIZE`) in all games.
    pub resend_buffer: usize,
    /// What happens when there are more.
    pub overflow: OverflowPolicy,
    /// Bytes of the payload buffer: 1394 in 0.6.4 and DDNet up to 20.0-rc6, 1390 in 0.6.5, 1391 in
    /// 0.7 (`NET_MAX_PAYLOAD`), 1397 in DDNet after that.
    pub max_payload: usize,
    /// Bytes that must be free behind a message for it to be put into the packet: 5 in 0.6, 3 in
    /// 0.7 (`NET_MAX_CHUNKHEADERSIZE`). DDNet adds the 4 of a token, whatever the dialect: 9 up to
    /// 16, 7 from 17 on.
    pub chunk_reserve: usize,
    /// How compressed payloads end: [`TrailingByte::Exact`] in DDNet from 20 on, else
    /// [`TrailingByte::ExtraByte`].
    pub ending: TrailingByte,
    /// How many bytes of the reason of a CLOSE are kept: 127 in Teeworlds, 255 in DDNet.
    pub close_reason_max: usize,
    /// Whether the peer is told with a CLOSE when it timed out: Teeworlds does, DDNet does not.
    pub close_on_timeout: bool,
    /// Whether packets are refused that ask for nothing and hold nothing, and control packets
    /// that are compressed or announce chunks: DDNet does from 19.4 on, Teeworlds does not.
    pub strict_packets: bool,
}

impl LinkConfig {
    /// What Teeworlds has: 0.6.4, 0.6.5 or 0.7.5, as `dialect` says. No Teeworlds speaks
    /// [`Dialect::Tken`]; it gets the packet sizes of DDNet.
    #[must_use]
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

    /// What DDNet's development version of August 2026, after 20.0-rc6, has, whatever the dialect.
    /// 17 to 19 have [`LinkConfig::max_payload`] 1394 and [`TrailingByte::ExtraByte`], and up to 19.3
    /// [`LinkConfig::strict_packets`] off. For 16 there is [`LinkConfig::ddnet_16`].
    #[must_use]
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

    /// What DDNet 16 has, whatever the dialect: 16.4 is the release that the live tests play against.
    #[must_use]
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

//! Oddities of packets that real peers accept or drop.

use gamewire_wire::Warning;

/// All warnings of this protocol.
pub const ALL: &[&Warning] = &[
    &OVERLONG_NUMBER,
    &LARGE_ID,
    &LONG_ACK,
    &PADDING_BITS,
    &EXTRA_BYTES,
    &UNKNOWN_HEADER,
    &TOO_LONG,
    &LEGACY_STOP,
    &SEQUENCE_GAP,
    &ACK_UNSENT,
    &UNSOLICITED_REPLY,
    &OTHER_CLIENT_ID,
    &STREAM_OUT_OF_SYNC,
];

pub(crate) const OVERLONG_NUMBER: Warning =
    Warning::tolerated("overlong_number", "The number takes more bytes than it needs.");
/// A message id beyond 16 bits (docs/protocols/riptide.md, "Values of the bit format").
pub(crate) const LARGE_ID: Warning = Warning::tolerated(
    "large_id",
    "The message id has more than 16 bits; the C# library uses the lowest 16.",
);
/// The ack of 2.1.0 to 2.1.2 (docs/protocols/riptide.md, "Ack").
pub(crate) const LONG_ACK: Warning = Warning::tolerated(
    "long_ack",
    "The ack carries the id of one more message, although its flag says that it does not.",
);
pub(crate) const PADDING_BITS: Warning =
    Warning::tolerated("padding_bits", "Padding bits of the last byte are set; they mean nothing.");
/// Bytes after the last field (docs/protocols/riptide.md, "Trailing bytes").
pub(crate) const EXTRA_BYTES: Warning =
    Warning::tolerated("extra_bytes", "There are bytes after the last field, which the C# library ignores.");
pub(crate) const UNKNOWN_HEADER: Warning = Warning::dropped(
    "unknown_header",
    "No packet has this header. The C# library acknowledges it like a reliable message, then drops it.",
);
pub(crate) const TOO_LONG: Warning = Warning::tolerated(
    "too_long",
    "The packet is longer than the largest message; the C# library drops the part beyond its buffer.",
);
/// A server of 2.1.0 to 2.2.0 stops (docs/protocols/riptide.md, "Disconnect").
pub(crate) const LEGACY_STOP: Warning = Warning::tolerated(
    "legacy_stop",
    "Two bytes of the older format: a server of 2.1.0 to 2.2.0 that stops. They mean reason 5.",
);
pub(crate) const SEQUENCE_GAP: Warning = Warning::tolerated(
    "sequence_gap",
    "Messages with smaller numbers were not captured: they were lost or arrive later.",
);
pub(crate) const ACK_UNSENT: Warning = Warning::tolerated(
    "ack_unsent",
    "The ack names a message with a larger number than any captured message of the peer.",
);
pub(crate) const UNSOLICITED_REPLY: Warning =
    Warning::tolerated("unsolicited_reply", "None of the last heartbeats of the client matches this reply.");
pub(crate) const OTHER_CLIENT_ID: Warning = Warning::tolerated(
    "other_client_id",
    "The client echoes a different id than the server assigned; the C# library logs that and accepts it.",
);
pub(crate) const STREAM_OUT_OF_SYNC: Warning = Warning::tolerated(
    "stream_out_of_sync",
    "The start of the next frame is not known, because earlier bytes were not captured.",
);

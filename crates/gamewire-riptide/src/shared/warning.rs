//! What real peers accept, or drop, and a decoder should speak of.

use gamewire_wire::Warning;

/// A number of variable length in more bytes than it needs.
pub const OVERLONG_NUMBER: Warning =
    Warning::tolerated("overlong_number", "The number takes more bytes than it needs.");
/// A message id beyond 16 bits (docs/protocols/riptide.md, "Values of the bit format").
pub const LARGE_ID: Warning =
    Warning::tolerated("large_id", "The message id has more than 16 bits; the original takes the lowest 16.");
/// The ack of 2.1.0 to 2.1.2 (docs/protocols/riptide.md, "Ack").
pub const LONG_ACK: Warning = Warning::tolerated(
    "long_ack",
    "The ack carries the id of one more message, though its flag says that it does not.",
);
/// Bits that only fill up the last byte are set.
pub const PADDING_BITS: Warning =
    Warning::tolerated("padding_bits", "Bits that only fill up the last byte are set; they mean nothing.");
/// Bytes behind the last field (docs/protocols/riptide.md, "Trailing bytes").
pub const EXTRA_BYTES: Warning =
    Warning::tolerated("extra_bytes", "There are bytes behind the last field, which the original ignores.");
/// A header without a meaning.
pub const UNKNOWN_HEADER: Warning = Warning::dropped(
    "unknown_header",
    "No packet has this header: the original acknowledges it like a reliable message, then drops it.",
);
/// More bytes than the original's buffer holds.
pub const TOO_LONG: Warning = Warning::tolerated(
    "too_long",
    "The packet is longer than the largest message; the original loses what does not fit its buffer.",
);
/// The server of 2.1.0 to 2.2.0 stops (docs/protocols/riptide.md, "Disconnect").
pub const LEGACY_STOP: Warning = Warning::tolerated(
    "legacy_stop",
    "Two raw bytes of the older format: a server of 2.1.0 to 2.2.0 that stops. They mean reason 5.",
);

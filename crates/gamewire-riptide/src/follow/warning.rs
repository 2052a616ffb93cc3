//! What is odd about a packet because of those before it.

use gamewire_wire::Warning;

/// Reliable or notify messages are missing in front of this one.
pub const SEQUENCE_GAP: Warning = Warning::tolerated(
    "sequence_gap",
    "Messages with smaller numbers were not seen: they got lost, or come later.",
);
/// An ack of something that was not seen.
pub const ACK_UNSENT: Warning = Warning::tolerated(
    "ack_unsent",
    "It acknowledges a message with a larger number than the other end was seen to send.",
);
/// A heartbeat is answered that was not seen.
pub const UNSOLICITED_REPLY: Warning =
    Warning::tolerated("unsolicited_reply", "It answers none of the last heartbeats of the client.");
/// The client repeats another id than it was given.
pub const OTHER_CLIENT_ID: Warning = Warning::tolerated(
    "other_client_id",
    "The client repeats another id than the server gave it; the original complains and takes it.",
);
/// Bytes of a stream that follow a hole, or come from before the capture.
pub const STREAM_OUT_OF_SYNC: Warning = Warning::tolerated(
    "stream_out_of_sync",
    "Where a frame begins is not known: what came before was not seen.",
);

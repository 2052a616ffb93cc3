//! Oddities of packets that real peers accept or drop (docs/protocols/riptide.md).

use gamewire_wire::warnings;

warnings! {
    OVERLONG_NUMBER tolerated "overlong_number"
        "The number takes more bytes than it needs.";
    LARGE_ID tolerated "large_id"
        "The message id has more than 16 bits; the C# library uses the lowest 16.";
    LONG_ACK tolerated "long_ack"
        "The ack carries the id of one more message, although its flag says that it does not.";
    PADDING_BITS tolerated "padding_bits"
        "Padding bits of the last byte are set; they mean nothing.";
    EXTRA_BYTES tolerated "extra_bytes"
        "There are bytes after the last field, which the C# library ignores.";
    UNKNOWN_HEADER dropped "unknown_header"
        "No packet has this header. The C# library acknowledges it like a reliable message, then drops it.";
    TOO_LONG tolerated "too_long"
        "The packet is longer than the largest message; the C# library drops the part beyond its buffer.";
    LEGACY_STOP tolerated "legacy_stop"
        "Two bytes of the older format: a server of 2.1.0 to 2.2.0 that stops. They mean reason 5.";
    SEQUENCE_GAP tolerated "sequence_gap"
        "Messages with smaller numbers were not captured: they were lost or arrive later.";
    ACK_UNSENT tolerated "ack_unsent"
        "The ack names a message with a larger number than any captured message of the peer.";
    UNSOLICITED_REPLY tolerated "unsolicited_reply"
        "None of the last heartbeats of the client matches this reply.";
    OTHER_CLIENT_ID tolerated "other_client_id"
        "The client echoes a different id than the server assigned; the C# library logs that and accepts it.";
    STREAM_OUT_OF_SYNC tolerated "stream_out_of_sync"
        "The start of the next frame is not known, because earlier bytes were not captured.";
}

//! Warnings of the decoders: unusual bytes that real peers accept or drop.

use gamewire_wire::Warning;

/// All warnings of this protocol.
pub(crate) const ALL: &[&Warning] = &[
    &OVERLONG_INT,
    &PADDED_INT,
    &OUT_OF_RANGE,
    &MISSING_STRING,
    &EXTRA_BYTES,
    &UNKNOWN_MESSAGE,
    &UNUSED_BITS,
    &SEQUENCE_BITS,
    &BYTES_AFTER_CHUNKS,
    &CHUNKS_IN_CONTROL,
    &ITEM_SIZE,
    &UNKNOWN_ITEM,
    &UNDECLARED_ITEM,
    &NOT_A_NUMBER,
    &LATE_START,
    &MISSING_BASE,
    &SEQUENCE_GAP,
    &WRONG_TOKEN,
];

/// An integer in more bytes than it needs; every game reads it (docs/protocols/teeworlds.md, "Packing").
pub const OVERLONG_INT: Warning =
    Warning::tolerated("overlong_int", "The integer takes more bytes than it needs.");
/// An integer whose fifth byte has bits beyond the 32nd (docs/protocols/teeworlds.md, "Packing").
pub const PADDED_INT: Warning =
    Warning::tolerated("padded_int", "The integer has bits beyond the 32nd, which games read differently.");
/// A number out of its range (docs/protocols/teeworlds.md, "What the real programs do with odd input").
pub const OUT_OF_RANGE: Warning = Warning::dropped(
    "out_of_range",
    "The number is out of range: the games drop the message, or for some objects clamp the number.",
);
/// A string at the end of the data (docs/protocols/teeworlds.md, "Packing").
pub const MISSING_STRING: Warning = Warning::tolerated(
    "missing_string",
    "The string is missing: Teeworlds reads an empty one, DDNet drops the message.",
);
/// Bytes after the last field of a message (docs/protocols/teeworlds.md, "What the real programs do with odd input").
pub const EXTRA_BYTES: Warning =
    Warning::tolerated("extra_bytes", "There are bytes after the last field, which the games ignore.");
/// A message id that this version does not have.
pub const UNKNOWN_MESSAGE: Warning =
    Warning::tolerated("unknown_message", "No message of this version has this id.");
/// Bits of a packet header that every game sends as 0.
pub const UNUSED_BITS: Warning =
    Warning::tolerated("unused_bits", "Bits that are unused in this version are set.");
/// The two copies of bits 6 and 7 of a 0.6 sequence number differ (docs/protocols/teeworlds.md, "Chunk header").
pub const SEQUENCE_BITS: Warning =
    Warning::tolerated("sequence_bits", "The sequence number is sent twice in part, and the copies differ.");
/// Bytes after the last chunk that the header announces.
pub const BYTES_AFTER_CHUNKS: Warning =
    Warning::tolerated("bytes_after_chunks", "There are bytes after the last chunk, which the games ignore.");
/// A control packet whose header announces chunks.
pub const CHUNKS_IN_CONTROL: Warning =
    Warning::tolerated("chunks_in_control", "A control packet announces chunks; it has none.");
/// An object whose size is not the one this version knows.
pub const ITEM_SIZE: Warning = Warning::dropped(
    "item_size",
    "The size of the object is not that of this version; the games drop the object.",
);
/// An object type without a known meaning.
pub const UNKNOWN_ITEM: Warning =
    Warning::tolerated("unknown_item", "No object of this version has this type.");
/// A DDNet object type that no item of the snapshot declares (docs/protocols/teeworlds.md, "Snapshots").
pub const UNDECLARED_ITEM: Warning = Warning::tolerated(
    "undeclared_item",
    "No item declares this object type; DDNet's first snapshot has no declarations.",
);
/// Decimal text that is not a number (0.6 server info).
pub const NOT_A_NUMBER: Warning = Warning::tolerated(
    "not_a_number",
    "The text is not a whole decimal number; the games read its leading digits.",
);
/// A capture that starts in the middle of the conversation.
pub const LATE_START: Warning = Warning::tolerated(
    "late_start",
    "The start of this conversation is missing: the dialect is a guess, and tokens and earlier snapshots are unknown.",
);
/// A snapshot whose base is not known.
pub const MISSING_BASE: Warning = Warning::tolerated(
    "missing_base",
    "The base of this snapshot is not known, so only the differences can be shown.",
);
/// Vital chunks that are missing before this one.
pub const SEQUENCE_GAP: Warning = Warning::tolerated(
    "sequence_gap",
    "Vital chunks before this one are missing; the receiver requests a resend.",
);
/// A token that the receiver did not issue.
pub const WRONG_TOKEN: Warning =
    Warning::dropped("wrong_token", "The receiver did not issue this token; it drops the packet silently.");

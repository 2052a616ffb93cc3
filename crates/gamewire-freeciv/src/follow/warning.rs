//! Warnings about conversations that cannot be followed completely.

use gamewire_wire::Warning;

/// The first byte of the connection is missing.
pub const LATE_START: Warning = Warning::tolerated(
    "late_start",
    "The capture starts in the middle of the connection. Freeciv packets build on earlier ones, so the bytes are only counted.",
);
/// Bytes of a direction are missing.
pub const MISSING_BYTES: Warning = Warning::tolerated(
    "missing_bytes",
    "The capture lacks bytes of this direction. Later packets build on them, so the rest is only counted.",
);
/// There is no definition of the version.
pub const UNKNOWN_VERSION: Warning = Warning::tolerated(
    "unknown_version",
    "There is no definition of this version of Freeciv, so only frames are decoded. Give its packets.def with --definition.",
);
/// The client's capabilities were not seen.
pub const ASSUMED_CAPABILITIES: Warning = Warning::tolerated(
    "assumed_capabilities",
    "The client's capabilities were not seen. They are assumed to be those of the server.",
);
/// There was too much output for one run of bytes.
pub const TRUNCATED_OUTPUT: Warning = Warning::tolerated(
    "truncated_output",
    "This run of bytes has too many fields. The remaining packets are decoded and counted, but not shown.",
);

//! What keeps a conversation from being followed as a whole.

use gamewire_wire::Warning;

/// The conversation was not caught from its first byte.
pub const LATE_START: Warning = Warning::tolerated(
    "late_start",
    "Freeciv can only be followed from the first byte of a connection, and this one began before the capture: its bytes are only counted.",
);
/// Bytes of a direction are missing.
pub const MISSING_BYTES: Warning = Warning::tolerated(
    "missing_bytes",
    "Bytes are missing in the capture; what follows in this direction builds on them, and is only counted.",
);
/// There is no definition of the version.
pub const UNKNOWN_VERSION: Warning = Warning::tolerated(
    "unknown_version",
    "No definition of this version of Freeciv is at hand, so only frames are told: name its packets.def with --definition.",
);
/// The client's capabilities were not seen.
pub const ASSUMED_CAPABILITIES: Warning = Warning::tolerated(
    "assumed_capabilities",
    "What the client can was not seen; it is taken to be all that the server can.",
);
/// There was too much to tell of one run.
pub const TRUNCATED_OUTPUT: Warning = Warning::tolerated(
    "truncated_output",
    "There is too much in this run of bytes to be told; the packets behind are followed and counted.",
);

//! What keeps a conversation from being followed as a whole.

use gamewire_wire::Oddity;

/// The conversation was not caught from its first byte.
pub const LATE: Oddity = Oddity::tolerated(
    "late",
    "Freeciv can only be followed from the first byte of a connection, and this one began before the capture: its bytes are only counted.",
);
/// Bytes of a direction are missing.
pub const HOLE: Oddity = Oddity::tolerated(
    "hole",
    "Bytes are missing in the capture; what follows in this direction builds on them, and is only counted.",
);
/// There is no definition of the version.
pub const UNKNOWN_VERSION: Oddity = Oddity::tolerated(
    "unknown_version",
    "No definition of this version of Freeciv is at hand, so only frames are told: name its packets.def with --definition.",
);
/// The client's capabilities were not seen.
pub const ASSUMED_CAPABILITIES: Oddity = Oddity::tolerated(
    "assumed_capabilities",
    "What the client can was not seen; it is taken to be all that the server can.",
);
/// There was too much to tell of one run.
pub const LEFT_OUT: Oddity = Oddity::tolerated(
    "left_out",
    "There is too much in this run of bytes to be told; the packets behind are followed and counted.",
);

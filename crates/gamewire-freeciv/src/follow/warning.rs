//! Warnings about conversations that cannot be followed completely.

use gamewire_wire::warnings;

warnings! {
    LATE_START tolerated "late_start"
        "The capture starts in the middle of the connection. Freeciv packets build on earlier ones, so the bytes are only counted.";
    MISSING_BYTES tolerated "missing_bytes"
        "The capture lacks bytes of this direction. Later packets build on them, so the rest is only counted.";
    UNKNOWN_VERSION tolerated "unknown_version"
        "There is no definition of this version of Freeciv, so only frames are decoded. Give its packets.def with --definition.";
    ASSUMED_CAPABILITIES tolerated "assumed_capabilities"
        "The client's capabilities were not seen. They are assumed to be those of the server.";
    TRUNCATED_OUTPUT tolerated "truncated_output"
        "This run of bytes has too many fields. The remaining packets are decoded and counted, but not shown.";
}

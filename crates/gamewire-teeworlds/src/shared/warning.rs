//! Warnings of the decoders: unusual bytes that real peers accept or drop (docs/protocols/teeworlds.md, "Packing",
//! "Chunk header", "Snapshots" and "What the real programs do with odd input").

use gamewire_wire::warnings;

warnings! {
    OVERLONG_INT tolerated "overlong_int"
        "The integer takes more bytes than it needs.";
    PADDED_INT tolerated "padded_int"
        "The integer has bits beyond the 32nd, which games read differently.";
    OUT_OF_RANGE dropped "out_of_range"
        "The number is out of range: the games drop the message, or for some objects clamp the number.";
    MISSING_STRING tolerated "missing_string"
        "The string is missing: Teeworlds reads an empty one, DDNet drops the message.";
    UNTERMINATED_STRING tolerated "unterminated_string"
        "The string has no zero byte at its end: the games read it up to the end of the packet.";
    EXTRA_BYTES tolerated "extra_bytes"
        "There are bytes after the last field, which the games ignore.";
    UNKNOWN_MESSAGE tolerated "unknown_message"
        "No message of this version has this id.";
    UNUSED_BITS tolerated "unused_bits"
        "Bits that are unused in this version are set.";
    SEQUENCE_BITS tolerated "sequence_bits"
        "The sequence number is sent twice in part, and the copies differ.";
    BYTES_AFTER_CHUNKS tolerated "bytes_after_chunks"
        "There are bytes after the last chunk, which the games ignore; segmentation offload may have merged datagrams in the capture.";
    CHUNKS_IN_CONTROL tolerated "chunks_in_control"
        "A control packet announces chunks; it has none.";
    ITEM_SIZE dropped "item_size"
        "The size of the object is not that of this version; the games drop the object.";
    UNKNOWN_ITEM tolerated "unknown_item"
        "No object of this version has this type.";
    UNDECLARED_ITEM tolerated "undeclared_item"
        "No item declares this object type; DDNet's first snapshot has no declarations.";
    NOT_A_NUMBER tolerated "not_a_number"
        "The text is not a whole decimal number; the games read its leading digits.";
    LATE_START tolerated "late_start"
        "The start of this conversation is missing: the dialect is a guess, and tokens and earlier snapshots are unknown.";
    MISSING_BASE tolerated "missing_base"
        "The base of this snapshot is not known, so only the differences can be shown.";
    SEQUENCE_GAP tolerated "sequence_gap"
        "Vital chunks before this one are missing; the receiver requests a resend.";
    MERGED_DATAGRAMS tolerated "merged_datagrams"
        "Longer than every datagram of the games: segmentation offload merged several in the capture. It does not show where each ends; capture on another machine, or turn the offload off.";
    WRONG_TOKEN dropped "wrong_token"
        "The receiver did not issue this token; it drops the packet silently.";
}

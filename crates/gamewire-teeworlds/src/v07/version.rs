//! The version, and its chunk header (docs/protocols/teeworlds.md, "Chunk header").
//!
//! ```text
//! byte 0   F F size 11..6             resend, vital
//! byte 1   sequence 9..8, size 5..0
//! byte 2   sequence 7..0              vital chunks only
//! ```

use crate::shared::version::version;

version! {
    /// Teeworlds 0.7.
    V07 {
        chunk_low_bits: 6,
        // The race objects after this type are sent with their size, because 0.7.0 does not know them
        // (docs/protocols/teeworlds.md, "Snapshots").
        last_fixed_size: 22,
    }
}

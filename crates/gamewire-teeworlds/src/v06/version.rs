//! The version, and its chunk header (docs/protocols/teeworlds.md, "Chunk header").
//!
//! ```text
//! byte 0   F F size 9..4              resend, vital
//! byte 1   sequence 9..6, size 3..0
//! byte 2   sequence 7..0              vital chunks only; bits 7 and 6 are sent twice
//! ```

use crate::shared::version::version;

version! {
    /// Teeworlds 0.6.
    V06 {
        chunk_low_bits: 4,
        // Every plain type has a fixed size.
        last_fixed_size: u16::MAX,
    }
}

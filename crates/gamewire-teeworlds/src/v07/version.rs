//! The version, and its chunk header (docs/protocols/teeworlds.md, "Chunk header").
//!
//! ```text
//! byte 0   F F size 11..6             resend, vital
//! byte 1   sequence 9..8, size 5..0
//! byte 2   sequence 7..0              vital chunks only
//! ```

use crate::shared::version::{Senders, version};

version! {
    /// Teeworlds 0.7.
    V07 {
        chunk_low_bits: 6,
        // The race objects after this type are sent with their size, because 0.7.0 does not know them
        // (docs/protocols/teeworlds.md, "Snapshots").
        last_fixed_size: 22,
        senders: Senders {
            server_system: &[2..=15, 29..=29, 30..=30],
            server_game: &[1..=23, 33..=33, 35..=38],
            client_system: &[1..=1, 18..=23],
            client_game: &[24..=32, 34..=34, 39..=39],
        },
    }
}

/// How hard chunks are compressed: 0 not at all, 1 the fastest, 9 the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompressionLevel(u8);

impl CompressionLevel {
    /// Packets are never compressed.
    pub const NONE: Self = Self(0);
    /// What zlib takes by default.
    pub const DEFAULT: Self = Self(6);

    /// The level of a number: -1 and all that are no level stand for the default, as in Freeciv.
    #[must_use]
    pub fn new(level: i64) -> Self {
        match u8::try_from(level) {
            Ok(level @ 0..=9) => Self(level),
            _ => Self::DEFAULT,
        }
    }

    /// The level as `FREECIV_COMPRESSION_LEVEL` spells it; what is no number is the default.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        text.trim().parse().map_or(Self::DEFAULT, Self::new)
    }

    /// From 0 to 9.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for CompressionLevel {
    fn default() -> Self {
        Self::DEFAULT
    }
}

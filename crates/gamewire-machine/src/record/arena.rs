/// A range of bytes in the arena or in the names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct ArenaRange {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl ArenaRange {
    pub(super) const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns the bytes at this range.
    pub(super) fn bytes(self, arena: &[u8]) -> &[u8] {
        arena.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Returns the name at this range.
    pub(super) fn name(self, names: &str) -> &str {
        names.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Converts a count to `u32`. A record describes one datagram, so the counts of a valid record fit.
pub(super) fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

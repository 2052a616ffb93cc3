//! The supported games, and their common numbers.

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Teeworlds 0.6.5. No server was compared: the rules are those that its source shows.
    Teeworlds06,
    /// Teeworlds 0.7.5.
    Teeworlds07,
    /// DDNet 16.4.
    Ddnet16,
    /// DDNet 20.1.
    Ddnet20,
}

impl Rules {
    /// Returns whether the game is a release of DDNet.
    #[must_use]
    #[inline]
    pub const fn is_ddnet(self) -> bool {
        matches!(self, Self::Ddnet16 | Self::Ddnet20)
    }

    /// Returns whether the game is Teeworlds 0.7.
    #[must_use]
    #[inline]
    pub const fn is_07(self) -> bool {
        matches!(self, Self::Teeworlds07)
    }
}

/// Ticks per second.
pub const TICKS_PER_SECOND: i32 = 50;

/// Side of a tile in units of a position.
pub const TILE_SIZE: i32 = 32;

/// Side of the square that a tee occupies, in units of a position.
pub const TEE_SIZE: f32 = 28.0;

/// Maximum number of tees in a world.
pub const MAX_TEES: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_is_of_one_family() {
        let all = [Rules::Teeworlds06, Rules::Teeworlds07, Rules::Ddnet16, Rules::Ddnet20];
        assert_eq!(all.map(Rules::is_ddnet), [false, false, true, true]);
        assert_eq!(all.map(Rules::is_07), [false, true, false, false]);
    }
}

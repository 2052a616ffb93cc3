//! The input of a player.

use crate::rules::Rules;

/// The input of a player for a tick, with the fields of the games' input object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeeInput {
    /// -1 for left, 0 for none, 1 for right.
    pub direction: i32,
    /// Aim relative to the tee, to the right.
    pub target_x: i32,
    /// Aim relative to the tee, downwards.
    pub target_y: i32,
    /// True if the jump key is held: not 0.
    pub jump: i32,
    /// Counter of changes of the fire key, modulo 64. It is odd while the key is held.
    pub fire: i32,
    /// True if the hook key is held: not 0.
    pub hook: i32,
    /// Flags of the player, such as chatting.
    pub player_flags: i32,
    /// Wanted weapon plus 1; 0 for none.
    pub wanted_weapon: i32,
    /// Counter of the key for the next weapon.
    pub next_weapon: i32,
    /// Counter of the key for the previous weapon.
    pub prev_weapon: i32,
}

/// Bits of an input's counters.
const COUNTER_MASK: i32 = 0x3f;

impl TeeInput {
    /// Creates an input from the integers of the games' input object, in their order.
    #[must_use]
    pub const fn from_wire(ints: [i32; 10]) -> Self {
        let [
            direction,
            target_x,
            target_y,
            jump,
            fire,
            hook,
            player_flags,
            wanted_weapon,
            next_weapon,
            prev_weapon,
        ] = ints;
        Self {
            direction,
            target_x,
            target_y,
            jump,
            fire,
            hook,
            player_flags,
            wanted_weapon,
            next_weapon,
            prev_weapon,
        }
    }

    /// Returns the input as the character receives it: a tee without an aim aims upwards.
    #[must_use]
    pub const fn with_aim(mut self) -> Self {
        if self.target_x == 0 && self.target_y == 0 {
            self.target_y = -1;
        }
        self
    }

    /// Returns the input of a tee that has just spawned. DDNet's tees aim upwards.
    #[must_use]
    pub const fn at_spawn(rules: Rules) -> Self {
        let zero = Self::from_wire([0; 10]);
        if rules.is_ddnet() { zero.with_aim() } else { zero }
    }
}

/// Returns the number of presses between two values of a counter.
#[must_use]
pub(crate) fn presses(previous: i32, current: i32) -> i32 {
    let (mut at, end) = (previous & COUNTER_MASK, current & COUNTER_MASK);
    let mut count = 0_i32;
    while at != end {
        at = at.wrapping_add(1) & COUNTER_MASK;
        count = count.wrapping_add(at & 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_is_a_step_to_an_odd_value() {
        assert_eq!((presses(0, 1), presses(1, 2), presses(0, 4)), (1, 0, 2));
        assert_eq!(presses(63, 1), 1);
        assert_eq!(presses(0, -1), 32);
    }

    #[test]
    fn an_input_without_an_aim_aims_upwards() {
        assert_eq!(TeeInput::default().with_aim().target_y, -1);
        let aimed = TeeInput { target_x: 3, ..TeeInput::default() };
        assert_eq!(aimed.with_aim(), aimed);
        assert_eq!(TeeInput::at_spawn(Rules::Teeworlds07).target_y, 0);
        assert_eq!(TeeInput::at_spawn(Rules::Ddnet20).target_y, -1);
    }
}

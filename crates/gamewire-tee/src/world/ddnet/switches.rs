use crate::rules::TICKS_PER_SECOND;

/// The switches of DDNet's team 0 by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switches {
    /// Bits of the numbers that are off.
    pub(crate) open: [u64; 4],
    /// Ticks at which switches change back; 0 for never.
    ends: [i32; 256],
}

impl Default for Switches {
    fn default() -> Self {
        Self { open: [0; 4], ends: [0; 256] }
    }
}

impl Switches {
    /// Turns a switch on or off, for `seconds` or for good.
    pub(crate) fn set(&mut self, number: u8, is_on: bool, tick: i32, seconds: Option<u8>) {
        if let Some(word) = self.open.get_mut(usize::from(number >> 6)) {
            let bit = 1_u64 << (number & 63);
            *word = if is_on { *word & !bit } else { *word | bit };
        }
        let ticks = |seconds: u8| {
            tick.wrapping_add(1).wrapping_add(i32::from(seconds).wrapping_mul(TICKS_PER_SECOND))
        };
        if let Some(end) = self.ends.get_mut(usize::from(number)) {
            *end = seconds.map_or(0, ticks);
        }
    }

    /// Turns timed switches back at their end.
    pub(crate) fn tick(&mut self, tick: i32) {
        for (number, end) in (0..=u8::MAX).zip(&mut self.ends) {
            if *end != 0 && *end <= tick {
                *end = 0;
                if let Some(word) = self.open.get_mut(usize::from(number >> 6)) {
                    *word ^= 1_u64 << (number & 63);
                }
            }
        }
    }

    /// Returns whether a switch is on. A switch without a number always is.
    pub(crate) fn is_on(&self, number: u8) -> bool {
        let word = self.open.get(usize::from(number >> 6)).copied().unwrap_or(0);
        number == 0 || word >> (number & 63) & 1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timed_switch_changes_back() {
        let mut switches = Switches::default();
        assert!(switches.is_on(200));
        switches.set(200, false, 10, Some(2));
        switches.tick(110);
        assert!(!switches.is_on(200));
        switches.tick(111);
        assert!(switches.is_on(200));
        switches.set(0, false, 10, None);
        assert!(switches.is_on(0));
    }
}

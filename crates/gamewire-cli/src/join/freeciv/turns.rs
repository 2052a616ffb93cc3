use super::stats::Bytes;

/// The turns of a game.
#[derive(Debug, Default)]
pub(super) struct Turns {
    current: Option<Turn>,
    /// The number of finished turns.
    pub(super) over: u32,
}

/// A turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) number: i64,
    pub(super) year: i64,
    /// The number of bytes before it.
    pub(super) before: Bytes,
    /// True after the player has acted in it.
    is_done: bool,
}

impl Turns {
    /// Starts the game or a turn.
    pub(super) fn begin(&mut self, (number, year): (i64, i64), before: Bytes) {
        if self.current.is_none_or(|turn| turn.number != number) {
            self.current = Some(Turn { number, year, before, is_done: false });
        }
    }

    /// Returns the turn that ends because another one starts.
    pub(super) fn end(&mut self, next: i64) -> Option<Turn> {
        let turn = self.current.take_if(|turn| turn.number != next)?;
        self.over = self.over.saturating_add(1);
        Some(turn)
    }

    /// Returns the turn in which to act now, each once.
    pub(super) fn act(&mut self) -> Option<i64> {
        let turn = self.current.as_mut().filter(|turn| !turn.is_done)?;
        turn.is_done = true;
        Some(turn.number)
    }

    /// Returns true if the game runs.
    pub(super) const fn is_running(&self) -> bool {
        self.current.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_every_turn_one_acts_once_and_it_is_over_when_the_next_begins() {
        let mut turns = Turns::default();
        assert!(!turns.is_running() && turns.act().is_none());
        turns.begin((1, -4000), Bytes::default());
        assert_eq!((turns.act(), turns.act()), (Some(1), None));
        turns.begin((1, -4000), Bytes::default());
        assert_eq!(turns.act(), None, "the same turn again");
        assert!(turns.end(1).is_none());
        assert_eq!(turns.end(2).map(|turn| (turn.number, turn.year)), Some((1, -4000)));
        turns.begin((2, -3950), Bytes::default());
        assert_eq!((turns.act(), turns.over), (Some(2), 1));
    }
}

use crate::Dialect;
use crate::model::{Audience, ClientId};

impl Dialect {
    /// Returns the author and the audience of a line of chat as a receiver gets them. Only whispers change. DDNet sends
    /// its clients of 0.6 the other player. Older clients of 0.6 get a line for all players.
    #[must_use]
    pub fn addressed(
        self,
        receiver: Option<ClientId>,
        from: Option<ClientId>,
        audience: Audience,
    ) -> (Option<ClientId>, Audience) {
        match (self, audience) {
            (Self::V07, _) | (_, Audience::All | Audience::Team) => (from, audience),
            (Self::V06 | Self::V065, Audience::Whisper(_)) => (from, Audience::All),
            (Self::Tken, Audience::Whisper(target)) if from == receiver => (None, Audience::Whisper(target)),
            (Self::Tken, Audience::Whisper(_)) => (from, Audience::Whisper(None)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_whisper_learn_of_the_other() {
        let (one, two) = (Some(ClientId(1)), Some(ClientId(2)));
        let whisper = Audience::Whisper;
        for (dialect, author, receiver) in [
            (Dialect::V07, (one, whisper(two)), (one, whisper(two))),
            (Dialect::Tken, (None, whisper(two)), (one, whisper(None))),
            (Dialect::V06, (one, Audience::All), (one, Audience::All)),
        ] {
            assert_eq!(dialect.addressed(one, one, whisper(two)), author);
            assert_eq!(dialect.addressed(two, one, whisper(two)), receiver);
            assert_eq!(dialect.addressed(two, one, Audience::Team), (one, Audience::Team));
        }
    }
}

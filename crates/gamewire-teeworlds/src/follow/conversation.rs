//! State of a conversation: sequence numbers and tokens.

use gamewire_machine::Role;

use crate::shared::data::Token;
use crate::shared::packet::SEQUENCE_SPACE;

/// Watches the vital sequence numbers of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    last: Option<u16>,
}

/// How a vital chunk fits those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// It is the next one, or the first that was seen.
    Next,
    /// It was seen before, as resent chunks are.
    Repeated,
    /// Others before it were not seen.
    Gap,
}

impl Sequence {
    /// Takes the number of the next vital chunk.
    pub(super) fn take(&mut self, sequence: u16) -> SeqCheck {
        let Some(last) = self.last else {
            self.last = Some(sequence);
            return SeqCheck::Next;
        };
        let ahead = sequence.wrapping_sub(last) % SEQUENCE_SPACE;
        match ahead {
            1 => {
                self.last = Some(sequence);
                SeqCheck::Next
            }
            // The games' "backroom": the last number and the 512 before it.
            0 | 512.. => SeqCheck::Repeated,
            _ => {
                self.last = Some(sequence);
                SeqCheck::Gap
            }
        }
    }
}

/// The tokens of a conversation, by who handed them out, as far as they were seen.
///
/// A token that was handed out takes the place of the one in use only when a packet carries it:
/// somebody else may have sent it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    client: TokenPair,
    server: TokenPair,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TokenPair {
    used: Option<Token>,
    offered: Option<Token>,
}

impl TokenPair {
    /// Whether it is the token in use, or takes its place; while none is known, any may be right.
    fn accepts(&mut self, token: Token) -> bool {
        if self.used != Some(token) && self.offered == Some(token) {
            *self = Self { used: Some(token), offered: None };
        }
        *self == Self::default() || self.used == Some(token)
    }
}

impl Tokens {
    /// `side` handed out `token`.
    pub(super) fn handed_out(&mut self, side: Role, token: Token) {
        match side {
            Role::Client => self.client.offered = Some(token),
            Role::Server => self.server.offered = Some(token),
        }
    }

    /// Whether the receiver of a packet from `sender` takes `token`.
    pub(super) fn accepts(&mut self, sender: Role, token: Token) -> bool {
        match sender {
            Role::Client => self.server.accepts(token),
            Role::Server => self.client.accepts(token),
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_at_1024() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.take(1023), SeqCheck::Next);
        assert_eq!(sequence.take(0), SeqCheck::Next);
        assert_eq!(sequence.take(1023), SeqCheck::Repeated);
        assert_eq!(sequence.take(1), SeqCheck::Next);
    }

    #[test]
    fn the_number_512_before_the_last_one_is_old_as_in_the_games_and_the_next_older_one_is_ahead() {
        for last in [0_u16, 511, 512, 1023] {
            let before = |count: u16| (last + SEQUENCE_SPACE - count) % SEQUENCE_SPACE;
            let fit = |number| {
                let mut sequence = Sequence::default();
                sequence.take(last);
                sequence.take(number)
            };
            assert_eq!([before(0), before(1), before(512)].map(fit), [SeqCheck::Repeated; 3], "{last}");
            assert_eq!(fit(before(513)), SeqCheck::Gap, "{last}");
        }
    }

    #[test]
    fn a_gap_is_told_once_and_what_fills_it_is_not_new() {
        let mut sequence = Sequence::default();
        assert_eq!(
            [5, 8, 6, 9].map(|number| sequence.take(number)),
            [SeqCheck::Next, SeqCheck::Gap, SeqCheck::Repeated, SeqCheck::Next]
        );
    }

    #[test]
    fn t10_offers_that_nobody_takes_up_leave_the_token_in_use() {
        let mut tokens = Tokens::default();
        assert!(tokens.accepts(Role::Server, Token(9)), "nothing is known yet");
        tokens.handed_out(Role::Client, Token(1));
        assert!(tokens.accepts(Role::Server, Token(1)));
        for forged in 2..5 {
            tokens.handed_out(Role::Client, Token(forged));
            assert!(tokens.accepts(Role::Server, Token(1)));
        }
        assert!(!tokens.accepts(Role::Server, Token(9)));
    }

    #[test]
    fn an_offer_that_is_taken_up_replaces_the_token_in_use() {
        let mut tokens = Tokens::default();
        tokens.handed_out(Role::Server, Token(1));
        assert!(tokens.accepts(Role::Client, Token(1)));
        tokens.handed_out(Role::Server, Token(2));
        assert!(tokens.accepts(Role::Client, Token(2)));
        assert!(!tokens.accepts(Role::Client, Token(1)));
    }
}

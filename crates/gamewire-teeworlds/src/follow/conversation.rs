//! State of a conversation: sequence numbers and tokens.

use gamewire_machine::{ConversationSide, Role};
use gamewire_wire::{Reader, Result, Span, Trace, Value};

use crate::Dialect;
use crate::link::{ReceiveWindow, SeqCheck};
use crate::shared::data::Token;
use crate::shared::packet::Header;

/// An offer of a new connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) from: ConversationSide,
    pub(super) dialect: Dialect,
}

/// How a datagram is decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoding {
    pub(super) dialect: Dialect,
    /// The datagram must not change state, because it is an unconfirmed offer or a reply without an offer.
    pub(super) has_no_effect: bool,
}

impl Decoding {
    pub(super) const fn of(dialect: Dialect) -> Self {
        Self { dialect, has_no_effect: false }
    }
}

/// The vital sequence numbers of one sender. The first one of a capture can be any number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence(ReceiveWindow);

impl Default for Sequence {
    fn default() -> Self {
        Self(ReceiveWindow { ack: 0, accepts_any: true })
    }
}

impl Sequence {
    /// Returns the last number, if there was one.
    pub(super) const fn last(&self) -> Option<u16> {
        if self.0.accepts_any { None } else { Some(self.0.ack) }
    }

    /// Checks the number of the next vital chunk. After a gap, the check continues from this chunk.
    pub(super) fn check(&mut self, sequence: u16) -> SeqCheck {
        let check = self.0.check(sequence);
        if check == SeqCheck::Gap {
            self.0.ack = sequence;
        }
        check
    }
}

/// Maximum number of tokens of a role that were issued and that no packet has carried yet. Teeworlds 0.6.5 answers each
/// CONNECT, and its token changes every 10 s. The client uses one of the tokens.
const MAX_OFFERED: usize = 4;

/// The known tokens of a conversation, by issuer.
///
/// An issued token replaces the one in use only when a packet carries it, because the issuing packet may be spoofed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    client: TokenState,
    server: TokenState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TokenState {
    used: Option<Token>,
    /// The newest token is first.
    offered: [Option<Token>; MAX_OFFERED],
}

impl TokenState {
    fn issued(&mut self, token: Token, is_confirmed: bool) {
        let is_needed = is_confirmed || self.used.is_none();
        if is_needed && !self.offered.contains(&Some(token)) {
            self.offered.rotate_right(1);
            self.offered[0] = Some(token);
        }
    }

    /// Returns whether `token` is the one in use or replaces it. Any token is accepted while no token is known.
    fn accepts(&mut self, token: Token) -> bool {
        let known = Some(token);
        if self.used != known && self.offered.contains(&known) {
            *self = Self { used: known, ..Self::default() };
        }
        *self == Self::default() || self.used == known
    }
}

impl Tokens {
    /// Returns the token that `issuer` issued: the one in use, or the newest one.
    pub(super) fn newest(&self, issuer: Role) -> Option<Token> {
        let state = if issuer == Role::Client { self.client } else { self.server };
        state.used.or(state.offered[0])
    }

    /// Stores a token that `issuer` issued. A token of an unconfirmed reply is only stored while no token is in use,
    /// because a client that offers twice gets two replies.
    pub(super) fn issued(&mut self, issuer: Role, token: Token, is_confirmed: bool) {
        match issuer {
            Role::Client => self.client.issued(token, is_confirmed),
            Role::Server => self.server.issued(token, is_confirmed),
        }
    }

    /// Returns whether packets from `sender` have carried a token of their receiver.
    pub(super) const fn is_used(&self, sender: Role) -> bool {
        match sender {
            Role::Client => self.server.used.is_some(),
            Role::Server => self.client.used.is_some(),
        }
    }

    /// Returns whether the receiver of a packet from `sender` accepts `token`.
    pub(super) fn accepts(&mut self, sender: Role, token: Token) -> bool {
        match sender {
            Role::Client => self.server.accepts(token),
            Role::Server => self.client.accepts(token),
        }
    }
}

/// Returns the token that a control message issues to its receiver.
pub(super) fn issued_token(
    dialect: Dialect,
    header: &Header,
    content: &[u8],
    at_the_end: Option<Token>,
) -> Option<Token> {
    match (dialect, content) {
        _ if !header.control => None,
        (Dialect::V07, [1 | 5, a, b, c, d, ..]) | (Dialect::V065, [2, a, b, c, d]) => {
            Some(Token(u32::from_be_bytes([*a, *b, *c, *d])))
        }
        (Dialect::Tken, [2, ..]) => at_the_end,
        _ => None,
    }
}

/// Splits a payload into content and token, if the dialect has the token at the end. Otherwise returns the
/// token in the header.
pub(super) fn split_token<'a, T: Trace>(
    dialect: Dialect,
    in_header: Option<Token>,
    mut payload: Reader<'a>,
    trace: &mut T,
) -> Result<(Reader<'a>, Option<Token>)> {
    if dialect != Dialect::Tken {
        return Ok((payload, in_header));
    }
    let length = payload.remaining().len();
    let content = payload.sub(length.saturating_sub(4), "a payload")?;
    let at = payload.offset();
    let token =
        payload.be_u32("the 4 bytes of a token at the end").map_err(|error| error.in_packet("packet"))?;
    trace.field(
        "tken_token",
        Span::bytes(at, payload.offset()),
        Value::Hex { value: token.into(), digits: 8 },
    );
    Ok((content, Some(Token(token))))
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;
    use crate::shared::packet::SEQUENCE_SPACE;

    #[test]
    fn numbers_wrap_at_1024() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.check(1023), SeqCheck::New);
        assert_eq!(sequence.check(0), SeqCheck::New);
        assert_eq!(sequence.check(1023), SeqCheck::Old);
        assert_eq!(sequence.check(1), SeqCheck::New);
    }

    #[test]
    fn the_number_512_before_the_last_one_is_old_as_in_the_games_and_the_next_older_one_is_ahead() {
        for last in [0_u16, 511, 512, 1023] {
            let before = |count: u16| (last + SEQUENCE_SPACE - count) % SEQUENCE_SPACE;
            let fit = |number| {
                let mut sequence = Sequence::default();
                sequence.check(last);
                sequence.check(number)
            };
            assert_eq!([before(0), before(1), before(512)].map(fit), [SeqCheck::Old; 3], "{last}");
            assert_eq!(fit(before(513)), SeqCheck::Gap, "{last}");
        }
    }

    #[test]
    fn a_gap_is_reported_once_and_its_chunks_are_not_new() {
        let mut sequence = Sequence::default();
        assert_eq!(
            [5, 8, 6, 9].map(|number| sequence.check(number)),
            [SeqCheck::New, SeqCheck::Gap, SeqCheck::Old, SeqCheck::New]
        );
    }

    #[test]
    fn t10_issued_tokens_that_no_packet_carries_change_nothing() {
        let mut tokens = Tokens::default();
        assert!(tokens.accepts(Role::Server, Token(9)), "nothing is known yet");
        tokens.issued(Role::Client, Token(1), true);
        assert!(tokens.accepts(Role::Server, Token(1)));
        for forged in 2..5 {
            tokens.issued(Role::Client, Token(forged), true);
            assert!(tokens.accepts(Role::Server, Token(1)));
        }
        assert!(!tokens.accepts(Role::Server, Token(9)));
    }

    #[test]
    fn t10_a_token_of_an_unconfirmed_reply_replaces_none_in_use() {
        let mut tokens = Tokens::default();
        tokens.issued(Role::Server, Token(1), true);
        tokens.issued(Role::Server, Token(2), false);
        assert!(tokens.accepts(Role::Client, Token(2)), "none was in use");
        tokens.issued(Role::Server, Token(3), false);
        assert!(!tokens.accepts(Role::Client, Token(3)));
        assert!(tokens.accepts(Role::Client, Token(2)));
    }

    #[test]
    fn an_issued_token_replaces_the_one_in_use_when_a_packet_carries_it() {
        let mut tokens = Tokens::default();
        tokens.issued(Role::Server, Token(1), true);
        assert!(tokens.accepts(Role::Client, Token(1)));
        tokens.issued(Role::Server, Token(2), true);
        assert!(tokens.accepts(Role::Client, Token(2)));
        assert!(!tokens.accepts(Role::Client, Token(1)));
    }
}

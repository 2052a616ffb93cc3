use crate::shared::data::Token;
use gamewire_machine::Role;

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
mod tests {
    use super::*;

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

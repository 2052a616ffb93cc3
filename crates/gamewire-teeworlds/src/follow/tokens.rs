use crate::shared::data::Token;
use crate::shared::message::Side;

/// The tokens of a conversation, by who handed them out, as far as they were seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    client: Option<Token>,
    server: Option<Token>,
}

impl Tokens {
    /// `side` handed out `token`.
    pub(super) fn handed_out(&mut self, side: Side, token: Token) {
        match side {
            Side::Client => self.client = Some(token),
            Side::Server => self.server = Some(token),
        }
    }

    /// Whether the receiver of a packet from `sender` takes `token`; unknown tokens may be right.
    pub(super) fn accepts(&self, sender: Side, token: Token) -> bool {
        let expected = match sender {
            Side::Client => self.server,
            Side::Server => self.client,
        };
        expected.is_none_or(|expected| expected == token)
    }
}

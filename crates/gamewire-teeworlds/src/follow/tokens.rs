use crate::shared::data::Token;
use crate::shared::message::Side;

/// The tokens of a conversation, by who handed them out, as far as they were seen.
///
/// The last two of each count: one that was only just handed out may never be used, because
/// somebody else sent it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    client: Kept,
    server: Kept,
}

/// The last token, and the one before it.
#[derive(Clone, Copy, Debug, Default)]
struct Kept([Option<Token>; 2]);

impl Kept {
    fn keep(&mut self, token: Token) {
        let [last, _] = self.0;
        if last != Some(token) {
            self.0 = [Some(token), last];
        }
    }

    /// Whether it is one of them; unknown tokens may be right.
    fn accepts(&self, token: Token) -> bool {
        self.0 == [None, None] || self.0.contains(&Some(token))
    }
}

impl Tokens {
    /// `side` handed out `token`.
    pub(super) fn handed_out(&mut self, side: Side, token: Token) {
        match side {
            Side::Client => self.client.keep(token),
            Side::Server => self.server.keep(token),
        }
    }

    /// Whether the receiver of a packet from `sender` takes `token`; unknown tokens may be right.
    pub(super) fn accepts(&self, sender: Side, token: Token) -> bool {
        match sender {
            Side::Client => self.server.accepts(token),
            Side::Server => self.client.accepts(token),
        }
    }
}

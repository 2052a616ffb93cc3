use std::collections::VecDeque;

use gamewire_machine::Role;
use mio::Token;

/// Tokens of the shared sockets. Client tokens start at `CLIENTS`, two per client.
pub(super) const UDP: Token = Token(0);
pub(super) const LISTENER: Token = Token(1);
pub(super) const WAKER: Token = Token(2);
const CLIENTS: usize = 4;
/// Sockets in the order in which they became ready, without duplicates.
#[derive(Debug, Default)]
pub(super) struct Ready {
    list: VecDeque<Token>,
    is_listed: Vec<bool>,
}

impl Ready {
    pub(super) fn add(&mut self, token: Token) {
        if token.0 >= self.is_listed.len() {
            self.is_listed.resize(token.0.saturating_add(1), false);
        }
        if let Some(is_listed) = self.is_listed.get_mut(token.0)
            && !core::mem::replace(is_listed, true)
        {
            self.list.push_back(token);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn pop(&mut self) -> Option<Token> {
        let token = self.list.pop_front()?;
        if let Some(is_listed) = self.is_listed.get_mut(token.0) {
            *is_listed = false;
        }
        Some(token)
    }
}

/// Returns the token of a client's socket.
pub(super) const fn token(index: usize, side: Role) -> Token {
    let first = CLIENTS.saturating_add(index.saturating_mul(2));
    Token(match side {
        Role::Client => first,
        Role::Server => first.saturating_add(1),
    })
}

/// Returns the index and the side of a client's socket.
pub(super) const fn client_of(token: Token) -> (usize, Role) {
    let number = token.0.saturating_sub(CLIENTS);
    (number / 2, if number.is_multiple_of(2) { Role::Client } else { Role::Server })
}

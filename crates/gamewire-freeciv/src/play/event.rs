use super::answer::Ticket;
use crate::session::Role;
use crate::session::client::{Joined, PasswordRequest, Reason};

/// What happened to a player.
#[derive(Clone, Debug)]
pub enum Event {
    /// The server wants a password: [`Player::answer`](super::Player::answer).
    PasswordWanted {
        /// Which one.
        request: PasswordRequest,
        /// The server's words.
        message: String,
    },
    /// The server has let one in. The rules are still to come.
    Joined(Box<Joined>),
    /// The server has told all that one may know before the game. From now on orders can be given.
    Ready,
    /// One plays or watches somebody else now, or nobody.
    RoleChanged(Role),
    /// The server has dealt with an order: [`Player::take_answer`](super::Player::take_answer).
    Answered(Ticket),
    /// Packets came: the world may be otherwise. There is at most one of these in a row.
    Updated,
    /// The connection is over. The last event.
    Closed(Reason),
}

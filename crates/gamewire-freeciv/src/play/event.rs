use super::answer::OrderId;
use crate::session::PlayerRole;
use crate::session::client::{CloseReason, Joined, PasswordRequest};

/// What happened to a player.
#[derive(Clone, Debug)]
pub enum Event {
    /// The server wants a password: [`Player::answer`](super::Player::answer).
    PasswordRequested {
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
    RoleChanged(PlayerRole),
    /// The server has dealt with an order: [`Player::take_answer`](super::Player::take_answer).
    OrderFinished(OrderId),
    /// Packets came: the world may be otherwise. There is at most one of these in a row.
    Updated,
    /// The connection is over. The last event.
    Closed(CloseReason),
}

//! Further messages of the rooms server and its clients. The movement server has the others. A client's request to connect
//! has its token and its room, two strings.

use gamewire::riptide::{Message, Value};

/// A line of chat, or a command: `/room NAME`, and for administrators `/ban NAME`.
#[derive(Debug, Message)]
#[message(id = 3, mode = "reliable")]
pub(crate) struct Say {
    pub(crate) text: String,
}

/// A line of chat for a room. Lines of the server have no name.
#[derive(Debug, Message)]
#[message(id = 4, mode = "reliable")]
pub(crate) struct ChatLine {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The members of the client's room, after each change. Reliable messages may arrive in another order: the highest `change`
/// is the newest.
#[derive(Debug, Message)]
#[message(id = 5, mode = "reliable")]
pub(crate) struct Members {
    pub(crate) change: u32,
    pub(crate) room: String,
    pub(crate) members: Vec<Member>,
}

#[derive(Debug, Value)]
pub(crate) struct Member {
    pub(crate) player: u16,
    pub(crate) name: String,
}

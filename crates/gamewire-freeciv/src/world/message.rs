use super::text::without_marks;
use crate::number::Event;
use crate::v30::ChatMsg;

/// A line that the server tells: chat, news and answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is about.
    pub event: Event,
    /// The text without marks of colours; links are the names of what they link to.
    pub text: String,
    /// Where it happened.
    pub tile: Option<i32>,
    /// In which turn.
    pub turn: i16,
    /// The connection that said it.
    pub connection: Option<i16>,
}

impl Message {
    /// From the packet that carries it.
    #[must_use]
    pub fn new(message: &ChatMsg) -> Self {
        Self {
            event: Event(message.event),
            text: without_marks(&message.message),
            tile: (message.tile >= 0).then_some(message.tile),
            turn: message.turn,
            connection: (message.conn_id >= 0).then_some(message.conn_id),
        }
    }
}

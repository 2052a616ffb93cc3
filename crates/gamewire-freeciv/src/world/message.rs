use super::text::without_markup;
use crate::number::Event;
use crate::v30::ChatMsg;

/// A message of the server: chat, news or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Message {
    /// The kind of event.
    pub event: Event,
    /// The text without color and font markup; links are replaced by their names.
    pub text: String,
    /// The tile of the event.
    pub tile: Option<i32>,
    /// The turn of the event.
    pub turn: i16,
    /// The connection that sent it.
    pub connection: Option<i16>,
}

impl Message {
    /// Creates the message of a packet.
    #[must_use]
    pub fn new(message: &ChatMsg) -> Self {
        Self {
            event: Event(message.event),
            text: without_markup(&message.message),
            tile: (message.tile >= 0).then_some(message.tile),
            turn: message.turn,
            connection: (message.conn_id >= 0).then_some(message.conn_id),
        }
    }
}

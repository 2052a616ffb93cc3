use super::{MessageSendMode, Value};

/// A type of the application that is a message of its own: `#[derive(Message)]` implements it.
pub trait MessageType: Value {
    /// The id that tells its receiver what it is; `None` for notify messages, which have none.
    const ID: Option<u16>;
    /// How it is sent.
    const MODE: MessageSendMode;
}

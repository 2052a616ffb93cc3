use super::error::OrderError;
use crate::codec::LongText;
use crate::v30::ChatMsgReq;

/// Says a line. One that begins with `/` is a command to the server.
///
/// # Errors
/// It is too long.
pub fn chat(line: &str) -> Result<ChatMsgReq, OrderError> {
    Ok(ChatMsgReq { message: LongText::try_from(line)? })
}

/// Starts the game, if one may.
///
/// # Errors
/// None.
pub fn start_game() -> Result<ChatMsgReq, OrderError> {
    chat("/start")
}

/// Watches all of the game.
///
/// # Errors
/// None.
pub fn observe() -> Result<ChatMsgReq, OrderError> {
    chat("/observe")
}

/// Watches what a player sees.
///
/// # Errors
/// The name is too long.
pub fn observe_player(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/observe \"{}\"", name.replace('"', "")))
}

/// Takes a player over.
///
/// # Errors
/// The name is too long.
pub fn take_player(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/take \"{}\"", name.replace('"', "")))
}

/// Leaves one's player, or no longer watches.
///
/// # Errors
/// None.
pub fn detach() -> Result<ChatMsgReq, OrderError> {
    chat("/detach")
}

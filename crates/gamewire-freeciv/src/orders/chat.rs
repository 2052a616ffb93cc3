use super::error::OrderError;
use crate::codec::Text;
use crate::v30::ChatMsgReq;

/// Sends a chat line. One that begins with `/` is a command to the server.
///
/// # Errors
/// [`OrderError::Text`] if the line is too long.
pub fn chat(line: &str) -> Result<ChatMsgReq, OrderError> {
    Ok(ChatMsgReq { message: Text::try_from(line)? })
}

/// Starts the game, if the client is allowed to.
///
/// # Errors
/// Never.
pub fn start_game() -> Result<ChatMsgReq, OrderError> {
    chat("/start")
}

/// Observes the whole game.
///
/// # Errors
/// Never.
pub fn observe() -> Result<ChatMsgReq, OrderError> {
    chat("/observe")
}

/// Observes what a player sees.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn observe_player(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/observe \"{}\"", name.replace('"', "")))
}

/// Takes over a player.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn take_player(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/take \"{}\"", name.replace('"', "")))
}

/// Leaves the player, or stops observing.
///
/// # Errors
/// Never.
pub fn detach() -> Result<ChatMsgReq, OrderError> {
    chat("/detach")
}

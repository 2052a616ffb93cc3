use super::{AwaitSnapshots, LoginState, Transition};
use crate::client::context::Context;
use crate::session::message::{ClientMessage, ServerMessage};

/// Name and looks were sent; the game is to get ready for the player.
#[derive(Debug)]
pub(in crate::client) struct AwaitReadyToEnter;

impl AwaitReadyToEnter {
    pub(super) fn begin(context: &mut Context<'_>) -> Self {
        context.send_login_from_config(|config| ClientMessage::StartInfo(config.profile()));
        Self
    }

    pub(super) fn hear(&mut self, word: &ServerMessage<'_>, context: &mut Context<'_>) -> Transition {
        match word {
            ServerMessage::ReadyToEnter => {
                Transition::To(LoginState::Joining(Box::new(AwaitSnapshots::begin(context))))
            }
            _ => Transition::Unexpected,
        }
    }
}

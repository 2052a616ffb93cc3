use super::{AwaitReadyToEnter, LoginState, Transition};
use crate::client::Event;
use crate::client::context::Context;
use crate::session::message::{ClientMessage, ServerMessage};

/// READY was sent; the server is to say that it takes the client on.
#[derive(Debug)]
pub(in crate::client) struct AwaitConReady;

impl AwaitConReady {
    /// The map is there; `bytes` if it was downloaded.
    pub(in crate::client) fn begin(bytes: Option<Vec<u8>>, context: &mut Context<'_>) -> Self {
        context.emit(Event::MapLoaded { bytes });
        context.send_login(&ClientMessage::Ready);
        Self
    }

    pub(super) fn hear(&mut self, word: &ServerMessage<'_>, context: &mut Context<'_>) -> Transition {
        match word {
            ServerMessage::ConReady => {
                Transition::To(LoginState::Greeting(AwaitReadyToEnter::begin(context)))
            }
            _ => Transition::Unexpected,
        }
    }
}

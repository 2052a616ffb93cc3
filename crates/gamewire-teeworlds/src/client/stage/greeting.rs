use super::{Joining, Outcome, Stage};
use crate::client::context::Context;
use crate::session::message::{FromClient, FromServer};

/// Name and looks were sent; the game is to get ready for the player.
#[derive(Debug)]
pub(in crate::client) struct Greeting;

impl Greeting {
    pub(super) fn begin(context: &mut Context<'_>) -> Self {
        context.introduce(|config| FromClient::StartInfo(config.profile()));
        Self
    }

    pub(super) fn hear(&mut self, word: &FromServer<'_>, context: &mut Context<'_>) -> Outcome {
        match word {
            FromServer::ReadyToEnter => Outcome::Become(Stage::Joining(Box::new(Joining::begin(context)))),
            _ => Outcome::OutOfPlace,
        }
    }
}

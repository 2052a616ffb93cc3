use super::{Greeting, Outcome, Stage};
use crate::client::Event;
use crate::client::context::Context;
use crate::session::message::{FromClient, FromServer};

/// READY was sent; the server is to say that it takes the client on.
#[derive(Debug)]
pub(in crate::client) struct Readying;

impl Readying {
    /// The map is there; `bytes` if it was downloaded.
    pub(in crate::client) fn begin(bytes: Option<Vec<u8>>, context: &mut Context<'_>) -> Self {
        context.tell(Event::MapLoaded { bytes });
        context.go_on_with(&FromClient::Ready);
        Self
    }

    pub(super) fn hear(&mut self, word: &FromServer<'_>, context: &mut Context<'_>) -> Outcome {
        match word {
            FromServer::ConReady => Outcome::Become(Stage::Greeting(Greeting::begin(context))),
            _ => Outcome::OutOfPlace,
        }
    }
}

use super::{Outcome, Playing, Stage};
use crate::client::Event;
use crate::client::context::Context;
use crate::client::game::Game;
use crate::session::message::{FromClient, FromServer};

/// How many snapshots it takes to be in the game, as in the games.
const SNAPSHOTS_TO_ENTER: u8 = 2;

/// ENTERGAME was sent; the first snapshots are to come.
#[derive(Debug)]
pub(in crate::client) struct Joining {
    game: Game,
    snapshots: u8,
}

impl Joining {
    pub(super) fn begin(context: &mut Context<'_>) -> Self {
        context.desk.receiver.reset();
        context.go_on_with(&FromClient::EnterGame);
        Self { game: Game::default(), snapshots: 0 }
    }

    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn hear(&mut self, word: &FromServer<'_>, context: &mut Context<'_>) -> Outcome {
        let FromServer::Snapshot(snapshot) = word else { return self.game.hear(word, context) };
        let Some(tick) = self.game.take_snapshot(snapshot, context) else { return Outcome::Stay };
        self.snapshots = self.snapshots.saturating_add(1);
        if self.snapshots < SNAPSHOTS_TO_ENTER {
            return Outcome::Stay;
        }
        context.tell(Event::Entered);
        let game = core::mem::take(&mut self.game);
        Outcome::Become(Stage::Playing(Box::new(Playing::new(game, tick, context.now()))))
    }
}

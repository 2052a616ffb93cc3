use super::{InGame, LoginState, Transition};
use crate::client::Event;
use crate::client::context::Context;
use crate::client::game::GameView;
use crate::session::message::{ClientMessage, ServerMessage};

/// How many snapshots it takes to be in the game, as in the games.
const SNAPSHOTS_TO_ENTER: u8 = 2;

/// ENTERGAME was sent; the first snapshots are to come.
#[derive(Debug)]
pub(in crate::client) struct AwaitSnapshots {
    game: GameView,
    snapshots: u8,
}

impl AwaitSnapshots {
    pub(super) fn begin(context: &mut Context<'_>) -> Self {
        context.desk.receiver.reset();
        context.send_login(&ClientMessage::EnterGame);
        Self { game: GameView::default(), snapshots: 0 }
    }

    pub(super) const fn game(&self) -> &GameView {
        &self.game
    }

    pub(super) fn hear(&mut self, word: &ServerMessage<'_>, context: &mut Context<'_>) -> Transition {
        let ServerMessage::Snapshot(snapshot) = word else { return self.game.handle_message(word, context) };
        let Some(tick) = self.game.take_snapshot(snapshot, context) else { return Transition::Stay };
        self.snapshots = self.snapshots.saturating_add(1);
        if self.snapshots < SNAPSHOTS_TO_ENTER {
            return Transition::Stay;
        }
        context.emit(Event::Entered);
        let game = core::mem::take(&mut self.game);
        Transition::To(LoginState::Playing(Box::new(InGame::new(game, tick, context.now()))))
    }
}

//! The states of the login that wait for one message each.

use super::{GameView, InGame, LoginState, Transition};
use crate::Dialect;
use crate::client::Event;
use crate::client::context::Context;
use crate::session::message::{ClientMessage, ServerMessage};
use crate::shared::data::Uuid;
use crate::shared::pack::Text;

/// The version that is sent to servers of DDNet, which derive the client's abilities from it.
const DDNET_VERSION: i32 = 16_040;
const DDNET_VERSION_TEXT: &str = concat!("gamewire ", env!("CARGO_PKG_VERSION"));

/// The version that is sent to servers of 0.7: 0.7.5.
const TEEWORLDS_VERSION: i32 = 0x0705;

/// Number of snapshots until the client is in the game, as in the games.
const SNAPSHOTS_TO_ENTER: u8 = 2;

/// INFO was sent. The server answers with MAP_CHANGE or closes the connection.
#[derive(Debug)]
pub(in crate::client) struct AwaitMap;

impl AwaitMap {
    pub(super) fn begin(connection_id: Uuid, context: &mut Context<'_>) -> Self {
        let dialect = context.dialect();
        if dialect == Dialect::Tken {
            context.send_login(&ClientMessage::ClientVersion {
                connection_id,
                version: DDNET_VERSION,
                text: Text::new(DDNET_VERSION_TEXT),
            });
        }
        context.send_login_from_config(|config| ClientMessage::Info {
            version: Text::new(dialect.net_version()),
            password: config.password(),
            client_version: (dialect == Dialect::V07).then_some(TEEWORLDS_VERSION),
        });
        Self
    }
}

/// READY was sent. The server answers with CON_READY.
#[derive(Debug)]
pub(in crate::client) struct AwaitConReady;

impl AwaitConReady {
    /// Starts with the map, or with its bytes if it was downloaded.
    pub(super) fn begin(bytes: Option<Vec<u8>>, context: &mut Context<'_>) -> Self {
        context.emit(Event::MapLoaded { bytes });
        context.send_login(&ClientMessage::Ready);
        Self
    }

    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        match message {
            ServerMessage::ConReady => {
                Transition::To(LoginState::AwaitReadyToEnter(AwaitReadyToEnter::begin(context)))
            }
            _ => Transition::Unexpected,
        }
    }
}

/// Cl_StartInfo was sent. The server answers with Sv_ReadyToEnter.
#[derive(Debug)]
pub(in crate::client) struct AwaitReadyToEnter;

impl AwaitReadyToEnter {
    fn begin(context: &mut Context<'_>) -> Self {
        context.send_login_from_config(|config| ClientMessage::StartInfo(config.profile()));
        Self
    }

    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        match message {
            ServerMessage::ReadyToEnter => {
                Transition::To(LoginState::AwaitSnapshots(Box::new(AwaitSnapshots::begin(context))))
            }
            _ => Transition::Unexpected,
        }
    }
}

/// ENTERGAME was sent. The server answers with snapshots.
#[derive(Debug)]
pub(in crate::client) struct AwaitSnapshots {
    game: GameView,
    snapshots: u8,
}

impl AwaitSnapshots {
    fn begin(context: &mut Context<'_>) -> Self {
        context.shared.receiver.reset();
        context.send_login(&ClientMessage::EnterGame);
        Self { game: GameView::default(), snapshots: 0 }
    }

    pub(super) const fn game(&self) -> &GameView {
        &self.game
    }

    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        let ServerMessage::Snapshot(snapshot) = message else {
            return self.game.on_message(message, context);
        };
        let Some(tick) = self.game.on_snapshot(snapshot, context) else { return Transition::Stay };
        self.snapshots = self.snapshots.saturating_add(1);
        if self.snapshots < SNAPSHOTS_TO_ENTER {
            return Transition::Stay;
        }
        context.emit(Event::Entered);
        let game = core::mem::take(&mut self.game);
        Transition::To(LoginState::InGame(Box::new(InGame::new(game, tick, context.now()))))
    }
}

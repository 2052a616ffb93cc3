//! The steps of the login. Each waits for one message of the server.

use super::{GameView, InGame, LoginState, Transition};
use crate::Dialect;
use crate::client::Event;
use crate::client::antispoof::Antispoof;
use crate::client::context::Context;
use crate::model::message::{ClientMessage, ServerMessage};
use crate::shared::data::Uuid;
use crate::shared::pack::Text;

/// The version that is sent to servers of DDNet. They derive the client's abilities from it.
const DDNET_VERSION: i32 = 16_040;
const DDNET_VERSION_TEXT: &str = concat!("gamewire ", env!("CARGO_PKG_VERSION"));

/// The version that is sent to servers of 0.7: 0.7.5.
const TEEWORLDS_VERSION: i32 = 0x0705;

/// Number of snapshots after which the client is in the game, as in the games.
const SNAPSHOTS_TO_ENTER: u8 = 2;

impl LoginState {
    /// Starts a session on a new connection.
    pub(in crate::client) fn begin(connection_id: Uuid, context: &mut Context<'_>) -> Self {
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
        Self::AwaitMap
    }

    /// Continues the login with READY. `bytes` is the map, if it was downloaded.
    pub(super) fn ready(bytes: Option<Vec<u8>>, context: &mut Context<'_>) -> Self {
        context.emit(Event::MapLoaded { bytes });
        context.send_login(&ClientMessage::Ready);
        Self::AwaitConReady
    }

    /// Sends the player's name and appearance after CON_READY.
    pub(super) fn start_info(context: &mut Context<'_>) -> Self {
        let dialect = context.dialect();
        context.send_login_from_config(|config| ClientMessage::StartInfo(config.profile(dialect)));
        Self::AwaitReadyToEnter
    }

    /// Enters the game after Sv_ReadyToEnter.
    pub(super) fn enter_game(context: &mut Context<'_>) -> Self {
        context.shared.receiver.reset();
        context.online.antispoof = Antispoof::Done;
        context.send_login(&ClientMessage::EnterGame);
        Self::AwaitSnapshots(Box::default())
    }
}

/// ENTERGAME was sent. The server answers with snapshots.
#[derive(Debug, Default)]
pub(in crate::client) struct AwaitSnapshots {
    pub(super) game: GameView,
    snapshots: u8,
}

impl AwaitSnapshots {
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

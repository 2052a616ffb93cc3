//! The states of a session, from INFO to the game. Each state is a type that owns the data that is valid in it.

mod game_view;
mod loading;
mod playing;

use gamewire_machine::{Instant, Wake};

use self::game_view::{GameView, Transition};
use self::loading::LoadingMap;
use self::playing::{AwaitSnapshots, InGame};
use super::antispoof::Antispoof;
use super::context::{ClientShared, Context};
use super::online::OnlineLink;
use super::{CommandError, Event, MapInfo, MapPolicy};
use crate::Dialect;
use crate::link::Link;
use crate::model::message::{ClientId, ClientMessage, MapChunking, MapId, ServerMessage};
use crate::model::{TextBuf, World};
use crate::prediction::SentInputs;
use crate::shared::data::Uuid;
use crate::shared::pack::Text;

/// The version that is sent to servers of DDNet. They derive the client's abilities from it.
const DDNET_VERSION: i32 = 16_040;
const DDNET_VERSION_TEXT: &str = concat!("gamewire ", env!("CARGO_PKG_VERSION"));

/// The version that is sent to servers of 0.7: 0.7.5.
const TEEWORLDS_VERSION: i32 = 0x0705;

/// The state of a session.
#[derive(Debug)]
pub(super) enum LoginState {
    /// INFO was sent. The server answers with MAP_CHANGE or closes the connection.
    AwaitMap,
    /// The server has sent MAP_CHANGE.
    LoadingMap(LoadingMap),
    /// READY was sent. The server answers with CON_READY.
    AwaitConReady,
    /// Cl_StartInfo was sent. The server answers with Sv_ReadyToEnter.
    AwaitReadyToEnter,
    /// ENTERGAME was sent.
    AwaitSnapshots(Box<AwaitSnapshots>),
    /// The client is in the game.
    InGame(Box<InGame>),
}

impl LoginState {
    /// Starts a session on a new connection.
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
        Self::AwaitMap
    }

    /// Continues the login with READY. `bytes` is the map, if it was downloaded.
    fn ready(bytes: Option<Vec<u8>>, context: &mut Context<'_>) -> Self {
        context.emit(Event::MapLoaded { bytes });
        context.send_login(&ClientMessage::Ready);
        Self::AwaitConReady
    }

    /// Sends the player's name and appearance after CON_READY.
    fn start_info(context: &mut Context<'_>) -> Self {
        let dialect = context.dialect();
        context.send_login_from_config(|config| ClientMessage::StartInfo(config.profile(dialect)));
        Self::AwaitReadyToEnter
    }

    /// Enters the game after Sv_ReadyToEnter.
    fn enter_game(context: &mut Context<'_>) -> Self {
        context.shared.receiver.reset();
        context.online.antispoof = Antispoof::Done;
        context.send_login(&ClientMessage::EnterGame);
        Self::AwaitSnapshots(Box::default())
    }

    /// Returns the name of the state, as in [`Client::state`](crate::client::Client::state).
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::AwaitMap => "logging in",
            Self::LoadingMap(state) => state.name(),
            Self::AwaitConReady => "readying",
            Self::AwaitReadyToEnter => "greeting",
            Self::AwaitSnapshots(_) => "joining",
            Self::InGame(_) => "playing",
        }
    }

    /// Returns the memory that is held, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        match self {
            Self::LoadingMap(state) => state.held_bytes(),
            _ => size_of::<Self>(),
        }
    }

    /// Returns the world of the latest snapshot, after ENTERGAME.
    pub(super) fn world(&self) -> Option<&World> {
        self.game().map(|game| &game.world)
    }

    /// Returns the name of a player, if it is known.
    pub(super) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.game()?.players.name_of(id)
    }

    /// Returns the tick at which the server will use an input that is sent now, in the game.
    pub(super) fn input_tick(&self, now: Instant) -> Option<i32> {
        match self {
            Self::InGame(state) => Some(state.input_tick(now)),
            _ => None,
        }
    }

    /// Returns the sent inputs, in the game.
    pub(super) const fn inputs(&self) -> Option<&SentInputs> {
        match self {
            Self::InGame(state) => Some(state.inputs()),
            _ => None,
        }
    }

    const fn game(&self) -> Option<&GameView> {
        match self {
            Self::AwaitSnapshots(state) => Some(&state.game),
            Self::InGame(state) => Some(&state.game),
            Self::AwaitMap | Self::LoadingMap(_) | Self::AwaitConReady | Self::AwaitReadyToEnter => None,
        }
    }

    /// Handles a message that changes the state, or that is only valid in some states.
    pub(super) fn on_message(&mut self, message: &ServerMessage<'_>, context: &mut Context<'_>) {
        let transition = match (message, &mut *self) {
            (ServerMessage::MapChange { map, chunking }, _) => {
                *self = on_map_change(map, *chunking, context);
                return;
            }
            (
                ServerMessage::Snapshot(snapshot),
                Self::AwaitMap | Self::LoadingMap(_) | Self::AwaitConReady | Self::AwaitReadyToEnter,
            ) if context.on_early_snapshot(snapshot) => Transition::Stay,
            (ServerMessage::ConReady, Self::AwaitConReady) => {
                *self = Self::start_info(context);
                return;
            }
            (ServerMessage::ReadyToEnter, Self::AwaitReadyToEnter) => {
                *self = Self::enter_game(context);
                return;
            }
            (_, Self::AwaitMap | Self::AwaitConReady | Self::AwaitReadyToEnter) => Transition::Unexpected,
            (_, Self::LoadingMap(state)) => state.on_message(message, context),
            (_, Self::AwaitSnapshots(state)) => state.on_message(message, context),
            (_, Self::InGame(state)) => state.on_message(message, context),
        };
        match transition {
            Transition::Stay => {}
            Transition::Unexpected => context.count_unexpected(),
            Transition::MapLoaded(bytes) => *self = Self::ready(Some(bytes), context),
            Transition::Entered { game, tick } => {
                let margin = context.shared.config.input_margin;
                *self = Self::InGame(Box::new(InGame::new(*game, tick, context.now(), margin)));
            }
        }
    }

    /// Continues the login without a download.
    ///
    /// # Errors
    /// [`CommandError::NoMapNeeded`] if no map is needed in this state. Nothing changes.
    pub(super) fn map_ready(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let Self::LoadingMap(_) = self else { return Err(CommandError::NoMapNeeded) };
        if !context.online.antispoof.has_placeholder_map() {
            *self = Self::ready(None, context);
        }
        Ok(())
    }

    /// Starts the download of the map.
    ///
    /// # Errors
    /// [`CommandError::NoMapNeeded`] if no map is needed in this state, or if the download has already begun. Nothing
    /// changes.
    pub(super) fn download_map(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let Self::LoadingMap(state) = self else { return Err(CommandError::NoMapNeeded) };
        // The placeholder is not downloaded: the server would begin to send the next map before the application asks
        // for it.
        if context.online.antispoof.has_placeholder_map() { Ok(()) } else { state.download(context) }
    }

    /// Performs the actions that are due.
    pub(super) fn handle_timeout(&mut self, context: &mut Context<'_>) {
        if let Self::InGame(state) = self {
            state.handle_timeout(context);
            context.send_lines();
            return;
        }
        context.answer_antispoof();
        if self.awaits_server(&context.online.link) {
            context.online.recover_if_stalled(context.shared.clock.now());
        }
    }

    /// Returns the next time at which [`Self::handle_timeout`] is due.
    pub(super) fn poll_timeout(&self, shared: &ClientShared, online: &OnlineLink) -> Option<Wake> {
        match self {
            Self::InGame(state) => {
                Wake::earliest([Some(state.poll_timeout(shared)), shared.lines.poll_timeout(online)])
            }
            _ => Wake::earliest([
                online.antispoof.poll_timeout(),
                self.awaits_server(&online.link).then(|| online.stall.poll_timeout(&online.link)),
            ]),
        }
    }

    /// Returns whether the login waits for a vital message of the server, or for its acknowledgement of a vital
    /// message.
    fn awaits_server(&self, link: &Link) -> bool {
        match self {
            Self::AwaitMap | Self::AwaitConReady | Self::AwaitReadyToEnter => true,
            Self::LoadingMap(state) => state.awaits_server(),
            // The server sends snapshots without a request, so only ENTERGAME must be acknowledged.
            Self::AwaitSnapshots(_) => link.has_unacked(),
            Self::InGame(_) => false,
        }
    }
}

/// Starts the login again with another map.
fn on_map_change(map: &MapId<'_>, chunking: Option<MapChunking>, context: &mut Context<'_>) -> LoginState {
    context.shared.announced.on_map_change();
    context.shared.map = None;
    context.online.antispoof.on_map_change();
    let details = context.online.map_details.take();
    let details =
        details.filter(|details| details.crc == map.crc && details.name.as_bytes() == map.name.as_bytes());
    let (sha256, url) = details.map_or((None, None), |details| (details.sha256, details.url));
    let info =
        MapInfo { name: map.name.into(), crc: map.crc, size: map.size, sha256: map.sha256.or(sha256), url };
    context.emit(Event::MapNeeded(info.clone()));
    match context.shared.config.maps {
        MapPolicy::Ask => LoginState::LoadingMap(LoadingMap::new(info, chunking)),
        MapPolicy::Assume => LoginState::ready(None, context),
    }
}

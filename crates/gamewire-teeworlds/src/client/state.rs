//! The states of a session, from INFO to the game. Each state is a type that owns the data that is valid in it.

mod loading;
mod login;
mod playing;

use gamewire_machine::{Instant, Wake};

use crate::Dialect;
use crate::client::context::{ClientShared, Context, OnlineLink};
use crate::client::player_tracker::PlayerTracker;
use crate::client::{CommandError, Event, MapInfo, MapPolicy};
use crate::link::Link;
use crate::model::TextBuf;
use crate::model::message::{ClientId, MapChunking, MapId, ServerMessage};
use crate::model::{Roster, World};
use crate::shared::snapshot::SnapshotOutcome;
use crate::shared::version::SnapshotMessage;

pub(super) use self::loading::LoadingMap;
pub(super) use self::login::AwaitSnapshots;
pub(super) use self::playing::InGame;

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

/// The effect of a message on the state.
#[derive(Debug)]
pub(super) enum Transition {
    Stay,
    /// The message is not valid in this state.
    Unexpected,
    To(LoginState),
}

impl LoginState {
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
            (ServerMessage::MapChange { map, chunking }, _) => on_map_change(map, *chunking, context),
            (
                ServerMessage::Snapshot(snapshot),
                Self::AwaitMap | Self::LoadingMap(_) | Self::AwaitConReady | Self::AwaitReadyToEnter,
            ) if context.on_early_snapshot(snapshot) => Transition::Stay,
            (ServerMessage::ConReady, Self::AwaitConReady) => Transition::To(Self::start_info(context)),
            (ServerMessage::ReadyToEnter, Self::AwaitReadyToEnter) => {
                Transition::To(Self::enter_game(context))
            }
            (_, Self::AwaitMap | Self::AwaitConReady | Self::AwaitReadyToEnter) => Transition::Unexpected,
            (_, Self::LoadingMap(state)) => state.on_message(message, context),
            (_, Self::AwaitSnapshots(state)) => state.on_message(message, context),
            (_, Self::InGame(state)) => state.on_message(message, context),
        };
        match transition {
            Transition::Stay => {}
            Transition::Unexpected => context.count_unexpected(),
            Transition::To(state) => *self = state,
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
            context.recover_if_stalled();
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
fn on_map_change(map: &MapId<'_>, chunking: Option<MapChunking>, context: &mut Context<'_>) -> Transition {
    context.shared.announced.on_map_change();
    context.online.antispoof.on_map_change();
    let details = context.online.map_details.take();
    let details =
        details.filter(|details| details.crc == map.crc && details.name.as_bytes() == map.name.as_bytes());
    let (sha256, url) = details.map_or((None, None), |details| (details.sha256, details.url));
    let info =
        MapInfo { name: map.name.into(), crc: map.crc, size: map.size, sha256: map.sha256.or(sha256), url };
    context.emit(Event::MapNeeded(info.clone()));
    Transition::To(match context.shared.config.maps {
        MapPolicy::Ask => LoginState::LoadingMap(LoadingMap::new(info, chunking)),
        MapPolicy::Assume => LoginState::ready(None, context),
    })
}

/// The client's view of the game, from ENTERGAME until the map changes.
#[derive(Debug, Default)]
pub(in crate::client) struct GameView {
    world: World,
    /// The data that servers of 0.7 send in messages instead of snapshots.
    roster: Roster,
    players: PlayerTracker,
    /// The server has announced the client's own player (0.7).
    is_announced: bool,
    /// Time of the latest snapshot.
    snapshot_at: Instant,
}

impl GameView {
    /// Handles a snapshot or a part of one. Returns its tick if it is complete and new.
    pub(in crate::client) fn on_snapshot(
        &mut self,
        message: &SnapshotMessage<'_>,
        context: &mut Context<'_>,
    ) -> Option<i32> {
        let dialect = context.dialect();
        let shared = &mut *context.shared;
        match shared.receiver.receive(message, dialect.fifth_byte(), dialect.item_sizes()) {
            SnapshotOutcome::Complete { tick, snapshot } => {
                dialect.read_world(tick, snapshot, &self.roster, &mut self.world);
                self.snapshot_at = shared.clock.now();
                shared.events.push(Event::Snapshot { tick });
                if dialect != Dialect::V07 {
                    self.players.on_snapshot(&self.world.players, &mut shared.events);
                }
                Some(tick)
            }
            SnapshotOutcome::Bad(error) => {
                shared.events.push(Event::Undecodable(error));
                None
            }
            SnapshotOutcome::Late | SnapshotOutcome::Incomplete | SnapshotOutcome::WithoutBase => None,
        }
    }

    /// Handles a message of 0.7 about players or the game.
    pub(in crate::client) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        let events = &mut context.shared.events;
        match *message {
            ServerMessage::ClientInfo { client, local, profile, silent, .. } => {
                // A server of 0.7 first announces the players that joined earlier, and then the client itself.
                self.is_announced |= local;
                self.players.on_join(client, profile.name, silent || !self.is_announced, events);
            }
            ServerMessage::ClientDrop { client, reason } => {
                self.players.on_leave(client, Some(reason.into()), events);
            }
            ServerMessage::Team { client, team } => events.push(Event::Team { client, team }),
            ServerMessage::GameInfo { .. } | ServerMessage::SkinChange { .. } => {}
            _ => return Transition::Unexpected,
        }
        self.roster.apply(message);
        Transition::Stay
    }
}

use gamewire_machine::{Instant, Wake};

use super::{AwaitConReady, AwaitMap, AwaitReadyToEnter, AwaitSnapshots, InGame, LoadingMap};
use crate::client::context::Context;
use crate::client::game::GameView;
use crate::client::puzzle;
use crate::client::{CommandError, Event, MapInfo, MapPolicy, TextBuf};
use crate::session::World;
use crate::session::message::{ClientId, Input, MapChunking, MapId, ServerMessage};

/// Where a session stands. Each stage owns what is valid in it.
#[derive(Debug)]
pub(in crate::client) enum LoginState {
    /// INFO was sent; the map is to be named.
    LoggingIn(AwaitMap),
    /// The map was named; the application is asked, or it is being downloaded.
    Loading(LoadingMap),
    /// READY was sent.
    Readying(AwaitConReady),
    /// Cl_StartInfo was sent.
    Greeting(AwaitReadyToEnter),
    /// ENTERGAME was sent; snapshots are to come.
    Joining(Box<AwaitSnapshots>),
    /// The game is on.
    Playing(Box<InGame>),
}

/// What a message led to.
#[derive(Debug)]
pub(in crate::client) enum Transition {
    /// The stage goes on.
    Stay,
    /// It does not belong here, and changes nothing.
    Unexpected,
    /// The session goes on in another stage.
    To(LoginState),
}

impl LoginState {
    /// Its name, for whoever looks at a client.
    pub(in crate::client) const fn name(&self) -> &'static str {
        match self {
            Self::LoggingIn(_) => "logging in",
            Self::Loading(loading) => loading.name(),
            Self::Readying(_) => "readying",
            Self::Greeting(_) => "greeting",
            Self::Joining(_) => "joining",
            Self::Playing(_) => "playing",
        }
    }

    /// How much memory is held, in bytes.
    pub(in crate::client) fn held_bytes(&self) -> usize {
        match self {
            Self::Loading(loading) => loading.held_bytes(),
            _ => size_of::<Self>(),
        }
    }

    /// What the latest snapshot shows, once the game is entered.
    pub(in crate::client) fn world(&self) -> Option<&World> {
        self.game().map(GameView::world)
    }

    /// The name of a player, as far as it is known.
    pub(in crate::client) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.game()?.name_of(id)
    }

    const fn game(&self) -> Option<&GameView> {
        match self {
            Self::Joining(joining) => Some(joining.game()),
            Self::Playing(playing) => Some(playing.game()),
            Self::LoggingIn(_) | Self::Loading(_) | Self::Readying(_) | Self::Greeting(_) => None,
        }
    }

    /// Takes a message that leads from stage to stage, or belongs to one.
    pub(in crate::client) fn handle_message(&mut self, word: &ServerMessage<'_>, context: &mut Context<'_>) {
        let outcome = match (word, &mut *self) {
            (ServerMessage::MapChange { map, pieces }, _) => change_map(map, *pieces, context),
            (
                ServerMessage::Snapshot(snapshot),
                Self::LoggingIn(_) | Self::Loading(_) | Self::Readying(_) | Self::Greeting(_),
            ) if puzzle::take_antispoof_snapshot(snapshot, context) => Transition::Stay,
            (_, Self::LoggingIn(stage)) => stage.hear(word),
            (_, Self::Loading(stage)) => stage.hear(word, context),
            (_, Self::Readying(stage)) => stage.hear(word, context),
            (_, Self::Greeting(stage)) => stage.hear(word, context),
            (_, Self::Joining(stage)) => stage.hear(word, context),
            (_, Self::Playing(stage)) => stage.hear(word, context),
        };
        match outcome {
            Transition::Stay => {}
            Transition::Unexpected => {
                context.desk.counts.unexpected = context.desk.counts.unexpected.saturating_add(1);
            }
            Transition::To(stage) => *self = stage,
        }
    }

    /// Goes on as if the map were there.
    ///
    /// # Errors
    /// When no map is waited for.
    pub(in crate::client) fn have_map(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let Self::Loading(_) = self else { return Err(CommandError::NoMapNeeded) };
        *self = Self::Readying(AwaitConReady::begin(None, context));
        Ok(())
    }

    /// Begins the download of the map.
    ///
    /// # Errors
    /// When no map is waited for, or its download has begun.
    pub(in crate::client) fn download_map(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let Self::Loading(loading) = self else { return Err(CommandError::NoMapNeeded) };
        loading.download(context)
    }

    /// Does what is due.
    pub(in crate::client) fn handle_timeout(&mut self, context: &mut Context<'_>) {
        if let Self::Playing(playing) = self {
            playing.handle_timeout(context);
        }
    }

    /// The next time at which something is due.
    pub(in crate::client) fn poll_timeout(&self, now: Instant, input: &Input) -> Option<Wake> {
        match self {
            Self::Playing(playing) => Some(playing.poll_timeout(now, input)),
            _ => None,
        }
    }
}

/// The server plays another map now; whatever was going on begins anew.
fn change_map(map: &MapId<'_>, pieces: Option<MapChunking>, context: &mut Context<'_>) -> Transition {
    let details = context.line.details.take();
    let details =
        details.filter(|details| details.crc == map.crc && details.name.as_bytes() == map.name.as_bytes());
    let (sha256, url) = details.map_or((None, None), |details| (details.sha256, details.url));
    let needed =
        MapInfo { name: map.name.into(), crc: map.crc, size: map.size, sha256: map.sha256.or(sha256), url };
    context.emit(Event::MapNeeded(needed.clone()));
    Transition::To(match context.desk.config.maps {
        MapPolicy::Ask => LoginState::Loading(LoadingMap::new(needed, pieces)),
        MapPolicy::Assume => LoginState::Readying(AwaitConReady::begin(None, context)),
    })
}

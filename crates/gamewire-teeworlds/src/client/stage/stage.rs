use gamewire_machine::{Instant, Wake};

use super::{Greeting, Joining, Loading, LoggingIn, Playing, Readying};
use crate::client::context::Context;
use crate::client::game::Game;
use crate::client::puzzle;
use crate::client::{CommandError, Event, Maps, NeededMap, TextBuf};
use crate::session::World;
use crate::session::message::{ClientId, FromServer, Input, MapId, MapPieces};

/// Where a session stands. Each stage owns what is valid in it.
#[derive(Debug)]
pub(in crate::client) enum Stage {
    /// INFO was sent; the map is to be named.
    LoggingIn(LoggingIn),
    /// The map was named; the application is asked, or it is being downloaded.
    Loading(Loading),
    /// READY was sent.
    Readying(Readying),
    /// Cl_StartInfo was sent.
    Greeting(Greeting),
    /// ENTERGAME was sent; snapshots are to come.
    Joining(Box<Joining>),
    /// The game is on.
    Playing(Box<Playing>),
}

/// What a message led to.
#[derive(Debug)]
pub(in crate::client) enum Outcome {
    /// The stage goes on.
    Stay,
    /// It does not belong here, and changes nothing.
    OutOfPlace,
    /// The session goes on in another stage.
    Become(Stage),
}

impl Stage {
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
        self.game().map(Game::world)
    }

    /// The name of a player, as far as it is known.
    pub(in crate::client) fn name_of(&self, id: ClientId) -> Option<&TextBuf> {
        self.game()?.name_of(id)
    }

    const fn game(&self) -> Option<&Game> {
        match self {
            Self::Joining(joining) => Some(joining.game()),
            Self::Playing(playing) => Some(playing.game()),
            Self::LoggingIn(_) | Self::Loading(_) | Self::Readying(_) | Self::Greeting(_) => None,
        }
    }

    /// Takes a message that leads from stage to stage, or belongs to one.
    pub(in crate::client) fn hear(&mut self, word: &FromServer<'_>, context: &mut Context<'_>) {
        let outcome = match (word, &mut *self) {
            (FromServer::MapChange { map, pieces }, _) => change_map(map, *pieces, context),
            (
                FromServer::Snapshot(snapshot),
                Self::LoggingIn(_) | Self::Loading(_) | Self::Readying(_) | Self::Greeting(_),
            ) if puzzle::answer(snapshot, context) => Outcome::Stay,
            (_, Self::LoggingIn(stage)) => stage.hear(word),
            (_, Self::Loading(stage)) => stage.hear(word, context),
            (_, Self::Readying(stage)) => stage.hear(word, context),
            (_, Self::Greeting(stage)) => stage.hear(word, context),
            (_, Self::Joining(stage)) => stage.hear(word, context),
            (_, Self::Playing(stage)) => stage.hear(word, context),
        };
        match outcome {
            Outcome::Stay => {}
            Outcome::OutOfPlace => {
                context.desk.counts.out_of_place = context.desk.counts.out_of_place.saturating_add(1);
            }
            Outcome::Become(stage) => *self = stage,
        }
    }

    /// Goes on as if the map were there.
    ///
    /// # Errors
    /// When no map is waited for.
    pub(in crate::client) fn have_map(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let Self::Loading(_) = self else { return Err(CommandError::NoMapNeeded) };
        *self = Self::Readying(Readying::begin(None, context));
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
fn change_map(map: &MapId<'_>, pieces: Option<MapPieces>, context: &mut Context<'_>) -> Outcome {
    let details = context.line.details.take();
    let details =
        details.filter(|details| details.crc == map.crc && details.name.as_bytes() == map.name.as_bytes());
    let (sha256, url) = details.map_or((None, None), |details| (details.sha256, details.url));
    let needed =
        NeededMap { name: map.name.into(), crc: map.crc, size: map.size, sha256: map.sha256.or(sha256), url };
    context.tell(Event::MapNeeded(needed.clone()));
    Outcome::Become(match context.desk.config.maps {
        Maps::Ask => Stage::Loading(Loading::new(needed, pieces)),
        Maps::Assume => Stage::Readying(Readying::begin(None, context)),
    })
}

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::city_unit::OldTiles;
use super::combat::Combat;
use super::message::Message;
use super::page::Page;

/// A change of the world since the last call of [`World::take_changes`](super::World::take_changes).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Change {
    /// The rulesets were received, or replaced.
    Rulesets,
    /// The game started, or the client entered a running game.
    GameBegan,
    /// The game ended.
    GameEnded,
    /// The rules or the state of the whole game changed.
    Game,
    /// A turn started. If several turns started, only the last one is reported.
    TurnBegan {
        /// Number of the turn, counted from 1.
        turn: i16,
    },
    /// A phase of a turn started. If several phases started, only the last one is reported.
    PhaseBegan {
        /// Number of the phase, counted from 0. [`World::is_phase_of`](super::World::is_phase_of) returns its players.
        phase: i16,
    },
    /// A player appeared or changed: gold, score, government, relations or research.
    PlayerChanged {
        /// Number of the player.
        player: u16,
    },
    /// A player was removed.
    PlayerLost {
        /// Number of the player.
        player: u16,
    },
    /// A diplomatic meeting started, changed or ended.
    MeetingChanged {
        /// Number of the other player.
        with: u16,
    },
    /// A tile became known.
    TileSeen {
        /// Number of the tile.
        tile: i32,
    },
    /// A tile changed, or is no longer visible.
    TileChanged {
        /// Number of the tile.
        tile: i32,
    },
    /// A city was founded or became known.
    CityFounded {
        /// Id of the city.
        city: u32,
    },
    /// A city changed. Its owner may have changed, too.
    CityChanged {
        /// Id of the city.
        city: u32,
    },
    /// A city was destroyed, or is no longer known.
    CityLost {
        /// Id of the city.
        city: u32,
        /// Number of the tile on which it was.
        tile: i32,
    },
    /// A unit appeared.
    UnitAppeared {
        /// Id of the unit.
        unit: u32,
    },
    /// A unit moved to another tile.
    UnitMoved {
        /// Id of the unit.
        unit: u32,
        /// Number of the tile before.
        from: i32,
        /// Number of the tile now.
        to: i32,
    },
    /// A unit changed without moving.
    UnitChanged {
        /// Id of the unit.
        unit: u32,
    },
    /// A unit was lost, or is no longer visible.
    UnitLost {
        /// Id of the unit.
        unit: u32,
        /// Number of the tile on which it was last seen.
        tile: i32,
    },
    /// A vote started, changed, was decided or was removed.
    VoteChanged {
        /// Number of the vote.
        vote: u32,
    },
    /// The server reported an achievement.
    AchievementChanged {
        /// Id of the achievement.
        achievement: u8,
    },
    /// Two units fought. If a unit is lost, a separate change reports it.
    Combat(Combat),
    /// A nuclear weapon exploded on a tile.
    TileNuked {
        /// Number of the tile.
        tile: i32,
    },
    /// A message from the server.
    Message(Message),
    /// A page of text from the server.
    Page(Page),
}

/// The things that changed since the last call, with their state at that time.
///
/// Each thing is stored once, so this is never larger than the world. The number of messages is limited separately.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changes {
    pub(super) rulesets: bool,
    pub(super) began: bool,
    pub(super) ended: bool,
    pub(super) game: bool,
    pub(super) turn: Option<i16>,
    pub(super) phase: Option<i16>,
    pub(super) players: BTreeSet<u16>,
    pub(super) meetings: BTreeSet<u16>,
    /// Tiles, and whether they were known before.
    pub(super) tiles: BTreeMap<i32, bool>,
    pub(super) cities: OldTiles,
    pub(super) units: OldTiles,
    pub(super) votes: BTreeSet<u32>,
    pub(super) achievements: BTreeSet<u8>,
    /// Fights and explosions.
    pub(super) events: VecDeque<Change>,
    pub(super) messages: VecDeque<Message>,
    pub(super) pages: VecDeque<Page>,
}

impl Changes {
    /// Maximum number of messages, and of fights and explosions. Above it, the oldest is dropped.
    pub(super) const MAX_MESSAGES: usize = 1024;
    /// Maximum number of pages.
    const MAX_PAGES: usize = 16;

    pub(super) fn push_message(&mut self, message: Message) {
        push_bounded(&mut self.messages, message, Self::MAX_MESSAGES);
    }

    pub(super) fn push_event(&mut self, event: Change) {
        push_bounded(&mut self.events, event, Self::MAX_MESSAGES);
    }

    pub(super) fn push_page(&mut self, page: Page) {
        push_bounded(&mut self.pages, page, Self::MAX_PAGES);
    }
}

fn push_bounded<T>(list: &mut VecDeque<T>, thing: T, most: usize) {
    if list.len() >= most {
        list.pop_front();
    }
    list.push_back(thing);
}

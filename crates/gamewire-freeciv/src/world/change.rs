use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::located::OldTiles;
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
    /// A turn started. Of several turns only the last one is reported.
    TurnBegan {
        /// Number of the turn, counted from 1.
        turn: i16,
    },
    /// A player appeared or changed: gold, score, government, relations or research.
    PlayerChanged {
        /// The number.
        player: u16,
    },
    /// A player was removed.
    PlayerLost {
        /// The number.
        player: u16,
    },
    /// A diplomatic meeting started, changed or ended.
    MeetingChanged {
        /// The other player.
        with: u16,
    },
    /// A tile became known.
    TileSeen {
        /// The number.
        tile: i32,
    },
    /// A tile changed, or is no longer seen.
    TileChanged {
        /// The number.
        tile: i32,
    },
    /// A city was founded or became known.
    CityFounded {
        /// The id.
        city: u32,
    },
    /// A city changed, its owner included.
    CityChanged {
        /// The id.
        city: u32,
    },
    /// A city was destroyed, or is no longer known.
    CityLost {
        /// The id.
        city: u32,
        /// The tile before.
        tile: i32,
    },
    /// A unit appeared.
    UnitAppeared {
        /// The id.
        unit: u32,
    },
    /// A unit moved to another tile.
    UnitMoved {
        /// The id.
        unit: u32,
        /// The tile before.
        from: i32,
        /// The tile now.
        to: i32,
    },
    /// A unit changed without moving.
    UnitChanged {
        /// The id.
        unit: u32,
    },
    /// A unit was lost, or is no longer seen.
    UnitLost {
        /// The id.
        unit: u32,
        /// Tile on which it was last seen.
        tile: i32,
    },
    /// A vote started, changed, was decided or was removed.
    VoteChanged {
        /// The number.
        vote: u32,
    },
    /// The server told of an achievement.
    AchievementChanged {
        /// The id.
        achievement: u8,
    },
    /// Two units fought. Of units that are lost, a change of their own says so.
    Combat {
        /// The unit that attacked.
        attacker: u32,
        /// The unit that defended.
        defender: u32,
        /// The hit points of the attacker after it.
        attacker_hp: u8,
        /// The hit points of the defender after it.
        defender_hp: u8,
    },
    /// A nuclear weapon exploded on a tile.
    TileNuked {
        /// The number.
        tile: i32,
    },
    /// A message of the server.
    Message(Message),
    /// A page of text of the server.
    Page(Page),
}

/// The things that changed since the last look, with their state at that time.
///
/// Each thing is stored once, so this is never larger than the world. Messages have a limit of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changes {
    pub(super) rulesets: bool,
    pub(super) began: bool,
    pub(super) ended: bool,
    pub(super) game: bool,
    pub(super) turn: Option<i16>,
    pub(super) players: BTreeSet<u16>,
    pub(super) meetings: BTreeSet<u16>,
    /// Tiles, and whether they were known.
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
    /// Maximum number of messages, and of fights and explosions. Above it the oldest is dropped.
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

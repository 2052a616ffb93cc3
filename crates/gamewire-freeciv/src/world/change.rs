use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::located::OldTiles;
use super::message::Message;

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
    /// A message of the server.
    Message(Message),
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
    pub(super) messages: VecDeque<Message>,
}

impl Changes {
    /// Maximum number of messages. Above it the oldest is dropped.
    pub(super) const MAX_MESSAGES: usize = 1024;

    pub(super) fn push_message(&mut self, message: Message) {
        if self.messages.len() >= Self::MAX_MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(message);
    }
}

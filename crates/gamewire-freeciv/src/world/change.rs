use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::message::Message;

/// What is otherwise than at the last look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The rulesets are known, or have changed.
    Rulesets,
    /// The game has begun, or one has got into it.
    GameBegan,
    /// The game is over.
    GameEnded,
    /// Rules or the state of the whole game.
    Game,
    /// A new turn: now one may act. If several began, the last one is told.
    TurnBegan {
        /// Its number, counted from 1.
        turn: i16,
    },
    /// A player is there, or is otherwise: gold, score, government, relations and research.
    PlayerChanged {
        /// Its number.
        player: u8,
    },
    /// A player is no more.
    PlayerLost {
        /// Its number.
        player: u8,
    },
    /// A meeting began, changed or ended.
    MeetingChanged {
        /// The other one in it.
        with: u8,
    },
    /// A tile is known for the first time.
    TileSeen {
        /// Its number.
        tile: i32,
    },
    /// A tile is otherwise, or is seen no longer.
    TileChanged {
        /// Its number.
        tile: i32,
    },
    /// A city that was not there, or not known.
    CityFounded {
        /// Its id.
        city: u16,
    },
    /// A city is otherwise; it may have another owner.
    CityChanged {
        /// Its id.
        city: u16,
    },
    /// A city is no more.
    CityLost {
        /// Its id.
        city: u16,
        /// Where it was.
        tile: i32,
    },
    /// A unit is there that was not, or was not seen.
    UnitAppeared {
        /// Its id.
        unit: u16,
    },
    /// A unit is on another tile.
    UnitMoved {
        /// Its id.
        unit: u16,
        /// Where it was.
        from: i32,
        /// Where it is.
        to: i32,
    },
    /// A unit is otherwise, where it was.
    UnitChanged {
        /// Its id.
        unit: u16,
    },
    /// A unit is no more, or out of sight.
    UnitLost {
        /// Its id.
        unit: u16,
        /// Where it was last seen.
        tile: i32,
    },
    /// A line of the server.
    Message(Message),
}

/// What was touched since the last look, and how it was then.
///
/// Each thing is here once, so this is never larger than the world; only messages have a limit of
/// their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changes {
    pub(super) rulesets: bool,
    pub(super) began: bool,
    pub(super) ended: bool,
    pub(super) game: bool,
    pub(super) turn: Option<i16>,
    players: BTreeSet<u8>,
    meetings: BTreeSet<u8>,
    tiles: BTreeMap<i32, bool>,
    cities: BTreeMap<u16, Option<i32>>,
    units: BTreeMap<u16, Option<i32>>,
    messages: VecDeque<Message>,
}

impl Changes {
    /// So many lines are kept; then the oldest goes.
    pub(super) const MAX_MESSAGES: usize = 1024;

    pub(super) fn player(&mut self, player: u8) {
        self.players.insert(player);
    }

    pub(super) fn meeting(&mut self, with: u8) {
        self.meetings.insert(with);
    }

    pub(super) fn tile(&mut self, tile: i32, was_known: bool) {
        self.tiles.entry(tile).or_insert(was_known);
    }

    pub(super) fn city(&mut self, city: u16, was_at: Option<i32>) {
        self.cities.entry(city).or_insert(was_at);
    }

    pub(super) fn unit(&mut self, unit: u16, was_at: Option<i32>) {
        self.units.entry(unit).or_insert(was_at);
    }

    pub(super) fn message(&mut self, message: Message) {
        if self.messages.len() >= Self::MAX_MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(message);
    }

    /// What came of it, by how things are now. What came and went in between is not told.
    pub(super) fn into_changes(self, now: &super::World) -> Vec<Change> {
        let flags = [
            (self.rulesets, Change::Rulesets),
            (self.began, Change::GameBegan),
            (self.game, Change::Game),
            (self.ended, Change::GameEnded),
        ];
        let mut told: Vec<Change> =
            flags.into_iter().filter_map(|(is, change)| is.then_some(change)).collect();
        told.extend(self.turn.map(|turn| Change::TurnBegan { turn }));
        told.extend(self.players.into_iter().map(|player| match now.player(player) {
            Some(_) => Change::PlayerChanged { player },
            None => Change::PlayerLost { player },
        }));
        told.extend(self.meetings.into_iter().map(|with| Change::MeetingChanged { with }));
        told.extend(self.tiles.into_iter().map(|(tile, was_known)| match was_known {
            true => Change::TileChanged { tile },
            false => Change::TileSeen { tile },
        }));
        told.extend(self.cities.into_iter().filter_map(|(city, was)| match (was, now.city(city)) {
            (None, Some(_)) => Some(Change::CityFounded { city }),
            (Some(_), Some(_)) => Some(Change::CityChanged { city }),
            (Some(tile), None) => Some(Change::CityLost { city, tile }),
            (None, None) => None,
        }));
        told.extend(self.units.into_iter().filter_map(|(unit, was)| match (was, now.unit(unit)) {
            (None, Some(_)) => Some(Change::UnitAppeared { unit }),
            (Some(from), Some(now)) if now.tile() != from => {
                Some(Change::UnitMoved { unit, from, to: now.tile() })
            }
            (Some(_), Some(_)) => Some(Change::UnitChanged { unit }),
            (Some(tile), None) => Some(Change::UnitLost { unit, tile }),
            (None, None) => None,
        }));
        told.extend(self.messages.into_iter().map(Change::Message));
        told
    }
}

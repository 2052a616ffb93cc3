use crate::model::message::{ClientId, Profile};
use crate::model::skin::{Skin, SkinBuf};
use crate::model::text::TextBuf;
use crate::shared::definition::flags;
use crate::shared::value::Team;

/// A player or spectator.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Player {
    /// The id.
    pub id: ClientId,
    /// This is the receiver's own player.
    pub local: bool,
    /// The name.
    pub name: TextBuf,
    /// The clan.
    pub clan: TextBuf,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The looks.
    pub skin: SkinBuf,
    /// The team.
    pub team: Team,
    /// The score. In races it is a time: seconds, negative in 0.6 of DDNet, or milliseconds in 0.7.
    pub score: i32,
    /// The ping in milliseconds.
    pub latency: i32,
    /// The activity of the player. In 0.6 it is part of the visible character.
    pub status: PlayerStatus,
    /// The tick at which the player's race began (0.7).
    pub race_start_tick: Option<i32>,
}

flags! {
    /// The activity of a player, in a form for all versions.
    PlayerStatus in i32::MIN..=i32::MAX;
    CHATTING "chatting", SCOREBOARD "scoreboard", IN_MENU "in_menu", AIM "aim", ADMIN "admin", READY "ready",
    DEAD "dead", WATCHING "watching", BOT "bot",
}

impl Player {
    /// Creates a player with only an id.
    pub fn new(id: ClientId) -> Self {
        Self {
            id,
            local: false,
            name: TextBuf::default(),
            clan: TextBuf::default(),
            country: -1,
            skin: SkinBuf::default(),
            team: Team::RED,
            score: 0,
            latency: 0,
            status: PlayerStatus::default(),
            race_start_tick: None,
        }
    }

    /// Returns the name and looks.
    pub fn profile(&self) -> Profile<'_> {
        Profile {
            name: self.name.as_text(),
            clan: self.clan.as_text(),
            country: self.country,
            skin: self.skin.as_skin(),
        }
    }

    /// Copies `other`. Does not allocate if name, clan and skin are equal.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        if self.name != other.name || self.clan != other.clan || self.skin != other.skin {
            self.clone_from(other);
            return;
        }
        let Self { id, local, country, team, score, latency, status, race_start_tick, .. } = *other;
        (self.id, self.local, self.country, self.team) = (id, local, country, team);
        (self.score, self.latency) = (score, latency);
        (self.status, self.race_start_tick) = (status, race_start_tick);
    }

    /// Resets everything except the allocated memory, and sets the id.
    pub(crate) fn reset(&mut self, id: ClientId) {
        for text in [&mut self.name, &mut self.clan] {
            text.set(core::iter::empty());
        }
        (self.id, self.local, self.country, self.team) = (id, false, -1, Team::RED);
        (self.score, self.latency) = (0, 0);
        (self.status, self.race_start_tick) = (PlayerStatus::default(), None);
    }

    /// Replaces the name and looks and reuses the memory of the old ones.
    pub(crate) fn set_profile(
        &mut self,
        name: impl Iterator<Item = u8>,
        clan: impl Iterator<Item = u8>,
        country: i32,
        skin: &Skin<'_>,
    ) {
        self.name.set(name);
        self.clan.set(clan);
        self.country = country;
        self.skin.set(skin);
    }
}

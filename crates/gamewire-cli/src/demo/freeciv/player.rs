use gamewire_freeciv::codec::Text;
use gamewire_freeciv::packets::{CityInfo, PlayerInfo, UnitInfo};
use gamewire_freeciv::session::server::ClientId;

use super::rules::{EXPLORER, SETTLERS, WIDTH, text, tile};

/// A player of the demo's game on the server.
#[derive(Debug)]
pub(super) struct DemoPlayer {
    pub(super) client: ClientId,
    pub(super) number: u16,
    pub(super) name: String,
    /// The name of its city after it is founded.
    pub(super) city: Option<String>,
    /// True if it has ended its turn.
    pub(super) is_done: bool,
}

impl DemoPlayer {
    /// Returns its gold in a turn; the client checks it.
    pub(super) fn gold(turn: i16) -> u32 {
        u32::from(turn.unsigned_abs()).saturating_mul(3).saturating_add(47)
    }

    pub(super) fn size(turn: i16) -> u8 {
        u8::try_from(turn.unsigned_abs() / 3).unwrap_or(u8::MAX).saturating_add(1).min(16)
    }

    pub(super) fn player(&self, turn: i16) -> PlayerInfo {
        PlayerInfo {
            playerno: self.number,
            name: text(&self.name),
            username: text(&self.name),
            score: turn.unsigned_abs().into(),
            nation: self.number.cast_signed(),
            team: self.number,
            is_alive: true,
            is_connected: true,
            turns_alive: turn,
            gold: Self::gold(turn),
            ..PlayerInfo::default()
        }
    }

    /// Returns the tile where its settlers start and found its city.
    fn home(&self) -> i32 {
        tile(2, (self.number % 8).saturating_add(1))
    }

    pub(super) const fn settlers_id(&self) -> u32 {
        self.id(100)
    }

    /// Returns its settlers until the city is founded.
    pub(super) fn settlers(&self) -> Option<UnitInfo> {
        self.city.is_none().then(|| self.unit(self.settlers_id(), SETTLERS, self.home()))
    }

    /// Returns its explorer, who walks back and forth along a row of the map.
    pub(super) fn explorer(&self, turn: i16) -> UnitInfo {
        let steps = WIDTH.saturating_sub(3);
        let step = turn.unsigned_abs().checked_rem(steps.saturating_mul(2)).unwrap_or(0);
        let column = step.min(steps.saturating_mul(2).saturating_sub(step)).saturating_add(1);
        let place = tile(column, (self.number % 8).saturating_add(1));
        self.unit(self.id(200), EXPLORER, place)
    }

    pub(super) fn city(&self, turn: i16) -> Option<CityInfo> {
        let name = self.city.as_deref()?;
        Some(CityInfo {
            id: self.id(300),
            tile: self.home(),
            owner: self.number,
            size: Self::size(turn),
            city_radius_sq: 5,
            turn_founded: 1,
            name: Text::try_from(name).unwrap_or_default(),
            ..CityInfo::default()
        })
    }

    fn unit(&self, id: u32, kind: u16, tile: i32) -> UnitInfo {
        UnitInfo {
            id,
            owner: self.number,
            nationality: self.number,
            tile,
            r#type: kind,
            hp: 10,
            movesleft: 3,
            ..UnitInfo::default()
        }
    }

    const fn id(&self, kind: u32) -> u32 {
        kind.saturating_add(self.number as u32)
    }
}

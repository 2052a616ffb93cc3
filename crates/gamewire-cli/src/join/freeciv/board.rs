use std::collections::BTreeMap;

use gamewire_freeciv::session::Role;
use gamewire_freeciv::session::codec::Owned;

/// Most of anything that is kept: as many as there can be ids.
const MOST: usize = 1 << 16;

/// The few figures of a game that a line of a turn tells, by any definition.
#[derive(Debug, Default)]
pub(super) struct Board {
    pub(super) turn: i64,
    pub(super) year: i64,
    /// What stands behind a year, before and after the year 0.
    eras: [String; 2],
    players: BTreeMap<i64, Player>,
    /// Who has a city or a unit, by its id.
    cities: BTreeMap<i64, i64>,
    units: BTreeMap<i64, i64>,
}

#[derive(Clone, Debug, Default)]
struct Player {
    name: String,
    gold: i64,
    score: i64,
}

/// What somebody has, or all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) cities: usize,
    pub(super) units: usize,
    /// Nobody's if all are looked at.
    pub(super) gold: Option<i64>,
    pub(super) score: Option<i64>,
}

impl Board {
    pub(super) fn apply(&mut self, packet: &Owned) {
        match packet.name() {
            "PACKET_GAME_INFO" | "PACKET_NEW_YEAR" => {
                self.turn = packet.int("turn");
                self.year = ["year32", "year16", "year"]
                    .iter()
                    .find_map(|name| packet.value(name)?.as_int())
                    .unwrap_or(self.year);
            }
            "PACKET_CALENDAR_INFO" => {
                self.eras = ["negative_year_label", "positive_year_label"].map(|name| packet.text(name));
            }
            "PACKET_PLAYER_INFO" => {
                let (gold, score) = (packet.int("gold"), packet.int("score"));
                let player = Player { name: packet.text("name"), gold, score };
                keep(&mut self.players, packet.int("playerno"), player);
            }
            "PACKET_PLAYER_REMOVE" => drop(self.players.remove(&packet.int("playerno"))),
            "PACKET_MAP_INFO" => (self.cities, self.units) = Default::default(),
            "PACKET_CITY_INFO" | "PACKET_CITY_SHORT_INFO" => {
                keep(&mut self.cities, packet.int("id"), packet.int("owner"));
            }
            "PACKET_CITY_REMOVE" => drop(self.cities.remove(&packet.int("city_id"))),
            "PACKET_UNIT_INFO" => keep(&mut self.units, packet.int("id"), packet.int("owner")),
            // It may also be the answer to a spy.
            "PACKET_UNIT_SHORT_INFO" if packet.int("packet_use") == 0 => {
                keep(&mut self.units, packet.int("id"), packet.int("owner"));
            }
            "PACKET_UNIT_REMOVE" => drop(self.units.remove(&packet.int("unit_id"))),
            _ => {}
        }
    }

    /// What whom one plays or watches has.
    pub(super) fn figures(&self, role: Role) -> Figures {
        let of = |owners: &BTreeMap<i64, i64>| match role.player {
            Some(me) => owners.values().filter(|owner| **owner == i64::from(me)).count(),
            None => owners.len(),
        };
        let player = role.player.and_then(|me| self.players.get(&me.into()));
        Figures {
            cities: of(&self.cities),
            units: of(&self.units),
            gold: player.map(|player| player.gold),
            score: player.map(|player| player.score),
        }
    }

    pub(super) fn player_name(&self, player: u16) -> Option<&str> {
        self.players.get(&player.into()).map(|player| player.name.as_str())
    }

    /// A year as the game writes it.
    pub(super) fn year_in_words(&self, year: i64) -> String {
        let [before, after] = &self.eras;
        let era = if year < 0 { before } else { after };
        format!("{} {era}", year.unsigned_abs()).trim_end().to_owned()
    }
}

fn keep<V>(map: &mut BTreeMap<i64, V>, key: i64, value: V) {
    if map.len() < MOST || map.contains_key(&key) {
        map.insert(key, value);
    }
}

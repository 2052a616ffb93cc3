//! How each packet changes the world.

use super::city::City;
use super::diplomacy::{Meeting, Relation, TreatyClause};
use super::message::Message;
use super::unit::Unit;
use super::world::{GameState, NO_PLAYER, World};
use crate::number::Clause;
use crate::v30::{ConnInfo, GameInfo, NewYear, Packet, UnitShortInfo};

/// A short packet about a unit that shows the unit itself, and not the answer to a spy.
const IDENTITY: u8 = 0;

impl World {
    /// Takes a packet of the server, in its order. Those that say nothing of the world are nothing
    /// to it.
    pub fn apply(&mut self, packet: &Packet<'_>) {
        if self.rulesets.apply(packet) {
            self.changes.rulesets |= self.rulesets.is_ready;
            return;
        }
        if self.settings.apply(packet) || self.apply_diplomacy_packet(packet) || self.apply_map_packet(packet)
        {
            return;
        }
        match packet {
            Packet::ServerJoinReply(reply) if reply.you_can_join => self.connection = Some(reply.conn_id),
            Packet::ConnInfo(info) => self.connect(info),
            Packet::GameInfo(info) => self.set_game(info),
            Packet::CalendarInfo(info) => self.calendar = Some(Box::new((*info).clone())),
            Packet::TimeoutInfo(info) => self.timeout = Some((*info).clone()),
            Packet::NewYear(year) => self.new_year(year),
            Packet::StartPhase(_) => self.begin(),
            Packet::BeginTurn => {
                self.begun_turn = self.turn;
                self.changes.turn = Some(self.turn);
            }
            Packet::EndgameReport(_) => {
                self.stage = GameState::Over;
                self.changes.ended = true;
            }
            Packet::ChatMsg(message) => self.changes.message(Message::new(message)),
            Packet::PlayerInfo(info) => {
                self.players.insert(info.playerno, Box::new((*info).clone()));
                self.changes.player(info.playerno);
            }
            Packet::PlayerRemove(removed) => {
                self.players.remove(&removed.playerno);
                self.researches.remove(&removed.playerno);
                self.diplomacy
                    .relations
                    .retain(|(one, other), _| ![*one, *other].contains(&removed.playerno));
                self.diplomacy.meetings.remove(&removed.playerno);
                self.changes.player(removed.playerno);
            }
            Packet::ResearchInfo(info) => {
                self.researches.insert(info.id, Box::new((*info).clone()));
                self.changes.player(info.id);
            }
            Packet::UnknownResearch(unknown) => drop(self.researches.remove(&unknown.id)),
            _ => {}
        }
    }

    /// Takes a packet about tiles, cities and units; whether it is one.
    fn apply_map_packet(&mut self, packet: &Packet<'_>) -> bool {
        let changes = &mut self.changes;
        match packet {
            Packet::MapInfo(info) => {
                self.forget();
                self.land.begin(info);
            }
            Packet::TileInfo(info) => self.land.put(info, changes),
            Packet::CityInfo(info) => self.cities.put(City::Full(Box::new((*info).clone())), changes),
            Packet::CityShortInfo(info) => self.cities.put(City::Short(Box::new((*info).clone())), changes),
            Packet::CityRemove(removed) => self.cities.remove(removed.city_id, changes),
            Packet::UnitInfo(info) => self.units.put(Unit::Full(Box::new((*info).clone())), changes),
            Packet::UnitShortInfo(info) => self.apply_unit_short(info),
            Packet::UnitRemove(removed) => self.units.remove(removed.unit_id, changes),
            Packet::UnitCombatInfo(_) => {}
            _ => return false,
        }
        true
    }

    /// Takes a packet about relations and meetings; whether it is one.
    fn apply_diplomacy_packet(&mut self, packet: &Packet<'_>) -> bool {
        let with = match packet {
            Packet::PlayerDiplstate(state) => {
                let relation = Relation::new(state);
                if self.diplomacy.relations.insert((state.plr1, state.plr2), relation) != Some(relation) {
                    self.changes.player(state.plr1);
                }
                return true;
            }
            Packet::DiplomacyInitMeeting(meeting) => {
                self.diplomacy.meetings.insert(meeting.counterpart, Meeting::default());
                meeting.counterpart
            }
            Packet::DiplomacyCancelMeeting(meeting) => {
                self.diplomacy.meetings.remove(&meeting.counterpart);
                meeting.counterpart
            }
            Packet::DiplomacyCreateClause(it) => {
                let clause = TreatyClause { giver: it.giver, clause: Clause(it.r#type), value: it.value };
                self.diplomacy.meetings.entry(it.counterpart).or_default().add(clause);
                it.counterpart
            }
            Packet::DiplomacyRemoveClause(it) => {
                let clause = TreatyClause { giver: it.giver, clause: Clause(it.r#type), value: it.value };
                self.diplomacy.meetings.entry(it.counterpart).or_default().remove(clause);
                it.counterpart
            }
            Packet::DiplomacyAcceptTreaty(accepted) => {
                let meeting = self.diplomacy.meetings.entry(accepted.counterpart).or_default();
                meeting.i_accepted = accepted.I_accepted;
                meeting.other_accepted = accepted.other_accepted;
                accepted.counterpart
            }
            _ => return false,
        };
        self.changes.meeting(with);
        true
    }

    fn connect(&mut self, info: &ConnInfo) {
        let part = |connection: Option<&ConnInfo>| {
            connection.map_or((NO_PLAYER, false), |it| (it.player_num, it.observer))
        };
        if Some(info.id) == self.connection && part(self.my_connection()) != (info.player_num, info.observer)
        {
            // The server tells the new part all that it may see.
            self.forget();
            self.land.forget();
            self.researches.clear();
            self.stage = GameState::Pregame;
        }
        if info.used {
            self.connections.insert(info.id, Box::new(info.clone()));
        } else {
            self.connections.remove(&info.id);
        }
    }

    fn set_game(&mut self, info: &GameInfo) {
        self.turn = info.turn;
        // Servers that know of far years say them in the wide field.
        self.year = if info.year32 == 0 { i32::from(info.year16) } else { info.year32 };
        self.game = Some(Box::new(info.clone()));
        self.changes.game = true;
    }

    fn new_year(&mut self, year: &NewYear) {
        self.turn = year.turn;
        self.year = if year.year32 == 0 { i32::from(year.year16) } else { year.year32 };
    }

    fn begin(&mut self) {
        if self.stage != GameState::Running {
            self.stage = GameState::Running;
            self.changes.began = true;
        }
    }

    fn apply_unit_short(&mut self, info: &UnitShortInfo) {
        if info.packet_use == IDENTITY {
            self.units.put(Unit::Short(Box::new(info.clone())), &mut self.changes);
        }
    }

    /// What is on the map is no more, or no longer one's business.
    fn forget(&mut self) {
        self.cities.forget(&mut self.changes);
        self.units.forget(&mut self.changes);
        self.diplomacy.meetings.clear();
    }
}

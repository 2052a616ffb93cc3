//! Applies packets to the world, and returns the changes.

use std::borrow::Cow;

use super::change::{Change, Changes};
use super::city_details::CityDetails;
use super::city_unit::{City, Unit};
use super::combat::{self, Fought};
use super::diplomacy::{Diplomacy, Meeting, Relation, TreatyClause};
use super::map::Topology;
use super::message::Message;
use super::page;
use super::table::Table;
use super::tile::Tile;
use super::vote;
use super::world::{GameState, Ranking, World};
use crate::codec::ProtocolVersion;
use crate::number::{Clause, Event, Known};
use crate::packets::{ConnInfo, Packet};

/// The use of a short unit packet that shows the unit. Packets with another use answer a spy.
const IDENTITY: u8 = 0;

impl World {
    /// Applies a packet from the server. Packets must be applied in order. Returns whether the world stores any part of
    /// it or reports it as a change: [`NOT_KEPT`](super::NOT_KEPT) lists the packets that it ignores, with reasons.
    pub fn apply(&mut self, packet: &Packet<'_>) -> bool {
        if self.rulesets.apply(packet) {
            self.changes.rulesets |= self.rulesets.is_ready;
            return true;
        }
        self.settings.apply(packet)
            || self.apply_diplomacy_packet(packet)
            || self.apply_map_packet(packet)
            || self.apply_city_detail(packet)
            || self.apply_society_packet(packet)
            || self.apply_turn_packet(packet)
            || vote::apply(&mut self.votes, packet, &mut self.changes)
            || page::apply(&mut self.page, packet, &mut self.changes)
            || self.apply_game_packet(packet)
    }

    /// Applies a packet about the game and its players. Returns false for other packets.
    fn apply_game_packet(&mut self, packet: &Packet<'_>) -> bool {
        match packet {
            Packet::ServerInfo(info) => {
                self.version = ProtocolVersion::of_server(info.major_version, info.minor_version);
                self.server = Some((*info).clone());
            }
            Packet::ServerJoinReply(reply) => {
                self.connection = reply.you_can_join.then_some(reply.conn_id).or(self.connection);
            }
            Packet::ConnInfo(info) => self.on_conn_info(info),
            Packet::GameInfo(info) => {
                self.turn = info.turn;
                self.year = info.year.or_else(|| info.year16.map(i32::from)).unwrap_or_default();
                self.game = Some(Box::new((*info).clone()));
                self.changes.game = true;
            }
            Packet::CalendarInfo(info) => self.calendar = Some(Box::new((*info).clone())),
            Packet::ScenarioInfo(info) => self.scenario = Some(Box::new((*info).clone())),
            Packet::GameLoad(it) => {
                let name = it.load_filename.to_str_lossy().into_owned();
                self.loaded_game = it.load_successful.then_some(name);
            }
            Packet::EndgameReport(report) => {
                self.state = GameState::Over;
                self.ranking = Ranking {
                    announced: report.player_num,
                    categories: report.category_name.iter_lossy().map(Cow::into_owned).collect(),
                    players: Vec::new(),
                };
                self.changes.ended = true;
            }
            Packet::EndgamePlayer(player) => {
                if self.ranking.players.len() < usize::from(self.ranking.announced) {
                    self.ranking.players.push((*player).clone());
                }
            }
            Packet::ChatMsg(message) => {
                self.on_message(Event(message.event));
                self.changes.push_message(Message::new(message));
            }
            Packet::EarlyChatMsg(message) => self.changes.push_message(Message::early(message)),
            Packet::ScenarioDescription(it) => {
                self.scenario_description = it.description.to_str_lossy().into_owned();
            }
            Packet::RulesetChoices(it) => {
                self.ruleset_choices = it.rulesets.iter_lossy().map(Cow::into_owned).collect();
            }
            Packet::PlayerInfo(info) => {
                self.players.put(info);
                self.changes.players.insert(info.playerno);
            }
            Packet::PlayerRemove(removed) => {
                self.players.remove(removed.playerno);
                self.researches.remove(removed.playerno);
                self.society.spaceships.remove(removed.playerno);
                self.diplomacy
                    .relations
                    .retain(|(one, other), _| ![*one, *other].contains(&removed.playerno));
                self.diplomacy.meetings.remove(&removed.playerno);
                self.changes.players.insert(removed.playerno);
            }
            Packet::ResearchInfo(info) => {
                self.researches.put(info);
                self.changes.players.insert(info.id.into());
            }
            Packet::UnknownResearch(unknown) => self.researches.remove(unknown.id),
            _ => return false,
        }
        true
    }

    /// Returns the changes since the last call. Each thing is reported once, even if it changed several times. A thing
    /// that appeared and disappeared since the last call is not reported.
    pub fn take_changes(&mut self) -> Vec<Change> {
        into_changes(core::mem::take(&mut self.changes), self)
    }

    /// Applies a packet about tiles, cities and units. Returns false for other packets.
    fn apply_map_packet(&mut self, packet: &Packet<'_>) -> bool {
        let changes = &mut self.changes;
        match packet {
            Packet::SetTopology(it) => self.map.set_topology(Topology::of_parts(it.topology_id, it.wrap_id)),
            Packet::MapInfo(info) => {
                self.forget();
                self.map.reset(info);
            }
            Packet::TileInfo(info) => {
                let extras = self.rulesets.control.as_ref().map(|control| control.num_extra_types);
                let was_seen = self.map.tile(info.tile).is_some_and(Tile::is_seen);
                self.map.put(info, self.version, extras, changes);
                if was_seen && Known(info.known) != Known::SEEN {
                    // Servers do not remove all of these units; Freeciv's client also removes them.
                    let hidden: Vec<u32> = self.units.on_tile(info.tile).map(Unit::id).collect();
                    hidden.into_iter().for_each(|unit| self.units.remove(unit, &mut changes.units));
                }
            }
            Packet::CityInfo(info) => {
                CityDetails::on_city_info(&mut self.city_details, info);
                self.cities.put(City::Full(Box::new((*info).clone())), &mut changes.cities)
            }
            Packet::CityShortInfo(info) => {
                self.cities.put(City::Short(Box::new((*info).clone())), &mut changes.cities)
            }
            Packet::CityRemove(removed) => {
                self.city_details.remove(&removed.city_id);
                self.cities.remove(removed.city_id, &mut changes.cities);
            }
            Packet::UnitInfo(info) => {
                self.fought.remove(info.id);
                self.units.put(Unit::Full(Box::new((*info).clone())), &mut changes.units)
            }
            Packet::UnitShortInfo(info) if info.packet_use == IDENTITY => {
                self.fought.remove(info.id);
                self.units.put(Unit::Short(Box::new((*info).clone())), &mut changes.units);
            }
            Packet::UnitRemove(removed) => {
                self.fought.remove(removed.unit_id);
                self.units.remove(removed.unit_id, &mut changes.units);
            }
            Packet::UnitCombatInfo(it) => combat::apply(&mut self.units, &mut self.fought, it, changes),
            Packet::NukeTileInfo(it) => changes.push_event(Change::TileNuked { tile: it.tile }),
            _ => return false,
        }
        true
    }

    /// Applies a packet about relations and meetings. Returns false for other packets.
    fn apply_diplomacy_packet(&mut self, packet: &Packet<'_>) -> bool {
        let Diplomacy { relations, meetings } = &mut self.diplomacy;
        let with = match packet {
            Packet::PlayerDiplstate(state) => {
                let relation = Relation::new(state);
                if relations.insert((state.plr1, state.plr2), relation) != Some(relation) {
                    self.changes.players.insert(state.plr1);
                }
                return true;
            }
            Packet::DiplomacyInitMeeting(meeting) => {
                let opened = Meeting { opened_by: Some(meeting.initiated_from), ..Meeting::default() };
                meetings.insert(meeting.counterpart, opened);
                meeting.counterpart
            }
            Packet::DiplomacyCancelMeeting(meeting) => {
                meetings.remove(&meeting.counterpart);
                meeting.counterpart
            }
            Packet::DiplomacyCreateClause(it) => {
                let clause = TreatyClause { giver: it.giver, clause: Clause(it.r#type), value: it.value };
                meetings.entry(it.counterpart).or_default().add(clause);
                it.counterpart
            }
            Packet::DiplomacyRemoveClause(it) => {
                let clause = TreatyClause { giver: it.giver, clause: Clause(it.r#type), value: it.value };
                meetings.entry(it.counterpart).or_default().remove(clause);
                it.counterpart
            }
            Packet::DiplomacyAcceptTreaty(it) => {
                let meeting = meetings.entry(it.counterpart).or_default();
                (meeting.i_accepted, meeting.other_accepted) = (it.I_accepted, it.other_accepted);
                it.counterpart
            }
            _ => return false,
        };
        self.changes.meetings.insert(with);
        true
    }

    fn on_conn_info(&mut self, info: &ConnInfo) {
        let role = |connection: Option<&ConnInfo>| {
            connection.map_or_else(|| (self.version.no_player(), false), |it| (it.player_num, it.observer))
        };
        if Some(info.id) == self.connection && role(self.my_connection()) != (info.player_num, info.observer)
        {
            // The server sends everything again that the new role may see.
            self.forget();
            self.map.forget();
            self.researches = Table::default();
            self.has_entered = false;
        }
        if info.used {
            self.connections.put(info);
        } else {
            self.connections.remove(info.id);
        }
    }

    /// Removes cities, units and meetings.
    fn forget(&mut self) {
        self.cities.forget(&mut self.changes.cities);
        self.units.forget(&mut self.changes.units);
        self.fought = Fought::default();
        self.diplomacy.meetings.clear();
        self.city_details.clear();
    }
}

/// Returns the changes, in comparison with the current world. A thing that appeared and disappeared since then is
/// omitted.
fn into_changes(changes: Changes, now: &World) -> Vec<Change> {
    let flags = [
        (changes.rulesets, Change::Rulesets),
        (changes.began, Change::GameBegan),
        (changes.game, Change::Game),
        (changes.ended, Change::GameEnded),
    ];
    let mut list: Vec<Change> = flags.into_iter().filter_map(|(is, change)| is.then_some(change)).collect();
    list.extend(changes.turn.map(|turn| Change::TurnBegan { turn }));
    list.extend(changes.phase.map(|phase| Change::PhaseBegan { phase }));
    list.extend(changes.players.into_iter().map(|player| match now.player(player) {
        Some(_) => Change::PlayerChanged { player },
        None => Change::PlayerLost { player },
    }));
    list.extend(changes.meetings.into_iter().map(|with| Change::MeetingChanged { with }));
    list.extend(changes.tiles.into_iter().map(|(tile, was_known)| match was_known {
        true => Change::TileChanged { tile },
        false => Change::TileSeen { tile },
    }));
    list.extend(changes.cities.into_iter().filter_map(|(city, was)| match (was, now.city(city)) {
        (None, Some(_)) => Some(Change::CityFounded { city }),
        (Some(_), Some(_)) => Some(Change::CityChanged { city }),
        (Some(tile), None) => Some(Change::CityLost { city, tile }),
        (None, None) => None,
    }));
    list.extend(changes.units.into_iter().filter_map(|(unit, was)| match (was, now.unit(unit)) {
        (None, Some(_)) => Some(Change::UnitAppeared { unit }),
        (Some(from), Some(now)) if now.tile() != from => {
            Some(Change::UnitMoved { unit, from, to: now.tile() })
        }
        (Some(_), Some(_)) => Some(Change::UnitChanged { unit }),
        (Some(tile), None) => Some(Change::UnitLost { unit, tile }),
        (None, None) => None,
    }));
    list.extend(changes.votes.into_iter().map(|vote| Change::VoteChanged { vote }));
    let achievements = changes.achievements.into_iter();
    list.extend(achievements.map(|achievement| Change::AchievementChanged { achievement }));
    list.extend(changes.events);
    list.extend(changes.messages.into_iter().map(Change::Message));
    list.extend(changes.pages.into_iter().map(Change::Page));
    list
}

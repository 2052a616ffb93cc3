use std::collections::BTreeMap;

use super::world::World;
use crate::packets::{
    CityInfo, CityNationalities, CityRallyPoint, CitySabotageList, Packet, TraderouteInfo, UnitShortInfo,
    WebCityInfoAddition, WorkerTask,
};

/// Facts about a city that are not in its main packet.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CityDetails {
    /// Trade routes, by their numbers in the city. In 3.0 the direction is 0 for "from", 1 for "to" and 2 for both;
    /// since 3.1 it is 1 to 3.
    pub trade_routes: BTreeMap<u8, TraderouteInfo>,
    /// Tasks that autoworkers must do for the city, by tile.
    pub worker_tasks: BTreeMap<i32, WorkerTask>,
    /// The nationalities of the citizens. `None` for 3.0, where the main packet of the city contains them.
    pub nationalities: Option<CityNationalities>,
    /// Rally point of new units. Servers of 3.0 do not send it.
    pub rally_point: Option<CityRallyPoint>,
    /// The values of the city's counters, in the order of the ruleset. Only 3.2 has counters.
    pub counters: Vec<u32>,
    /// Additional fields that a server for Freeciv-web sends.
    pub web: Option<Box<WebCityInfoAddition>>,
    /// The buildings that an own diplomat can sabotage, as the server last answered.
    pub sabotage: Option<Box<CitySabotageList>>,
    /// The units that the last investigation of the city by a diplomat showed.
    pub investigation: Option<Investigation>,
}

/// The units of another player's city, as an own diplomat saw them. They are not among the units of the world, because
/// they were only seen then.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Investigation {
    /// Turn of the investigation.
    pub turn: i16,
    /// The units that the city supports.
    pub supported: Vec<UnitShortInfo>,
    /// The units in the city.
    pub present: Vec<UnitShortInfo>,
    /// True if the server has sent all units.
    pub is_complete: bool,
}

impl Investigation {
    /// The use of a short unit packet that shows a unit supported by the city.
    const SUPPORTED: u8 = 1;
    /// The use of a short unit packet that shows a unit in the city.
    const PRESENT: u8 = 2;
    /// Maximum number of units in each list. Further ones are dropped.
    const MAX_UNITS: usize = 4096;

    fn add(&mut self, unit: &UnitShortInfo) {
        let list = match unit.packet_use {
            Self::SUPPORTED => &mut self.supported,
            Self::PRESENT => &mut self.present,
            _ => return,
        };
        if list.len() < Self::MAX_UNITS {
            list.push(unit.clone());
        }
    }
}

/// The details of all cities.
pub(super) type Details = BTreeMap<u32, CityDetails>;

impl CityDetails {
    /// Removes the trade routes that a city no longer has, and completes an investigation, because the server sends the
    /// city after its units.
    pub(super) fn on_city_info(details: &mut Details, info: &CityInfo) {
        if let Some(details) = details.get_mut(&info.id) {
            details.trade_routes.retain(|index, _| *index < info.traderoute_count);
            details.complete_investigation();
        }
    }

    fn complete_investigation(&mut self) {
        if let Some(investigation) = &mut self.investigation {
            investigation.is_complete = true;
        }
    }

    /// Adds a unit to the current investigation. Servers of 3.0 do not announce one, so the first unit after a complete
    /// investigation starts a new one.
    fn add_investigated(&mut self, turn: i16, unit: &UnitShortInfo) {
        if self.investigation.as_ref().is_some_and(|last| last.is_complete) {
            self.investigation = None;
        }
        let current = self.investigation.get_or_insert_with(|| Investigation { turn, ..Default::default() });
        current.add(unit);
    }
}

fn of(details: &mut Details, city: u32) -> &mut CityDetails {
    details.entry(city).or_default()
}

impl World {
    /// Applies a packet about a city that is not its main packet. Returns false for other packets.
    pub(super) fn apply_city_detail(&mut self, packet: &Packet<'_>) -> bool {
        let (version, turn) = (self.version, self.turn);
        let details = &mut self.city_details;
        let city = match packet {
            Packet::TraderouteInfo(it) => {
                of(details, it.city).trade_routes.insert(it.index, (*it).clone());
                it.city
            }
            Packet::WorkerTask(it) => {
                let tasks = &mut of(details, it.city_id).worker_tasks;
                if it.activity == version.no_activity() {
                    tasks.remove(&it.tile_id);
                } else {
                    tasks.insert(it.tile_id, (*it).clone());
                }
                it.city_id
            }
            Packet::CityNationalities(it) => {
                of(details, it.id).nationalities = Some((*it).clone());
                it.id
            }
            Packet::CityRallyPoint(it) => {
                of(details, it.city_id).rally_point = (it.length > 0).then(|| (*it).clone());
                it.city_id
            }
            Packet::CityUpdateCounters(it) => {
                of(details, it.city).counters.clone_from(&it.counters);
                it.city
            }
            Packet::WebCityInfoAddition(it) => {
                of(details, it.id).web = Some(Box::new((*it).clone()));
                it.id
            }
            Packet::CitySabotageList(it) => {
                of(details, it.city_id).sabotage = Some(Box::new((*it).clone()));
                it.city_id
            }
            Packet::InvestigateStarted(it) => {
                of(details, it.city_id).investigation = Some(Investigation { turn, ..Default::default() });
                it.city_id
            }
            Packet::InvestigateFinished(it) => {
                of(details, it.city_id).complete_investigation();
                it.city_id
            }
            Packet::UnitShortInfo(it) => {
                of(details, it.info_city_id).add_investigated(turn, it);
                it.info_city_id
            }
            _ => return false,
        };
        if let Some(known) = self.cities.get(city) {
            self.changes.cities.entry(city).or_insert_with(|| Some(known.tile()));
        }
        true
    }

    /// Returns the facts about a city that are not in its main packet.
    pub fn city_details(&self, city: u32) -> Option<&CityDetails> {
        self.city_details.get(&city)
    }
}

use std::collections::BTreeMap;

use super::world::World;
use crate::packets::{
    CityInfo, CityNationalities, CityRallyPoint, Packet, TraderouteInfo, WebCityInfoAddition, WorkerTask,
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
}

/// The details of all cities.
pub(super) type Details = BTreeMap<u32, CityDetails>;

impl CityDetails {
    /// Removes the trade routes that a city no longer has.
    pub(super) fn on_city_info(details: &mut Details, info: &CityInfo) {
        if let Some(details) = details.get_mut(&info.id) {
            details.trade_routes.retain(|index, _| *index < info.traderoute_count);
        }
    }
}

fn of(details: &mut Details, city: u32) -> &mut CityDetails {
    details.entry(city).or_default()
}

impl World {
    /// Applies a packet about a city that is not its main packet. Returns false for other packets.
    pub(super) fn apply_city_detail(&mut self, packet: &Packet<'_>) -> bool {
        let version = self.version;
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
                let city = it.id.or(it.city_id).unwrap_or_default();
                of(details, city).rally_point = (it.length > 0).then(|| (*it).clone());
                city
            }
            Packet::CityUpdateCounters(it) => {
                of(details, it.city).counters.clone_from(&it.counters);
                it.city
            }
            Packet::WebCityInfoAddition(it) => {
                of(details, it.id).web = Some(Box::new((*it).clone()));
                it.id
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

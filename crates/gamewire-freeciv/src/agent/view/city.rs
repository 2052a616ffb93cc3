use serde::Serialize;

use super::{Name, name_of, position, rule_name};
use crate::number::{Production, ProductionKind};
use crate::packets::CityInfo;
use crate::rules::{self, Growth};
use crate::world::{City, World};

/// A city.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CityView<'w> {
    /// Id of the city.
    pub id: u32,
    /// Name of the city.
    pub name: Name<'w>,
    /// Number of the owner.
    pub owner: u16,
    /// Number of the tile.
    pub tile: i32,
    /// Column and row of the tile.
    pub position: Option<[i32; 2]>,
    /// Number of citizens.
    pub size: u8,
    /// Names of the buildings that are known.
    pub buildings: Vec<Name<'w>>,
    /// The fields that only the owner knows.
    #[serde(flatten)]
    pub own: Option<OwnCityView<'w>>,
}

/// The fields of a city that only its owner knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnCityView<'w> {
    /// Name of the unit or building under production.
    pub production: Option<Name<'w>>,
    /// The rest of each output after all costs.
    pub surplus: SurplusView,
    /// Food in the granary.
    pub food_stock: i32,
    /// Shields that production has collected.
    pub shield_stock: i32,
    /// Food with which the city grows.
    pub granary_size: Option<u32>,
    /// The time until the size changes.
    pub growth: Option<GrowthView>,
    /// Turns until the production is complete.
    pub turns_to_build: Option<u32>,
    /// Names of the units and buildings that the city can produce now.
    pub can_build: Vec<Name<'w>>,
    /// Citizens by mood.
    pub citizens: CitizenView,
    /// Number of specialists of each kind.
    pub specialists: Vec<u8>,
    /// Names of the productions that follow the current one.
    pub worklist: Vec<Name<'w>>,
    /// The trade routes.
    pub trade_routes: Vec<TradeRouteView<'w>>,
    /// Pollution per turn.
    pub pollution: u16,
    /// Lost output, in the order of the outputs.
    pub waste: Vec<u16>,
    /// The last turn in which something was completed.
    pub turn_last_built: i16,
    /// Price of completing the production, in gold.
    pub buy_cost: u32,
    /// True if the production was bought in this turn.
    pub did_buy: bool,
}

/// An amount of each output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say everything")]
pub struct SurplusView {
    pub food: i16,
    pub shield: i16,
    pub trade: i16,
    pub gold: i16,
    pub luxury: i16,
    pub science: i16,
}

/// The time until the size of a city changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GrowthView {
    /// After turns of growth.
    Grows {
        /// Number of turns.
        grows_in: u32,
    },
    /// After turns of famine.
    Shrinks {
        /// Number of turns.
        shrinks_in: u32,
    },
    /// The reason why it does not change: `needs a building` or `stays`.
    Not(&'static str),
}

/// Citizens by mood, after all buildings and units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say everything")]
pub struct CitizenView {
    pub happy: Option<u8>,
    pub content: Option<u8>,
    pub unhappy: Option<u8>,
    pub angry: Option<u8>,
}

/// A trade route.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TradeRouteView<'w> {
    /// Id of the other city.
    pub city: u32,
    /// Trade per turn.
    pub value: i32,
    /// Name of the goods.
    pub goods: Option<Name<'w>>,
}

impl<'w> CityView<'w> {
    /// Describes a city.
    pub fn new(world: &'w World, city: &'w City) -> Self {
        let buildings = world.rulesets().buildings.iter().filter(|building| city.has_building(building.id));
        Self {
            id: city.id(),
            name: city.name().into(),
            owner: city.owner(),
            tile: city.tile(),
            position: position(world, city.tile()),
            size: city.size(),
            buildings: buildings.map(rule_name).collect(),
            own: city.full().map(|full| OwnCityView::new(world, city, full)),
        }
    }
}

impl<'w> OwnCityView<'w> {
    fn new(world: &'w World, city: &'w City, full: &'w CityInfo) -> Self {
        let [food, shield, trade, gold, luxury, science] = full.surplus;
        let last = |moods: [u8; 6]| moods.last().copied();
        let items = full.worklist.0.iter();
        let items = items.map(|item| Production { kind: ProductionKind(item.kind), id: item.id });
        let legal = rules::productions(world, city).filter(|(_, answer)| answer.is_yes());
        let production = city.production();
        Self {
            production: production.and_then(|production| produced(world, production)),
            surplus: SurplusView { food, shield, trade, gold, luxury, science },
            food_stock: full.food_stock.into(),
            shield_stock: full.shield_stock.into(),
            granary_size: rules::granary_size(world, city.size()),
            growth: growth(world, city),
            turns_to_build: production.and_then(|production| rules::turns_to_build(world, city, production)),
            can_build: legal.filter_map(|(production, _)| produced(world, production)).collect(),
            citizens: CitizenView {
                happy: last(full.ppl_happy),
                content: last(full.ppl_content),
                unhappy: last(full.ppl_unhappy),
                angry: last(full.ppl_angry),
            },
            specialists: full.specialists.to_vec(),
            worklist: items.filter_map(|item| produced(world, item)).collect(),
            trade_routes: trade_routes(world, city),
            pollution: full.pollution,
            waste: full.waste.to_vec(),
            turn_last_built: full.turn_last_built,
            buy_cost: full.buy_cost,
            did_buy: full.did_buy,
        }
    }
}

fn growth(world: &World, city: &City) -> Option<GrowthView> {
    Some(match rules::growth(world, city)? {
        Growth::Grows { turns } => GrowthView::Grows { grows_in: turns },
        Growth::Shrinks { turns } => GrowthView::Shrinks { shrinks_in: turns },
        Growth::Full => GrowthView::Not("needs a building"),
        Growth::Stays => GrowthView::Not("stays"),
    })
}

/// Returns the name of a unit type or building.
fn produced(world: &World, production: Production) -> Option<Name<'_>> {
    let rules = world.rulesets();
    match production.kind {
        ProductionKind::UNIT => name_of(&rules.unit_types, production.id),
        _ => name_of(&rules.buildings, production.id),
    }
}

fn trade_routes<'w>(world: &'w World, city: &City) -> Vec<TradeRouteView<'w>> {
    let details = world.city_details(city.id());
    let routes = details.into_iter().flat_map(|details| details.trade_routes.values());
    let goods = |id: u8| name_of(&world.rulesets().goods, id);
    routes
        .map(|route| TradeRouteView {
            city: route.partner,
            value: route.value.into(),
            goods: goods(route.goods),
        })
        .collect()
}

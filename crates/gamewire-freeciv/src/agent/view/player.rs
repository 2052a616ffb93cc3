use serde::Serialize;

use super::{Name, name_of, rule_name};
use crate::number::SpaceshipState;
use crate::packets::{PlayerInfo, SpaceshipInfo};
use crate::rules;
use crate::world::World;

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerView<'w> {
    /// Number of the player.
    pub player: u16,
    /// Name of the leader.
    pub name: Name<'w>,
    /// Name of the nation.
    pub nation: Option<Name<'w>>,
    /// Name of the government.
    pub government: Option<Name<'w>>,
    /// True if the server's AI controls it.
    pub is_ai: bool,
    /// True if it has a connection.
    pub is_connected: bool,
    /// True if it has ended its phase.
    pub phase_done: bool,
    /// True if the nation exists.
    pub is_alive: bool,
    /// The score, if the server sends it.
    pub score: i32,
    /// The gold, if the server sends it.
    pub gold: u32,
    /// Number of the team.
    pub team: u16,
    /// Number of turns that the player has lived.
    pub turns_alive: i16,
    /// The affection of the player, if it is an AI, for the own one.
    pub love: Option<i16>,
    /// The diplomatic state towards the own player, such as `war`.
    pub relation: Option<&'static str>,
}

impl<'w> PlayerView<'w> {
    /// Describes a player.
    pub fn new(world: &'w World, player: &'w PlayerInfo) -> Self {
        let me = world.my_number();
        let relation = me.and_then(|me| world.diplomacy().relation(me, player.playerno));
        Self {
            player: player.playerno,
            name: player.name.to_str_lossy(),
            nation: name_of(&world.rulesets().nations, player.nation),
            government: name_of(&world.rulesets().governments, player.government),
            is_ai: world.is_ai(player.playerno),
            is_connected: player.is_connected,
            phase_done: player.phase_done,
            is_alive: player.is_alive,
            score: player.score,
            gold: player.gold,
            team: player.team,
            turns_alive: player.turns_alive,
            love: me.and_then(|me| player.love.get(usize::from(me)).copied()),
            relation: relation.and_then(|relation| relation.state.name()),
        }
    }
}

/// The own player, with the fields that others do not see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeView<'w> {
    /// The fields of any player.
    #[serde(flatten)]
    pub player: PlayerView<'w>,
    /// Percentage of taxes.
    pub tax: u8,
    /// Percentage of luxury.
    pub luxury: u8,
    /// Percentage of science.
    pub science: u8,
    /// The advance under research.
    pub researching: Option<Name<'w>>,
    /// The advance that research aims at.
    pub research_goal: Option<Name<'w>>,
    /// Bulbs that were researched for the advance.
    pub bulbs: Option<u32>,
    /// Bulbs that the advance needs.
    pub bulbs_needed: Option<u32>,
    /// Maximum of each of the three rates, in percent.
    pub max_rate: Option<u8>,
    /// The turn in which a revolution ends; -1 without one.
    pub revolution_finishes: i16,
    /// The advances that can be researched next.
    pub can_research: Vec<Name<'w>>,
    /// The known advances.
    pub advances: Vec<Name<'w>>,
}

impl<'w> MeView<'w> {
    /// Describes the own player; `None` if the client has none.
    pub fn new(world: &'w World) -> Option<Self> {
        let (me, research) = (world.me()?, world.my_research());
        let advances = &world.rulesets().advances;
        let advance = |id: u16| name_of(advances, id);
        let known = advances.iter().filter(|advance| world.has_advance(me.playerno, advance.id));
        Some(Self {
            player: PlayerView::new(world, me),
            tax: me.tax,
            luxury: me.luxury,
            science: me.science,
            researching: research.and_then(|research| advance(research.researching)),
            research_goal: research.and_then(|research| advance(research.tech_goal)),
            bulbs: research.map(|research| research.bulbs_researched),
            bulbs_needed: research.map(|research| research.researching_cost),
            max_rate: rules::governments(world)
                .find(|government| government.rule().id == me.government)
                .and_then(|government| government.max_rate()),
            revolution_finishes: me.revolution_finishes,
            can_research: rules::researchable(world).map(rule_name).collect(),
            advances: known.map(rule_name).collect(),
        })
    }
}

/// A spaceship.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpaceshipView {
    /// Number of the owner.
    pub player: u16,
    /// `started`, `launched` or `arrived`.
    pub state: Option<&'static str>,
    /// Number of structurals.
    pub structurals: u8,
    /// Number of components.
    pub components: u8,
    /// Number of modules.
    pub modules: u8,
    /// Probability of success, from 0 to 1.
    pub success_rate: f32,
    /// Years of the journey.
    pub travel_time: f32,
    /// The year of the launch, if it was launched.
    pub launched: Option<i32>,
}

impl SpaceshipView {
    /// Describes a spaceship.
    pub fn new(ship: &SpaceshipInfo) -> Self {
        let state = SpaceshipState(ship.sship_state);
        let is_launched = matches!(state, SpaceshipState::LAUNCHED | SpaceshipState::ARRIVED);
        Self {
            player: ship.player_num,
            state: state.name(),
            structurals: ship.structurals,
            components: ship.components,
            modules: ship.modules,
            success_rate: ship.success_rate.get(),
            travel_time: ship.travel_time.get(),
            launched: is_launched.then_some(ship.launch_year),
        }
    }
}

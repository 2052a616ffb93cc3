use super::error::OrderError;
use crate::codec::Text;
use crate::v30::{
    NationSelectReq, PlayerChangeGovernment, PlayerPhaseDone, PlayerRates, PlayerReady, PlayerResearch,
    PlayerTechGoal,
};
use crate::world::World;

/// Ends the turn. The packet names the turn, because the server ignores the end of any other.
#[must_use]
pub fn end_turn(world: &World) -> PlayerPhaseDone {
    PlayerPhaseDone { turn: world.turn() }
}

/// Marks the player as ready for the game to start, or not.
///
/// # Errors
/// [`OrderError::NoPlayer`] if the client does not play.
pub fn ready(world: &World, is_ready: bool) -> Result<PlayerReady, OrderError> {
    let player_no = world.my_number().ok_or(OrderError::NoPlayer)?;
    Ok(PlayerReady { player_no, is_ready })
}

/// Chooses a nation by its rule name, such as `Roman`, and a leader, before the game starts.
///
/// # Errors
/// [`OrderError::NoPlayer`], [`OrderError::NoRule`] if the nation is unknown, or [`OrderError::Text`] if the name is
/// too long.
pub fn choose_nation(
    world: &World,
    nation: &str,
    leader: &str,
    is_male: bool,
) -> Result<NationSelectReq, OrderError> {
    let player_no = world.my_number().ok_or(OrderError::NoPlayer)?;
    let found =
        world.rulesets().nations.named(nation).ok_or_else(|| OrderError::NoRule(nation.to_owned()))?;
    Ok(NationSelectReq {
        player_no,
        nation_no: found.id,
        is_male,
        name: Text::try_from(leader)?,
        style: found.style,
    })
}

/// Sets the tax rates in percent. The three must add up to 100.
#[must_use]
pub fn set_tax_rates(tax: u8, luxury: u8, science: u8) -> PlayerRates {
    PlayerRates { tax, luxury, science }
}

/// Sets the current research to an advance, by its id.
#[must_use]
pub fn set_research(advance: u8) -> PlayerResearch {
    PlayerResearch { tech: advance }
}

/// Sets the goal of research to an advance, by its id.
#[must_use]
pub fn set_research_goal(advance: u8) -> PlayerTechGoal {
    PlayerTechGoal { tech: advance }
}

/// Starts a revolution that leads to a government, by its id.
///
/// # Errors
/// [`OrderError::NoRule`] if the id is over 127.
pub fn set_government(government: u8) -> Result<PlayerChangeGovernment, OrderError> {
    let government = i8::try_from(government).map_err(|_| OrderError::NoRule(government.to_string()))?;
    Ok(PlayerChangeGovernment { government })
}

use super::error::OrderError;
use crate::codec::Text;
use crate::number::Clause;
use crate::packets::{
    ChatMsgReq, DiplomacyAcceptTreatyReq, DiplomacyCancelMeetingReq, DiplomacyCancelPact,
    DiplomacyCreateClauseReq, DiplomacyInitMeetingReq, DiplomacyRemoveClauseReq, NationSelectReq,
    PlayerChangeGovernment, PlayerPhaseDone, PlayerRates, PlayerReady, PlayerResearch, PlayerTechGoal,
};
use crate::world::{TreatyClause, World};

/// Defines orders that cannot fail.
macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $packet:ty = $value:expr;)+) => {$(
        $(#[$doc])*
        pub fn $name($($argument: $type),*) -> $packet {
            $value
        }
    )+};
}

pub(super) use orders;

orders! {
    /// Ends the turn. The packet contains the turn, because the server ignores the packet in any other turn.
    end_turn(world: &World) -> PlayerPhaseDone = PlayerPhaseDone { turn: world.turn() };
}

/// Marks the player as ready or not ready for the start of the game.
///
/// # Errors
/// [`OrderError::NoPlayer`] if the client controls no player.
pub fn ready(world: &World, is_ready: bool) -> Result<PlayerReady, OrderError> {
    let player_no = world.my_number().ok_or(OrderError::NoPlayer)?;
    Ok(PlayerReady { player_no, is_ready })
}

/// Chooses a nation by its rule name, such as `Roman`, and a leader, before the game starts.
///
/// # Errors
/// [`OrderError::NoPlayer`] if the client controls no player, [`OrderError::NoRule`] if the nation is unknown, or
/// [`OrderError::Text`] if the name is too long.
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

orders! {
    /// Sets the tax rates in percent. The three must add up to 100.
    set_tax_rates(tax: u8, luxury: u8, science: u8) -> PlayerRates = PlayerRates { tax, luxury, science };

    /// Sets the current research to an advance, by its id.
    set_research(advance: u16) -> PlayerResearch = PlayerResearch { tech: advance };

    /// Sets the goal of research to an advance, by its id.
    set_research_goal(advance: u16) -> PlayerTechGoal = PlayerTechGoal { tech: advance };
}

/// Starts a revolution to a government, by its id.
///
/// # Errors
/// [`OrderError::NoRule`] if the id exceeds 127.
pub fn set_government(government: u8) -> Result<PlayerChangeGovernment, OrderError> {
    let government = i8::try_from(government).map_err(|_| OrderError::NoRule(government.to_string()))?;
    Ok(PlayerChangeGovernment { government })
}

/// Sends a chat line. A line that begins with `/` is a command to the server.
///
/// # Errors
/// [`OrderError::Text`] if the line is too long.
pub fn chat(line: &str) -> Result<ChatMsgReq, OrderError> {
    Ok(ChatMsgReq { message: Text::try_from(line)? })
}

/// Starts the game. The client needs the permission to do so.
///
/// # Errors
/// This function never fails.
pub fn start_game() -> Result<ChatMsgReq, OrderError> {
    chat("/start")
}

/// Observes the whole game.
///
/// # Errors
/// This function never fails.
pub fn observe() -> Result<ChatMsgReq, OrderError> {
    chat("/observe")
}

/// Observes one player.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn observe_player(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/observe \"{}\"", name.replace('"', "")))
}

/// Takes over a player.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn take_player(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/take \"{}\"", name.replace('"', "")))
}

/// Gives a player to the server's AI, or takes it from the AI.
///
/// # Errors
/// [`OrderError::Text`] if the name is too long.
pub fn toggle_ai(name: &str) -> Result<ChatMsgReq, OrderError> {
    chat(&format!("/aitoggle \"{}\"", name.replace('"', "")))
}

/// Detaches from the player, or stops observing.
///
/// # Errors
/// This function never fails.
pub fn detach() -> Result<ChatMsgReq, OrderError> {
    chat("/detach")
}

orders! {
    /// Starts a meeting with a player.
    init_meeting(with: u16) -> DiplomacyInitMeetingReq = DiplomacyInitMeetingReq { counterpart: with };

    /// Cancels a meeting without a treaty.
    cancel_meeting(with: u16) -> DiplomacyCancelMeetingReq = DiplomacyCancelMeetingReq { counterpart: with };
}

/// Adds a clause to the treaty of a meeting.
pub fn add_clause(with: u16, clause: TreatyClause) -> DiplomacyCreateClauseReq {
    let TreatyClause { giver, clause, value } = clause;
    DiplomacyCreateClauseReq { counterpart: with, giver, r#type: clause.0, value }
}

/// Removes a clause from the treaty of a meeting.
pub fn remove_clause(with: u16, clause: TreatyClause) -> DiplomacyRemoveClauseReq {
    let TreatyClause { giver, clause, value } = clause;
    DiplomacyRemoveClauseReq { counterpart: with, giver, r#type: clause.0, value }
}

orders! {
    /// Accepts the treaty with its current clauses, or withdraws the acceptance.
    accept_treaty(with: u16) -> DiplomacyAcceptTreatyReq = DiplomacyAcceptTreatyReq { counterpart: with };

    /// Cancels the current pact. An alliance becomes an armistice. Peace, an armistice and a ceasefire become war in
    /// the same turn.
    cancel_pact(with: u16) -> DiplomacyCancelPact =
        DiplomacyCancelPact { other_player_id: with, clause: Clause::CEASEFIRE.0 };

    /// Ends shared vision with a player.
    end_shared_vision(with: u16) -> DiplomacyCancelPact =
        DiplomacyCancelPact { other_player_id: with, clause: Clause::SHARED_VISION.0 };

    /// Ends the sharing of tiles with a player. Available since 3.2.
    end_shared_tiles(with: u16) -> DiplomacyCancelPact =
        DiplomacyCancelPact { other_player_id: with, clause: Clause::SHARED_TILES.0 };
}

use crate::number::Clause;
use crate::v30::{
    DiplomacyAcceptTreatyReq, DiplomacyCancelMeetingReq, DiplomacyCancelPact, DiplomacyCreateClauseReq,
    DiplomacyInitMeetingReq, DiplomacyRemoveClauseReq,
};
use crate::world::TreatyClause;

/// Starts a meeting with a player.
#[must_use]
pub fn init_meeting(with: u8) -> DiplomacyInitMeetingReq {
    DiplomacyInitMeetingReq { counterpart: with }
}

/// Ends a meeting without a treaty.
#[must_use]
pub fn cancel_meeting(with: u8) -> DiplomacyCancelMeetingReq {
    DiplomacyCancelMeetingReq { counterpart: with }
}

/// Adds a clause to the treaty of a meeting.
#[must_use]
pub fn add_clause(with: u8, clause: TreatyClause) -> DiplomacyCreateClauseReq {
    let TreatyClause { giver, clause, value } = clause;
    DiplomacyCreateClauseReq { counterpart: with, giver, r#type: clause.0, value }
}

/// Removes a clause from the treaty of a meeting.
#[must_use]
pub fn remove_clause(with: u8, clause: TreatyClause) -> DiplomacyRemoveClauseReq {
    let TreatyClause { giver, clause, value } = clause;
    DiplomacyRemoveClauseReq { counterpart: with, giver, r#type: clause.0, value }
}

/// Accepts the treaty with its current clauses, or withdraws the acceptance.
#[must_use]
pub fn accept_treaty(with: u8) -> DiplomacyAcceptTreatyReq {
    DiplomacyAcceptTreatyReq { counterpart: with }
}

/// Cancels the current pact: peace becomes war after some turns, an armistice immediately.
#[must_use]
pub fn cancel_pact(with: u8) -> DiplomacyCancelPact {
    DiplomacyCancelPact { other_player_id: with, clause: Clause::CEASEFIRE.0 }
}

/// Ends the vision that is shared with a player.
#[must_use]
pub fn end_shared_vision(with: u8) -> DiplomacyCancelPact {
    DiplomacyCancelPact { other_player_id: with, clause: Clause::SHARED_VISION.0 }
}

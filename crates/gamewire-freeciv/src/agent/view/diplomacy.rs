use serde::Serialize;

use crate::world::{TreatyClause, Vote, World};

/// A diplomatic meeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MeetingView {
    /// Number of the other player.
    pub player: u16,
    /// The clauses of the treaty.
    pub clauses: Vec<ClauseView>,
    /// True if the own player has accepted them.
    pub i_accepted: bool,
    /// True if the other player has accepted them.
    pub other_accepted: bool,
}

/// A clause of a treaty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClauseView {
    /// Number of the player who gives.
    pub giver: u16,
    /// The kind, such as `gold`.
    pub clause: Option<&'static str>,
    /// The amount of gold, or the id of a city or advance.
    pub value: u32,
}

/// An open vote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoteView {
    /// Number of the vote, which the command `vote` takes.
    pub vote: u32,
    /// The user who called it.
    pub user: String,
    /// The command that is voted on.
    pub text: String,
    /// Percentage of yes that it needs.
    pub percent_required: u8,
    /// Number of votes for it.
    pub yes: u8,
    /// Number of votes against it.
    pub no: u8,
    /// Number of abstentions.
    pub abstain: u8,
    /// Number of users who may vote.
    pub voters: u8,
    /// The outcome; `None` while it is open.
    pub passed: Option<bool>,
}

impl MeetingView {
    /// Describes the meeting with a player; `None` if there is none.
    pub fn with(world: &World, player: u16) -> Option<Self> {
        Self::all(world).into_iter().find(|meeting| meeting.player == player)
    }

    /// Describes all meetings of the own player.
    pub fn all(world: &World) -> Vec<Self> {
        let clause = |clause: &TreatyClause| ClauseView {
            giver: clause.giver,
            clause: clause.clause.name(),
            value: clause.value,
        };
        let meetings = world.diplomacy().meetings().map(|(player, meeting)| Self {
            player,
            clauses: meeting.clauses.iter().map(clause).collect(),
            i_accepted: meeting.i_accepted,
            other_accepted: meeting.other_accepted,
        });
        meetings.collect()
    }
}

impl VoteView {
    /// Describes a vote.
    pub fn new(vote: &Vote) -> Self {
        Self {
            vote: vote.number,
            user: vote.user.clone(),
            text: vote.text.clone(),
            percent_required: vote.percent_required,
            yes: vote.yes,
            no: vote.no,
            abstain: vote.abstain,
            voters: vote.voters,
            passed: vote.passed,
        }
    }
}

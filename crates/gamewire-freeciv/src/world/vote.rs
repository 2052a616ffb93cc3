use std::collections::BTreeMap;

use super::change::Changes;
use crate::packets::Packet;

/// A vote of the players about a server command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vote {
    /// The number, which ballots contain.
    pub number: u32,
    /// Name of the user who started the vote.
    pub user: String,
    /// The command and the conditions of the vote.
    pub text: String,
    /// Percentage of yes votes that it needs to pass.
    pub percent_required: u8,
    /// Flags of the vote, as sent by the server.
    pub flags: u32,
    /// Number of votes for the command.
    pub yes: u8,
    /// Number of votes against the command.
    pub no: u8,
    /// Number of abstentions.
    pub abstain: u8,
    /// Number of users who may vote.
    pub voters: u8,
    /// The outcome, or `None` while the vote is open. The server removes the vote after the outcome.
    pub passed: Option<bool>,
}

/// The open votes, by number.
pub(super) type Votes = BTreeMap<u32, Vote>;

/// Maximum number of votes. Above it, the oldest is removed. A server has at most one vote for each connection.
const MAX_VOTES: usize = 1024;

/// Applies a packet about votes. Returns false for other packets.
pub(super) fn apply(votes: &mut Votes, packet: &Packet<'_>, changes: &mut Changes) -> bool {
    let number = match packet {
        Packet::VoteNew(it) => {
            let vote = Vote {
                number: it.vote_no,
                user: it.user.to_str_lossy().into_owned(),
                text: it.desc.to_str_lossy().into_owned(),
                percent_required: it.percent_required,
                flags: it.flags,
                ..Vote::default()
            };
            votes.insert(it.vote_no, vote);
            if votes.len() > MAX_VOTES {
                votes.pop_first();
            }
            it.vote_no
        }
        Packet::VoteUpdate(it) => {
            if let Some(vote) = votes.get_mut(&it.vote_no) {
                (vote.yes, vote.no, vote.abstain, vote.voters) = (it.yes, it.no, it.abstain, it.num_voters);
            }
            it.vote_no
        }
        Packet::VoteResolve(it) => {
            if let Some(vote) = votes.get_mut(&it.vote_no) {
                vote.passed = Some(it.passed);
            }
            it.vote_no
        }
        Packet::VoteRemove(it) => {
            votes.remove(&it.vote_no);
            it.vote_no
        }
        _ => return false,
    };
    if changes.votes.len() < MAX_VOTES {
        changes.votes.insert(number);
    }
    true
}

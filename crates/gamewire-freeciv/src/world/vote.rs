use std::collections::BTreeMap;

use super::change::Changes;
use crate::packets::Packet;

/// A vote on the server: players decide about a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vote {
    /// The number, which a ballot names.
    pub number: u32,
    /// The user who called for it.
    pub user: String,
    /// The command, and what it needs.
    pub text: String,
    /// Percentage of votes that it needs.
    pub percent_required: u8,
    /// Flags of the vote, as the server sent them.
    pub flags: u32,
    /// Votes for it.
    pub yes: u8,
    /// Votes against it.
    pub no: u8,
    /// Abstentions.
    pub abstain: u8,
    /// Users who may vote.
    pub voters: u8,
    /// The outcome, once there is one. The server then removes the vote.
    pub passed: Option<bool>,
}

/// The open votes, by number.
pub(super) type Votes = BTreeMap<u32, Vote>;

/// Maximum number of votes; the oldest gives way. A server has one for each connection.
const MAX_VOTES: usize = 1024;

/// Applies a packet about votes. Returns whether it is one.
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

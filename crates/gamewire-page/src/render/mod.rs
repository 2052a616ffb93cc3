//! Conversations, packets and snapshots as JSON.

mod conversation;
mod row;
mod snapshot;
mod tree;

pub(crate) use conversation::{conversation, map, sample, source, totals};
pub(crate) use row::{now, row, summary_of};
pub(crate) use snapshot::{game_map, snapshot};
pub(crate) use tree::{details, hex, sources, tree};

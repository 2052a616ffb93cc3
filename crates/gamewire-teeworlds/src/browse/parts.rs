//! The answers of the extended form, put together.

use crate::session::info::{ClientEntry, MAX_CLIENTS, ServerInfo};

/// DDNet numbers its further answers from 1 to 63.
const MAX_PARTS: i32 = 64;

/// What has come of the answers to one question: at most 64 of them, of one datagram each.
#[derive(Debug, Default)]
pub(super) struct Parts {
    first: Option<ServerInfo>,
    /// The clients of the further answers, in their order.
    more: Vec<(i32, Vec<ClientEntry>)>,
}

impl Parts {
    /// Takes the first answer; whether it is new.
    pub(super) fn first(&mut self, info: ServerInfo) -> bool {
        let is_new = self.first.is_none();
        if is_new {
            self.first = Some(info);
        }
        is_new
    }

    /// Takes a further answer; whether it is new, can be one, and is still of use.
    pub(super) fn more(&mut self, number: i32, clients: Vec<ClientEntry>) -> bool {
        if !(1..MAX_PARTS).contains(&number) || self.further() >= MAX_CLIENTS {
            return false;
        }
        match self.more.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(_) => false,
            Err(place) => {
                self.more.insert(place, (number, clients));
                true
            }
        }
    }

    /// The memory that it holds beside itself, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let more = self.more.iter().flat_map(|(_, clients)| clients).map(ClientEntry::held_bytes);
        more.chain(self.first.iter().map(ServerInfo::held_bytes)).sum()
    }

    /// Whether the first answer is there.
    pub(super) const fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// How many clients the further answers list.
    fn further(&self) -> usize {
        self.more.iter().map(|(_, clients)| clients.len()).sum()
    }

    /// Whether as many clients are listed as there are said to be.
    pub(super) fn is_whole(&self) -> bool {
        self.first.as_ref().is_some_and(|first| {
            let wanted = usize::try_from(first.num_clients).unwrap_or(0).min(MAX_CLIENTS);
            first.clients.len().saturating_add(self.further()) >= wanted
        })
    }

    /// All of it, if the first answer is there.
    pub(super) fn take(&mut self) -> Option<ServerInfo> {
        let mut info = self.first.take()?;
        info.clients.extend(self.more.drain(..).flat_map(|(_, clients)| clients));
        info.clients.truncate(MAX_CLIENTS);
        Some(info)
    }
}

use crate::session::info::{ClientEntry, MAX_CLIENTS, ServerInfo};

/// Maximum number of datagrams. DDNet numbers them from 0 to 63.
const MAX_PARTS: i32 = 64;

/// The received datagrams of an answer in the extended format.
#[derive(Debug, Default)]
pub(super) struct Parts {
    first: Option<ServerInfo>,
    /// The clients of the other datagrams, by their number.
    more: Vec<(i32, Vec<ClientEntry>)>,
}

impl Parts {
    /// Adds the first datagram. Returns whether it is new.
    pub(super) fn add_first(&mut self, info: ServerInfo) -> bool {
        let is_new = self.first.is_none();
        if is_new {
            self.first = Some(info);
        }
        is_new
    }

    /// Adds another datagram. Returns whether it is new, valid and needed.
    pub(super) fn add_more(&mut self, number: i32, clients: Vec<ClientEntry>) -> bool {
        if !(1..MAX_PARTS).contains(&number) || self.more_clients() >= MAX_CLIENTS {
            return false;
        }
        match self.more.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(_) => false,
            Err(index) => {
                self.more.insert(index, (number, clients));
                true
            }
        }
    }

    /// Returns the heap memory in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let more = self.more.iter().flat_map(|(_, clients)| clients).map(ClientEntry::held_bytes);
        more.chain(self.first.iter().map(ServerInfo::held_bytes)).sum()
    }

    /// Returns whether the first datagram was received.
    pub(super) const fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// Returns the number of clients in the other datagrams.
    fn more_clients(&self) -> usize {
        self.more.iter().map(|(_, clients)| clients.len()).sum()
    }

    /// Returns whether all clients were received.
    pub(super) fn is_complete(&self) -> bool {
        self.first.as_ref().is_some_and(|first| {
            let wanted = usize::try_from(first.num_clients).unwrap_or(0).min(MAX_CLIENTS);
            first.clients.len().saturating_add(self.more_clients()) >= wanted
        })
    }

    /// Returns everything that was received, if the first datagram was.
    pub(super) fn take(&mut self) -> Option<ServerInfo> {
        let mut info = self.first.take()?;
        info.clients.extend(self.more.drain(..).flat_map(|(_, clients)| clients));
        info.clients.truncate(MAX_CLIENTS);
        Some(info)
    }
}

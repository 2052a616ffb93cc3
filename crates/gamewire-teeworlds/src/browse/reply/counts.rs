use crate::session::info::ServerInfo;

/// The numbers of players and clients in an answer: none negative, none above what the clients of
/// a version believe, and no more players than clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClampedCounts {
    pub(super) num_players: i32,
    pub(super) max_players: i32,
    pub(super) num_clients: i32,
    pub(super) max_clients: i32,
}

impl ClampedCounts {
    /// Those of `info` when `clients` are told of and a version knows at most `limit`.
    pub(super) fn of(info: &ServerInfo, clients: usize, limit: i32) -> Self {
        let num_clients = i32::try_from(clients).unwrap_or(limit).min(limit);
        let max_clients = info.max_clients.clamp(num_clients, limit);
        let num_players = info.num_players.clamp(0, num_clients);
        let max_players = info.max_players.clamp(num_players, max_clients);
        Self { num_players, max_players, num_clients, max_clients }
    }
}

//! Teeworlds and DDNet: players, and the information of servers.

mod describe;
mod info;
mod player;

pub(crate) use info::query_info;
pub(crate) use player::TeeworldsPlayer;

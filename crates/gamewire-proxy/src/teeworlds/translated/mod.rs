//! Translation between 0.6 and 0.7 (docs/protocols/teeworlds.md, "Translation").

mod announced;
mod chat;
mod client_of_06;
mod client_of_07;
mod game_events;
mod map_file;
mod map_format;

pub(super) use client_of_06::ClientOf06;
pub(super) use client_of_07::ClientOf07;

//! Players on a gamewire server, in a simulated network.

mod passwords;
pub(crate) mod recorded;
mod replies;
pub(crate) mod support;
mod turns;
mod versions;
mod worlds;

//! Players on a gamewire server, in a simulated network.

mod passwords;
mod replies;
pub(crate) mod support;
mod versions;
mod worlds;

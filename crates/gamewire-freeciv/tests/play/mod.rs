//! Players on a gamewire server, in a simulated network.

mod passwords;
mod replies;
mod support;
mod versions;
mod worlds;

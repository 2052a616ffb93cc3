//! Messages and worlds, encoded and decoded in every dialect.

mod messages;
mod support;
mod worlds;

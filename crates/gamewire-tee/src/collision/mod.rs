//! Collision with the tiles of a map.

mod line;
mod move_box;
mod restrictions;

pub(crate) use line::HookLineHit;
pub use line::LineHit;
pub(crate) use restrictions::Restrictions;

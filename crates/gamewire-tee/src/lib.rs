//! The movement of a tee in Teeworlds 0.6, 0.7 and DDNet, equal to the movement on the servers, and their maps.
//!
//! * [`world`] (feature `movement`, on by default): tees with weapons, projectiles and tiles, which
//!   [`World::step`](world::World::step) advances by a tick. [`core`](mod@core) is the movement of one tee;
//!   [`evolve`](core::evolve) is the dead reckoning of clients.
//! * [`grid`]: the tiles of a map. [`rules`] chooses the game, [`tuning`] has the numbers that a server can change.
//! * [`game_map`]: the tiles with the rules of their game, for bots: rays, spawn points, flags.
//! * `path` (feature `path`): finds ways for a tee by walking, jumping and hooking.
//! * [`map`](mod@map) (feature `map`): map files, read and written byte for byte.
//! * `teehistorian` (feature `teehistorian`): the inputs and positions that DDNet's servers record.
//! * [`catalog`]: each rule of the games, and whether it is here.
//!
//! All results are computed in single precision and in the order of the games, without functions of the platform (see
//! [`elementary`]), so the results have the same bits on every platform.
//!
//! ```
//! use std::sync::Arc;
//!
//! use gamewire_tee::grid::{Grid, GridLayers};
//! use gamewire_tee::input::TeeInput;
//! use gamewire_tee::rules::Rules;
//! use gamewire_tee::tile::MapTile;
//! use gamewire_tee::vector::Vec2;
//! use gamewire_tee::world::World;
//!
//! // A room of 5 x 5 tiles with a floor.
//! let tile = |at: u32| MapTile { index: u8::from(at >= 20), flags: 0 };
//! let layers = GridLayers { width: 5, height: 5, game: (0..25).map(tile).collect(), ..GridLayers::default() };
//! let mut world = World::new(Rules::Teeworlds07, Arc::new(Grid::new(Rules::Teeworlds07, layers)?));
//! world.spawn(0, Vec2::new(80.0, 113.0));
//! for _ in 0..10 {
//!     world.set_input(0, TeeInput { direction: 1, target_x: 1, ..TeeInput::default() });
//!     world.step();
//! }
//! let core = world.core(0).expect("the tee lives").to_item();
//! assert_eq!((core.x, core.y, core.velocity_x), (160, 113, 2560));
//! # Ok::<(), gamewire_tee::grid::GridError>(())
//! ```

#![cfg_attr(not(feature = "movement"), allow(dead_code, reason = "maps use a part of the tiles only"))]

#[cfg(feature = "movement")]
pub mod catalog;
#[cfg(feature = "movement")]
pub mod collision;
#[cfg(feature = "movement")]
pub mod core;
#[cfg(feature = "movement")]
pub mod elementary;
#[cfg(feature = "movement")]
pub mod game_map;
pub mod grid;
#[cfg(feature = "movement")]
pub mod input;
#[cfg(feature = "map")]
pub mod map;
pub mod number;
#[cfg(feature = "path")]
pub mod path;
pub mod rules;
#[cfg(feature = "movement")]
pub mod tee;
#[cfg(feature = "teehistorian")]
pub mod teehistorian;
pub mod tile;
pub mod tuning;
pub mod vector;
#[cfg(feature = "movement")]
pub mod weapon;
#[cfg(feature = "movement")]
pub mod world;

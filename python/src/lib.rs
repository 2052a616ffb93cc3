//! The native module of the Python package `gamewire`: classes over the machines and drivers of the crate `gamewire`.
//!
//! It holds no logic of a protocol. What it converts are calls, errors, descriptions and arrays.

mod convert;
mod error;
mod freeciv;
mod inspect;
mod log;
mod module;
mod riptide;
mod shared;
mod teeworlds;
mod waiting;

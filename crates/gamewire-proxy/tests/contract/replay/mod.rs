//! Checks that both sides of a replay fulfill the contract.

mod freeciv;
mod riptide;
mod support;
mod teeworlds;

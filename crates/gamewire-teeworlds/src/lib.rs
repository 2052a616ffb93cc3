//! Teeworlds

#[cfg(test)]
mod golden;
pub mod shared;
pub mod v06;
pub mod v07;

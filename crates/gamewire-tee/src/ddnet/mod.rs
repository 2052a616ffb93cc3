//! The tiles of DDNet.

pub(crate) mod doors;

//! The integration tests. They are one program, because each program links the whole crate.

mod contract;
mod network;
mod stream;
mod toy;

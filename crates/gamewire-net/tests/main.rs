//! The integration tests. They are one program, because each program links the whole crate.

mod allocations;
mod blocking;
mod host;
mod link;
mod stream;
mod support;
#[cfg(feature = "tokio")]
mod tokio;
#[cfg(feature = "tokio")]
mod tokio_streams;

//! The integration tests. They are one program, because each program links the whole crate.

mod relay;
mod relay_streams;
mod replay;
mod riptide;
mod riptide_replay;
mod support;
mod teeworlds;

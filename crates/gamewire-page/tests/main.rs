//! The integration tests. They are one program, because each program links the whole crate.

mod captures;
mod explain;
mod http;
mod support;

//! Tables of a capture as Parquet files: one for the packets, and one for each type of message and item.
//!
//! `packets.parquet` has a row for each datagram or run of bytes, `PROTOCOL.MESSAGE.parquet` a row for each message and
//! `PROTOCOL.item.ITEM.parquet` a row for each item of a message, such as an object of a snapshot. The columns of a
//! message are the fields that the [`Catalog`](crate::protocol::Catalog) lists for it, by name.

mod column;
mod row;
mod schema;
mod table;
#[cfg(test)]
mod tests;
mod writer;

pub use writer::{TableStats, TableWriter};

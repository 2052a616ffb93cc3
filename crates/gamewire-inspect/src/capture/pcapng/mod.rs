//! pcapng: sections of blocks, each with its type, its length, its body, and its length again.

mod blocks;
mod interface;
mod options;
mod resolution;
mod section;

pub(super) use section::{PcapNg, SECTION_HEADER};

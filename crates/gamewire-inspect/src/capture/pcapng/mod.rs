//! pcapng: sections of blocks, each with its type, its length, its body and its length again.

mod blocks;
mod section;
mod write;

pub(super) use section::{PcapNg, SECTION_HEADER};
pub(super) use write::{enhanced_packet, interface_description, section_header, whole_blocks};

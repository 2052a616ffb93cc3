//! Reads the blocks of a file, section by section.

use std::io::Read;

use super::super::error::Damage;
use super::super::window::{ByteOrder, Found, MAX_CANDIDATE, MAX_RECORD, ReadError, Window, search};
use super::blocks::{Interface, Packet};

/// The type of a section header block, which is equal in both byte orders.
pub(in super::super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
pub(super) const INTERFACE_DESCRIPTION: u32 = 1;
const OBSOLETE_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const NAME_RESOLUTION: u32 = 4;
const INTERFACE_STATISTICS: u32 = 5;
pub(super) const ENHANCED_PACKET: u32 = 6;

pub(super) const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;

/// Type and length.
const HEADER: usize = 8;
/// Length of the repeated length field.
const TRAILER: usize = 4;
const MIN_BLOCK: u32 = 12;
/// Byte order magic, version, section length.
const SECTION_FIXED: usize = 16;

/// Maximum number of interfaces per section.
const MAX_INTERFACES: usize = 4096;

/// The state of reading a pcapng file.
pub(in super::super) struct PcapNg {
    order: ByteOrder,
    /// The section's interfaces by index; `None` for a damaged one.
    interfaces: Vec<Option<Interface>>,
    /// Time of the last frame, for packets without a time.
    last_time: i64,
    /// True after damage: the next step searches for a block.
    lost: bool,
}

/// The header of a block that fits in a window.
#[derive(Clone, Copy)]
struct Block {
    kind: u32,
    length: u32,
    /// The byte order. A section header defines a new one.
    order: ByteOrder,
}

impl PcapNg {
    /// Returns the state for a file that starts with the type of a section header. The first step reads the
    /// header, so that damage to it does not hide the rest of the file.
    pub(in super::super) fn open() -> Self {
        Self { order: ByteOrder::Little, interfaces: Vec::new(), last_time: 0, lost: false }
    }

    /// Returns the memory used for the interfaces, in bytes.
    pub(in super::super) fn held_bytes(&self) -> usize {
        self.interfaces.capacity().saturating_mul(size_of::<Option<Interface>>())
    }

    /// Returns the next packet, or `None` at the end.
    pub(in super::super) fn step<R: Read>(
        &mut self,
        window: &mut Window<R>,
    ) -> Result<Option<Found>, ReadError> {
        if self.lost {
            self.lost = false;
            let order = self.order;
            if !search(window, MIN_BLOCK as usize, |window| block_begins(order, window))? {
                return Ok(None);
            }
        }
        loop {
            let block = match self.block(window) {
                Ok(Some(block)) => block,
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.lost = !error.last;
                    return Err(error);
                }
            };
            let length = usize::try_from(block.length).unwrap_or(usize::MAX);
            let found = self.read(block, window, length);
            window.consume(length);
            if let Some(found) = found? {
                self.last_time = found.time;
                return Ok(Some(found));
            }
        }
    }

    /// Reads the whole next block into the window and checks its lengths. Returns `None` at the end.
    fn block<R: Read>(&self, window: &mut Window<R>) -> Result<Option<Block>, ReadError> {
        let min = MIN_BLOCK as usize;
        if !window.fill(min)? {
            if window.available() == 0 {
                return Ok(None);
            }
            return Err(ReadError::truncated(window, "a block", min));
        }
        let block = match Block::read(self.order, window.bytes()) {
            Ok(block) => block,
            Err(damage) => return Err(ReadError::here(window, damage)),
        };
        let length = usize::try_from(block.length).unwrap_or(usize::MAX);
        if !window.fill(length)? {
            return Err(ReadError::truncated(window, "a block", length));
        }
        match block.trailing(window.bytes()) {
            Some(trailing) if trailing != block.length => {
                Err(ReadError::here(window, Damage::TrailingLength { leading: block.length, trailing }))
            }
            _ => Ok(Some(block)),
        }
    }

    /// Reads the content of a block. Returns `None` if it is not a packet.
    fn read<R: Read>(
        &mut self,
        block: Block,
        window: &Window<R>,
        length: usize,
    ) -> Result<Option<Found>, ReadError> {
        let body = window.bytes().get(HEADER..length.saturating_sub(TRAILER)).unwrap_or_default();
        let packet = match block.kind {
            ENHANCED_PACKET => Packet::enhanced(self.order, body),
            SIMPLE_PACKET => Packet::simple(self.order, body),
            OBSOLETE_PACKET => Packet::obsolete(self.order, body),
            INTERFACE_DESCRIPTION => {
                return self.describe(body).map_err(|damage| ReadError::here(window, damage));
            }
            SECTION_HEADER => return self.begin_section(block, body, window),
            _ => return Ok(None),
        };
        match packet.and_then(|packet| self.locate(packet, body.len(), length)) {
            Ok(found) => Ok(Some(found)),
            Err(damage) => Err(ReadError::here(window, damage)),
        }
    }

    /// Returns a packet with the time and link type of its interface, and with its position before the window
    /// after its block of `length` bytes is consumed.
    fn locate(&self, packet: Packet, body: usize, length: usize) -> Result<Found, Damage> {
        let index = usize::try_from(packet.interface).unwrap_or(usize::MAX);
        let Some(Some(interface)) = self.interfaces.get(index) else {
            let known = self.interfaces.len();
            return Err(Damage::UnknownInterface { interface: packet.interface, known });
        };
        let available = body.saturating_sub(packet.data);
        let captured = packet.captured.unwrap_or_else(|| match interface.snap_length {
            0 => packet.original,
            limit => packet.original.min(limit),
        });
        let len = usize::try_from(captured).unwrap_or(usize::MAX);
        if len > available {
            return Err(Damage::PacketLength { captured, available });
        }
        Ok(Found {
            time: match packet.units {
                Some(units) => interface.resolution.nanoseconds(units, interface.offset),
                None => self.last_time,
            },
            link: interface.link,
            interface: packet.interface,
            is_state: interface.is_state,
            original_len: packet.original,
            back: length.saturating_sub(HEADER).saturating_sub(packet.data),
            len,
        })
    }

    fn describe(&mut self, body: &[u8]) -> Result<Option<Found>, Damage> {
        if self.interfaces.len() >= MAX_INTERFACES {
            return Err(Damage::TooManyInterfaces { limit: MAX_INTERFACES });
        }
        let (interface, damage) = Interface::read(self.order, body);
        self.interfaces.push(interface);
        damage.map_or(Ok(None), Err)
    }

    fn begin_section<R: Read>(
        &mut self,
        block: Block,
        body: &[u8],
        window: &Window<R>,
    ) -> Result<Option<Found>, ReadError> {
        self.order = block.order;
        self.interfaces.clear();
        let version = (self.order.u16(body, 4), self.order.u16(body, 6));
        match version {
            (Some(1), _) if body.len() >= SECTION_FIXED => Ok(None),
            (Some(major), Some(minor)) if major != 1 => {
                Err(ReadError::last(window, Damage::Version { format: "pcapng", known: "1", major, minor }))
            }
            _ => {
                let (block, needed, found) = ("a section header", SECTION_FIXED, body.len());
                Err(ReadError::here(window, Damage::BlockTooShort { block, needed, found }))
            }
        }
    }
}

impl Block {
    /// Reads the block header at the start of `bytes`, which contain at least the shortest block.
    fn read(order: ByteOrder, bytes: &[u8]) -> Result<Self, Damage> {
        let kind = order.u32(bytes, 0).unwrap_or(0);
        let order = if kind == SECTION_HEADER { section_order(bytes)? } else { order };
        let length = order.u32(bytes, 4).unwrap_or(0);
        if (MIN_BLOCK..=MAX_RECORD).contains(&length) && length % 4 == 0 {
            Ok(Self { kind, length, order })
        } else {
            Err(Damage::BlockLength { length, limit: MAX_RECORD })
        }
    }

    /// Returns the length after the body, if `bytes` contain the whole block.
    fn trailing(self, bytes: &[u8]) -> Option<u32> {
        let at = usize::try_from(self.length).ok()?.checked_sub(TRAILER)?;
        self.order.u32(bytes, at)
    }
}

/// Returns the byte order of the section that begins at the start of `bytes`.
fn section_order(bytes: &[u8]) -> Result<ByteOrder, Damage> {
    let magic = *bytes.get(HEADER..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; 4]);
    match (u32::from_le_bytes(magic), u32::from_be_bytes(magic)) {
        (BYTE_ORDER_MAGIC, _) => Ok(ByteOrder::Little),
        (_, BYTE_ORDER_MAGIC) => Ok(ByteOrder::Big),
        _ => Err(Damage::ByteOrderMagic { found: magic }),
    }
}

/// Returns whether a whole block of a known kind, with two equal lengths, begins here.
fn block_begins<R: Read>(order: ByteOrder, window: &mut Window<R>) -> Result<bool, ReadError> {
    let Ok(block) = Block::read(order, window.bytes()) else { return Ok(false) };
    let known = matches!(
        block.kind,
        SECTION_HEADER
            | INTERFACE_DESCRIPTION
            | OBSOLETE_PACKET
            | SIMPLE_PACKET
            | NAME_RESOLUTION
            | INTERFACE_STATISTICS
            | ENHANCED_PACKET
    );
    if !known || block.length > MAX_CANDIDATE {
        return Ok(false);
    }
    let whole = window.fill(usize::try_from(block.length).unwrap_or(usize::MAX))?;
    Ok(whole && block.trailing(window.bytes()) == Some(block.length))
}

//! Single bits, which only 2.1 supports. Positions count in its encoding of the values, from 0.

use gamewire_wire::CodecError;

use super::Message;
use super::get::read;
use crate::Format;
use crate::shared::message::Reader;
use crate::versions::{V20, V21};

impl Message {
    /// `AddBits`: the lowest `count` (1 to 64) of `bits`.
    pub fn add_bits(&mut self, bits: u64, count: usize) -> &mut Self {
        if let Some(drafts) = self.drafts() {
            drafts.v20.write(|to| to.bits(count, bits));
            drafts.v21.write(|to| to.bits(count, bits));
        }
        self
    }

    /// `ReserveBits`: appends zeros for [`Message::set_bits`]. Their position is
    /// [`Message::written_bits`] before the call.
    pub fn reserve_bits(&mut self, count: usize) -> &mut Self {
        if let Some(drafts) = self.drafts() {
            drafts.v20.write(|to| to.reserve_bits(count).map(drop));
            drafts.v21.write(|to| to.reserve_bits(count).map(drop));
        }
        self
    }

    /// `SetBits`: replaces `count` (1 to 64) written bits, from bit `at` on.
    pub fn set_bits(&mut self, bits: u64, count: usize, at: usize) -> &mut Self {
        if let Some(drafts) = self.drafts() {
            drafts.v20.write(|to| to.set_bits(at, count, bits));
            drafts.v21.write(|to| to.set_bits(at, count, bits));
        }
        self
    }

    /// `GetBits`: the next `count` (1 to 64) bits, the first in the lowest bit.
    ///
    /// # Errors
    /// If fewer are left, and in 2.0.
    pub fn get_bits(&mut self, count: usize) -> Result<u64, CodecError> {
        read!(self, |from| from.bits(count))
    }

    /// `PeekBits`: `count` (1 to 64) bits from bit `at` on, without moving.
    ///
    /// # Errors
    /// If fewer are left, and in 2.0.
    pub fn peek_bits(&self, count: usize, at: usize) -> Result<u64, CodecError> {
        let values = self.values();
        match self.read_format() {
            Format::V20 => values.reader::<V20>().peek_bits(at, count),
            Format::V21 => values.reader::<V21>().peek_bits(at, count),
        }
    }

    /// `SkipBits`: skips `count` bits.
    ///
    /// # Errors
    /// If fewer are left, and in 2.0.
    pub fn skip_bits(&mut self, count: usize) -> Result<(), CodecError> {
        read!(self, |from| from.skip_bits(count))
    }
}

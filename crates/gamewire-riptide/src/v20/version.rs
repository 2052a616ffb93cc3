use gamewire_wire::{CodecError, Trace};

use super::message::{MessageReader, MessageWriter, format, length};
use super::wire::{ack, frame, header, quick, reason};
use crate::shared::definition::Definition;
use crate::shared::header::Header;
use crate::shared::packet::{
    Ack, ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Pending,
    Reject, Reliable, Unknown, Unreliable, Welcome,
};
use crate::shared::version::Version;

/// The byte format of 2.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct V20;

impl Version for V20 {
    const NAME: &'static str = "riptide-2.0";
    const HEADER_BITS: usize = 8;
    const HAS_BITS: bool = false;
    const MAX_HEADER_SIZE: usize = 5;
    const FRAME_PREFIX: usize = frame::PREFIX;
    const DEFINITIONS: &'static [&'static Definition] = &[
        Unreliable::DEFINITION,
        ack::DEFINITION,
        Connect::DEFINITION,
        Pending::DEFINITION,
        Reject::DEFINITION,
        Heartbeat::DEFINITION,
        HeartbeatReply::DEFINITION,
        Leave::DEFINITION,
        Disconnect::DEFINITION,
        Reliable::DEFINITION,
        Welcome::DEFINITION,
        ClientConnected::DEFINITION,
        ClientDisconnected::DEFINITION,
        Unknown::DEFINITION,
    ];

    fn header(number: u8) -> Header {
        header::header(number)
    }

    fn number(header: Header) -> Option<u8> {
        header::number(header)
    }

    fn reject_reason(number: u8) -> Option<&'static str> {
        reason::reject::name(number)
    }

    fn disconnect_reason(number: u8) -> Option<&'static str> {
        reason::disconnect::name(number)
    }

    #[inline]
    fn read_ack<'a, T: Trace>(
        header: Header,
        from: &mut MessageReader<'a>,
        trace: &mut T,
    ) -> Result<Ack<'a>, CodecError> {
        ack::read(header, from, trace)
    }

    fn ack_header(ack: &Ack<'_>) -> Header {
        ack::header(ack)
    }

    #[inline]
    fn write_ack(ack: &Ack<'_>, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
        ack::write(ack, to)
    }

    #[inline]
    fn reliable_head(id: u16) -> (u64, usize) {
        quick::reliable_head(id)
    }

    #[inline]
    fn read_reliable_head(head: u64, count: usize) -> Option<(u16, u16, usize)> {
        quick::read_reliable_head(head, count)
    }

    #[inline]
    fn encode_ack_fast(ack: &Ack<'_>) -> (u64, u8) {
        quick::ack(ack)
    }

    #[inline]
    fn read_quick_ack(head: u64, count: usize) -> Option<Ack<'static>> {
        quick::read_ack(head, count)
    }

    #[inline]
    fn read_id(from: &mut MessageReader<'_>) -> Result<u64, CodecError> {
        format::read_id(from)
    }

    #[inline]
    fn write_id(id: u16, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
        format::write_id(id, to)
    }

    fn id_bits(id: u16) -> usize {
        format::id_bits(id)
    }

    #[inline]
    fn read_bool(from: &mut MessageReader<'_>) -> Result<bool, CodecError> {
        format::read_bool(from)
    }

    #[inline]
    fn write_bool(to: &mut MessageWriter<'_>, value: bool) -> Result<(), CodecError> {
        format::write_bool(to, value)
    }

    #[inline]
    fn read_var_ulong(from: &mut MessageReader<'_>) -> Result<u64, CodecError> {
        format::read_var_ulong(from)
    }

    #[inline]
    fn write_var_ulong(to: &mut MessageWriter<'_>, value: u64) -> Result<(), CodecError> {
        format::write_var_ulong(to, value)
    }

    fn bool_bits(count: usize) -> usize {
        format::bool_bits(count)
    }

    #[inline]
    fn read_length(from: &mut MessageReader<'_>) -> Result<usize, CodecError> {
        length::read(from)
    }

    #[inline]
    fn write_length(to: &mut MessageWriter<'_>, length: usize) -> Result<(), CodecError> {
        length::write(to, length)
    }

    fn frame_length(prefix: [u8; 4]) -> i64 {
        frame::length(prefix)
    }

    fn frame_prefix(length: usize) -> Option<[u8; 4]> {
        frame::prefix(length)
    }
}

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;
use std::num::NonZeroU32;

use gamewire_machine::{Role, Transport};

use crate::net::{PacketError, SkipReason};
use crate::protocol::TrackedPacket;
use crate::time::DisplayTime;

/// Metadata of a datagram or run of bytes in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketInfo {
    /// Number of the frame in the capture, from 1.
    pub frame: u64,
    /// Nanoseconds since the first frame of the capture; negative if the clock was set back.
    pub time: i64,
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    pub timestamp: i64,
    /// Bytes of the frame on the wire; for a payload without a frame, the length of the payload.
    pub frame_length: usize,
    /// Transport of the conversation.
    pub transport: Transport,
    /// Number of the conversation, from 1, in the order of their first recognized datagrams.
    pub conversation: u64,
    /// Number of the frame that showed the protocol of the conversation.
    pub recognized: u64,
    /// Name of its protocol.
    pub protocol: &'static str,
    /// The dialect, if it is detected.
    pub dialect: Option<&'static str>,
    /// Role of the sender.
    pub sender: Role,
    /// Address of the sender.
    pub from: SocketAddr,
    /// Address of the receiver.
    pub to: SocketAddr,
    /// Bytes on the wire, without the headers of UDP and below.
    pub length: usize,
}

impl PacketInfo {
    /// Returns the packet with this number, for a tracker of deliveries.
    pub const fn tracked(&self, number: u64) -> TrackedPacket {
        TrackedPacket { number, time: self.timestamp, protocol: self.protocol, sender: self.sender }
    }
}

/// A datagram of a socket, or the next bytes of a TCP connection in order and without gaps.
#[derive(Clone, Copy, Debug)]
pub struct SocketPayload<'d> {
    /// The transport.
    pub transport: Transport,
    /// Its number, from 1. The caller counts.
    pub number: u64,
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    pub time: i64,
    /// Address of the sender.
    pub from: SocketAddr,
    /// Address of the receiver.
    pub to: SocketAddr,
    /// The bytes.
    pub data: &'d [u8],
}

/// Metadata of a decoded packet, from a conversation or from a file with one direction of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketMeta<'a> {
    /// Number of the frame in the capture, or of the packet in the stream, from 1.
    pub number: u64,
    /// Name of its protocol.
    pub protocol: &'static str,
    /// The dialect, if it is detected.
    pub dialect: Option<&'static str>,
    /// Role of the sender.
    pub sender: Role,
    /// Length in bytes. For a packet in a file, the uncompressed length with its header.
    pub length: usize,
    /// The time that lines and headings show; none for a file.
    pub time: DisplayTime,
    /// The conversation, or the position in the file.
    pub source: PacketSource<'a>,
}

impl<'a> From<&'a PacketInfo> for PacketMeta<'a> {
    fn from(info: &'a PacketInfo) -> Self {
        let PacketInfo { frame: number, protocol, dialect, sender, length, .. } = *info;
        let (time, source) = (DisplayTime::Seconds(info.time), PacketSource::Conversation(info));
        Self { number, protocol, dialect, sender, length, time, source }
    }
}

/// The source of a decoded packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketSource<'a> {
    /// A conversation in a capture or on a socket.
    Conversation(&'a PacketInfo),
    /// A file with one direction of a stream.
    File(StreamOffset),
}

/// The offset of a packet in a stream. Displayed as `120` or, inside a chunk, as `120+7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOffset {
    /// Offset of the packet, or of the chunk that contains it, in bytes.
    pub offset: u64,
    /// Offset of the packet in the decompressed chunk, in bytes; `None` outside chunks.
    pub inflated: Option<usize>,
}

impl fmt::Display for StreamOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inflated {
            Some(inflated) => f.pad(&format!("{}+{inflated}", self.offset)),
            None => f.pad(&self.offset.to_string()),
        }
    }
}

/// A counter of a follower, with a protocol-specific name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Number of the conversation.
    pub conversation: u64,
    /// Name of the counter.
    pub name: &'static str,
    /// The count.
    pub count: u64,
}

/// The result of inspecting a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameOutcome {
    /// A datagram or run of bytes of a conversation, decoded into the trace.
    Datagram(PacketInfo),
    /// Another run of bytes that the same frame completed.
    Additional(PacketInfo),
    /// A datagram of an earlier frame. A later datagram showed the protocol of its conversation.
    Deferred(PacketInfo),
    /// A datagram or segment of an unknown protocol.
    Unrecognized,
    /// A frame without a payload to inspect.
    Skipped(SkipReason),
    /// A frame with invalid headers.
    Damaged(PacketError),
    /// A frame in another [`Share`].
    OtherShare,
    /// A frame that was not on the wire ([`STATE_INTERFACE`](crate::capture::STATE_INTERFACE)), with its packet if a follower
    /// used it.
    State(Option<PacketInfo>),
}

/// A share of the conversations in a capture, so that several threads can each follow one of them. The first share
/// also has the frames without a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Index of the share, from 0.
    pub index: u32,
    /// Number of shares.
    pub count: NonZeroU32,
}

impl Share {
    /// All conversations.
    pub const ALL: Self = Self { index: 0, count: NonZeroU32::MIN };
}

impl FrameOutcome {
    /// Returns the datagram or run of bytes, if the frame contains one.
    pub const fn packet(&self) -> Option<&PacketInfo> {
        match self {
            Self::Datagram(packet) | Self::Additional(packet) | Self::Deferred(packet) => Some(packet),
            Self::Unrecognized | Self::Skipped(_) | Self::Damaged(_) | Self::OtherShare | Self::State(_) => {
                None
            }
        }
    }

    /// Returns the packet of a frame that was not on the wire.
    pub const fn state(&self) -> Option<&PacketInfo> {
        match self {
            Self::State(Some(packet)) => Some(packet),
            _ => None,
        }
    }
}

/// The key of a conversation: the transport and its two addresses, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) transport: Transport,
    low: SocketAddr,
    high: SocketAddr,
}

impl Key {
    pub(super) fn new(transport: Transport, one: SocketAddr, other: SocketAddr) -> Self {
        Self { transport, low: one.min(other), high: one.max(other) }
    }

    /// Returns whether the conversation is in a share.
    pub(super) fn is_in(&self, share: Share) -> bool {
        if share == Share::ALL {
            return true;
        }
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish().checked_rem(share.count.get().into()) == Some(share.index.into())
    }
}

/// The context in which bytes were captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PacketContext {
    pub(super) key: Key,
    /// Number of the frame.
    pub(super) frame: u64,
    /// Bytes of the frame on the wire.
    pub(super) frame_length: usize,
    /// Nanoseconds since 1970.
    pub(super) time: i64,
    /// The frame was not on the wire.
    pub(super) is_state: bool,
    pub(super) from: SocketAddr,
    pub(super) to: SocketAddr,
}

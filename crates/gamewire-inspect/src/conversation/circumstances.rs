use gamewire_machine::Role;
use std::fmt;

use super::sighting::PacketInfo;

/// All that is known of something that was told, apart from its content.
pub trait PacketMeta {
    /// Its number, from 1: of the frame in the capture, or of the packet in the stream.
    fn number(&self) -> u64;
    /// Who sent it.
    fn sender(&self) -> Role;
    /// The name of the protocol.
    fn protocol(&self) -> &'static str;
    /// The dialect, as far as it has shown.
    fn dialect(&self) -> Option<&'static str>;
    /// Its bytes.
    fn length(&self) -> usize;
    /// Where it stands, in a file or in a capture.
    fn origin(&self) -> PacketSource<'_>;
}

/// Where something that was told comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketSource<'a> {
    /// It went by in a conversation.
    Conversation(&'a PacketInfo),
    /// It stands in a file of one direction.
    File(StreamOffset),
}

/// Where a packet of a stream begins. Shown as `120` or, inside a chunk, as `120+7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOffset {
    /// The byte of the file where it, or the chunk that holds it, begins.
    pub offset: u64,
    /// The byte among what the chunk inflates to; `None` outside chunks.
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

/// A packet of a file that holds one direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPacketInfo {
    /// Its number, from 1.
    pub number: u64,
    /// Where it begins.
    pub place: StreamOffset,
    /// The name of the protocol.
    pub protocol: &'static str,
    /// The dialect, as far as it has shown.
    pub dialect: Option<&'static str>,
    /// Who sent it.
    pub sender: Role,
    /// Its bytes, header included and uncompressed.
    pub length: usize,
}

impl PacketMeta for PacketInfo {
    fn number(&self) -> u64 {
        self.frame
    }

    fn sender(&self) -> Role {
        self.sender
    }

    fn protocol(&self) -> &'static str {
        self.protocol
    }

    fn dialect(&self) -> Option<&'static str> {
        self.dialect
    }

    fn length(&self) -> usize {
        self.length
    }

    fn origin(&self) -> PacketSource<'_> {
        PacketSource::Conversation(self)
    }
}

impl PacketMeta for StreamPacketInfo {
    fn number(&self) -> u64 {
        self.number
    }

    fn sender(&self) -> Role {
        self.sender
    }

    fn protocol(&self) -> &'static str {
        self.protocol
    }

    fn dialect(&self) -> Option<&'static str> {
        self.dialect
    }

    fn length(&self) -> usize {
        self.length
    }

    fn origin(&self) -> PacketSource<'_> {
        PacketSource::File(self.place)
    }
}

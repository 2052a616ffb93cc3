use gamewire_wire::Reader;

use super::PacketError;
use super::codec::{ChunkRange, ReceiveWindow, read_chunks_of};
use crate::Dialect;
use crate::codec::MessageBuf;
use crate::dialect::with_version;
use crate::shared::packet::{MAX_PAYLOAD, Packet, inflate};
use crate::shared::version::Version;

/// The control messages that begin a connection.
const CONNECT: u8 = 1;
const CONNECT_ACCEPT: u8 = 2;

/// A receiver for one direction of an observed connection, for example in a capture. It does not check tokens.
#[derive(Debug)]
pub struct PassiveReceiver {
    dialect: Dialect,
    window: ReceiveWindow,
    ranges: Vec<ChunkRange>,
}

impl PassiveReceiver {
    /// Creates a receiver that can begin anywhere in a connection.
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, window: ReceiveWindow { ack: 0, accepts_any: true }, ranges: Vec::new() }
    }

    /// Returns the messages of a datagram that no earlier datagram contained, in order.
    ///
    /// # Errors
    /// [`PacketError`] if the datagram cannot be decoded, or belongs to no connection.
    pub fn receive(&mut self, datagram: &[u8]) -> Result<Vec<MessageBuf>, PacketError> {
        with_version!(self.dialect, V => self.receive_of::<V>(datagram))
    }

    /// Returns the id of the control message in a datagram, or `None` if it is not a control packet.
    pub fn control_id(&self, datagram: &[u8]) -> Option<u8> {
        with_version!(self.dialect, V => match V::parse(datagram, &mut ()).ok()? {
            Packet::Connected { header, payload } if header.control => payload.remaining().first().copied(),
            _ => None,
        })
    }

    fn receive_of<V: Version>(&mut self, datagram: &[u8]) -> Result<Vec<MessageBuf>, PacketError> {
        let Packet::Connected { header, payload } = V::parse(datagram, &mut ())? else {
            return Err(PacketError::Connless);
        };
        let payload: Reader<'_> = payload;
        if header.control {
            if let [CONNECT | CONNECT_ACCEPT, ..] = payload.remaining() {
                self.window = ReceiveWindow { ack: 0, accepts_any: true };
            }
            return Ok(Vec::new());
        }
        let mut buffer = [0; MAX_PAYLOAD];
        let payload =
            if header.compressed { inflate(payload.remaining(), &mut buffer)? } else { payload.remaining() };
        read_chunks_of::<V>(payload, header.chunks, &mut self.window, &mut self.ranges)?;
        let message = |range: &ChunkRange| MessageBuf {
            dialect: self.dialect,
            vital: range.vital,
            content: payload.get(range.start.into()..range.end.into()).unwrap_or_default().to_vec(),
        };
        Ok(self.ranges.iter().map(message).collect())
    }
}

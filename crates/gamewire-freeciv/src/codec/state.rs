use gamewire_schema::ir::CapabilityMask;

use super::bodies::{BodyArena, BodyRef};
use super::body::Body;
use super::definition::PacketRow;
use crate::delta::{DeltaError, DeltaErrorKind, DeltaLimits, Direction};

/// What a codec keeps beside the remembered packets.
#[derive(Clone, Debug)]
pub struct CodecState {
    pub(super) direction: Direction,
    pub(super) limits: DeltaLimits,
    /// How many packets are remembered.
    pub(super) baselines: usize,
    /// About how many bytes they take.
    pub(super) bytes: usize,
    /// The number of the packet before.
    pub(super) previous: Option<u16>,
    pub(super) failed: Option<Box<DeltaError>>,
    /// The name of the packet with a number.
    names: fn(u16) -> Option<&'static str>,
    /// How many bytes the bitvector of the last packet had.
    pub(super) bitvector: usize,
    /// Whether a packet with the type and key of the last one was remembered.
    pub(super) is_known: bool,
    /// The capabilities that the last packet knows.
    pub(super) mask: CapabilityMask,
    /// The first field of the last packet that cancels others.
    pub(super) first: i64,
    /// First bodies of remembered packets.
    pub(super) bodies: BodyArena,
}

impl CodecState {
    /// At the start of a connection.
    pub(super) fn new(
        direction: Direction,
        limits: DeltaLimits,
        names: fn(u16) -> Option<&'static str>,
    ) -> Self {
        Self {
            direction,
            limits,
            baselines: 0,
            bytes: 0,
            previous: None,
            failed: None,
            names,
            bitvector: 0,
            is_known: false,
            mask: CapabilityMask::NONE,
            first: 0,
            bodies: BodyArena::default(),
        }
    }

    /// The name of the packet before.
    pub(super) fn previous(&self) -> Option<&'static str> {
        self.previous.and_then(self.names)
    }

    /// Whether packets of this definition go this way.
    #[inline(always)]
    pub(super) const fn allows(&self, packet: &PacketRow) -> bool {
        match self.direction {
            Direction::ToClient => packet.directions.to_client,
            Direction::ToServer => packet.directions.to_server,
        }
    }

    /// Whether there may be one packet more.
    #[inline(always)]
    pub(super) const fn check_room(&self) -> Result<(), DeltaErrorKind> {
        if self.baselines >= self.limits.baselines {
            return Err(DeltaErrorKind::Baselines { limit: self.limits.baselines });
        }
        Ok(())
    }

    /// Keeps the first body of a packet.
    #[inline(always)]
    pub(super) fn keep_body(&mut self, body: &[u8]) -> Result<BodyRef, DeltaErrorKind> {
        let before = self.bodies.bytes();
        let kept = self.bodies.keep(body).ok_or(DeltaErrorKind::Memory { limit: self.limits.bytes })?;
        self.weigh(before, self.bodies.bytes())?;
        Ok(kept)
    }

    /// Keeps the first body of a packet no longer.
    pub(super) fn release_body(&mut self, body: BodyRef) {
        let before = self.bodies.bytes();
        self.bodies.release(body);
        self.bytes = self.bytes.saturating_sub(before.saturating_sub(self.bodies.bytes()));
    }

    /// More bytes are remembered.
    #[inline]
    pub(super) fn weigh(&mut self, before: usize, now: usize) -> Result<(), DeltaErrorKind> {
        self.bytes = self.bytes.saturating_sub(before).saturating_add(now);
        if self.bytes > self.limits.bytes {
            return Err(DeltaErrorKind::Memory { limit: self.limits.bytes });
        }
        Ok(())
    }

    /// A packet as a whole is wrong.
    #[cold]
    pub(super) fn refused<P: Body>(&self, fault: DeltaErrorKind) -> Box<DeltaError> {
        let definition = P::DEFINITION;
        let (number, name) = (definition.number, Some(definition.name));
        Box::new(DeltaError::of_packet(number, name, fault, self.previous()))
    }

    /// There is no packet with this number.
    #[cold]
    #[must_use]
    pub fn unknown(&self, number: u16) -> Box<DeltaError> {
        Box::new(DeltaError::of_packet(number, None, DeltaErrorKind::Unknown, self.previous()))
    }
}

use gamewire_schema::ir::CapabilityMask;

use super::bodies::BodyRef;
use super::body::{Bits, Body, bytes_of};
use super::quick_source::FastSource;
use super::state::CodecState;
use crate::delta::DeltaErrorKind;

/// How a packet is remembered.
#[derive(Clone, Debug)]
pub(super) enum StoredBaseline<P> {
    /// Not at all.
    Empty,
    /// By the body that its key came with first: most packets are never sent again, and a body is a good
    /// deal smaller than a packet.
    Body {
        /// The capabilities that it was read or written with.
        mask: CapabilityMask,
        body: BodyRef,
    },
    /// With all its fields.
    Packet {
        packet: Box<P>,
        /// Bytes that it is counted as.
        bytes: usize,
    },
}

impl<P: Body> StoredBaseline<P> {
    /// With all its fields, not counted yet.
    pub(super) const fn whole(packet: Box<P>) -> Self {
        Self::Packet { packet, bytes: 0 }
    }

    /// Its fields, if they are there.
    #[inline(always)]
    pub(super) fn packet(&self) -> Option<&P> {
        match self {
            Self::Packet { packet, .. } => Some(packet),
            Self::Empty | Self::Body { .. } => None,
        }
    }

    /// Its fields, to be changed, and counted.
    #[inline(always)]
    pub(super) fn materialize(&mut self, state: &mut CodecState) -> Result<&mut P, DeltaErrorKind> {
        if let Self::Body { mask, body } = *self {
            *self = Self::whole(unfolded(state, body, mask));
            self.update_memory_use(state)?;
        }
        match self {
            Self::Packet { packet, .. } => Ok(packet),
            Self::Empty | Self::Body { .. } => Err(DeltaErrorKind::Unknown),
        }
    }

    /// Counts what a packet takes by now.
    #[inline(always)]
    pub(super) fn update_memory_use(&mut self, state: &mut CodecState) -> Result<(), DeltaErrorKind> {
        let Self::Packet { packet, bytes } = self else { return Ok(()) };
        let (before, now) = (*bytes, size_of::<P>().saturating_add(packet.heap()));
        if now == before {
            return Ok(());
        }
        *bytes = now;
        state.weigh(before, now)
    }

    /// It counts no longer.
    pub(super) fn release(&mut self, state: &mut CodecState) {
        match self {
            Self::Empty => {}
            Self::Body { body, .. } => state.release_body(*body),
            Self::Packet { bytes, .. } => state.bytes = state.bytes.saturating_sub(core::mem::take(bytes)),
        }
    }
}

/// The packet of a first body, which is kept no longer.
#[inline(never)]
fn unfolded<P: Body>(state: &mut CodecState, kept: BodyRef, mask: CapabilityMask) -> Box<P> {
    let mut packet = Box::<P>::default();
    let body = state.bodies.get(kept).unwrap_or_default();
    if let Some((bits, rest)) = P::Bits::split(body, bytes_of(P::bits(mask))) {
        // Only what can be read again is kept as a body.
        let _ = packet.read(&mut FastSource::new(rest, bits), mask);
    }
    state.release_body(kept);
    packet
}

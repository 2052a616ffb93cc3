//! What is wrong with a packet that was refused quickly: it is read or written again, carefully.

use gamewire_schema::ir::CapabilityMask;
use gamewire_wire::{CodecError, Found, Reader};

use super::body::{Bits, Body, bytes_of};
use super::careful_sink::CheckedSink;
use super::careful_source::CheckedSource;
use crate::delta::{DeltaError, DeltaErrorKind, FieldContext};

/// The field at hand and the one before it.
#[derive(Debug, Default)]
pub(super) struct FieldCursor {
    now: Option<At>,
    before: Option<At>,
    element: Option<usize>,
    /// In how many dimensions of an array.
    depth: usize,
}

#[derive(Clone, Copy, Debug)]
struct At {
    field: usize,
    bit: Option<usize>,
    start: usize,
}

impl FieldCursor {
    pub(super) const NONE: Self = Self { now: None, before: None, element: None, depth: 0 };

    /// A field begins at a byte of the body.
    pub(super) fn begin(&mut self, field: usize, bit: Option<usize>, start: usize) {
        self.before = self.now;
        self.now = Some(At { field, bit, start });
        self.element = None;
        self.depth = 0;
    }

    pub(super) const fn enter(&mut self) {
        self.depth = self.depth.saturating_add(1);
    }

    /// Only elements of the outermost dimension are told.
    pub(super) const fn element(&mut self, index: usize) {
        if self.depth == 1 {
            self.element = Some(index);
        }
    }

    pub(super) const fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.element = None;
    }

    /// What went wrong in a packet with these bits, with everything around it.
    fn error<P: Body>(
        &self,
        mask: CapabilityMask,
        bits: &[u8],
        fault: DeltaErrorKind,
        previous: Option<&str>,
    ) -> Box<DeltaError> {
        let definition = P::DEFINITION;
        let name = |field: usize| definition.field_name(field).to_owned();
        let field = self.now.map(|now| FieldContext {
            name: name(now.field),
            bit: now.bit,
            element: self.element,
            before: self.before.map(|at| (name(at.field), at.start)),
            after: next::<P>(now.field, mask, bits).map(name),
        });
        let error = DeltaError::of_packet(definition.number, Some(definition.name), fault, previous);
        Box::new(DeltaError { field, ..error })
    }
}

/// The field behind this one that is on the wire.
fn next<P: Body>(field: usize, mask: CapabilityMask, bits: &[u8]) -> Option<usize> {
    let mut list = CheckedSource::list(bits);
    // Nothing is read, so nothing can be wrong.
    let _ = P::default().read(&mut list, mask);
    list.listed().into_iter().skip_while(|listed| *listed != field).nth(1)
}

/// Why a body could not be decoded. `packet` is what it was read over, if it came to that; `fault` is what
/// stands in the way beside the bytes.
#[cold]
#[inline(never)]
pub(super) fn decoding<P: Body>(
    body: &[u8],
    packet: Option<&mut P>,
    mask: CapabilityMask,
    fault: Option<DeltaErrorKind>,
    previous: Option<&str>,
) -> Box<DeltaError> {
    let mut reader = Reader::new(body);
    let mut bits: &[u8] = &[];
    let mut progress = FieldCursor::default();
    let found = read::<P>(&mut reader, &mut bits, &mut progress, packet, mask);
    let fault = match found {
        Err(error) => DeltaErrorKind::Codec(error),
        // A quick reader refuses nothing else.
        Ok(()) => fault.unwrap_or(DeltaErrorKind::Unknown),
    };
    progress.error::<P>(mask, bits, fault, previous)
}

fn read<'a, P: Body>(
    reader: &mut Reader<'a>,
    bits: &mut &'a [u8],
    progress: &mut FieldCursor,
    packet: Option<&mut P>,
    mask: CapabilityMask,
) -> Result<(), CodecError> {
    if P::DEFINITION.is_delta() {
        let count = P::bits(mask);
        *bits = reader.take(bytes_of(count), "the bits of the fields")?;
        no_bits_behind(count, bits)?;
    }
    let mut from = CheckedSource::new(*reader, bits);
    let result = match packet {
        None => P::read_key(&mut from, mask).map(|_| ()),
        Some(packet) => packet.read(&mut from, mask).and_then(|()| from.end()),
    };
    *progress = from.progress;
    result
}

/// The bits behind those of the fields are 0.
fn no_bits_behind(count: usize, bits: &[u8]) -> Result<(), CodecError> {
    let end = bits.len().saturating_mul(8);
    let is_set = |bit: &usize| bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0);
    match (count..end).find(is_set) {
        None => Ok(()),
        Some(bit) => {
            let found = Found::Value(i64::try_from(bit).unwrap_or(i64::MAX));
            Err(CodecError::new(bit / 8, "no bit behind those of the fields", found))
        }
    }
}

/// Why a packet could not be encoded after `old`.
#[cold]
#[inline(never)]
pub(super) fn encoding<P: Body>(
    new: &P,
    old: &P,
    kept: &[u8],
    mask: CapabilityMask,
    fault: Option<DeltaErrorKind>,
    previous: Option<&str>,
) -> Box<DeltaError> {
    let bytes = if P::DEFINITION.is_delta() { bytes_of(P::bits(mask)) } else { 0 };
    let mut all = CheckedSink::<P::Bits>::new(bytes, kept);
    all.compares = true;
    // Nothing is written, so nothing can be wrong.
    let _ = new.write(old, &mut all, mask);
    let mut to = CheckedSink::<P::Bits>::new(bytes, kept);
    let fault = match new.write(old, &mut to, mask) {
        Err(error) => DeltaErrorKind::Codec(error),
        Ok(()) => fault.unwrap_or(DeltaErrorKind::Unknown),
    };
    to.progress.error::<P>(mask, all.bits.bytes(), fault, previous)
}

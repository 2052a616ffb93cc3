use gamewire_schema::ir::{CapabilityMask, Info};

use super::body::{Bits, Body, bytes_of, is_clean};
use super::explain;
use super::kept::StoredBaseline;
use super::key::Key;
use super::quick_sink::{FastSink, WriteResult};
use super::quick_source::FastSource;
use super::refusal::CodecFailure;
use super::source::Source;
use super::state::CodecState;
use super::store::BaselineTable;
use crate::delta::{DeltaError, DeltaErrorKind, EncodeOptions};

/// The last packets of one type, one for each key, of a decoder or of an encoder.
#[derive(Clone, Debug)]
pub struct PacketBaselines<P: Body> {
    /// The capabilities of the connection that the packet knows; `None` before they are agreed on.
    mask: Option<CapabilityMask>,
    /// Made with the first packet: of most types there is never one.
    store: Option<Box<BaselineTable<P>>>,
}

impl<P: Body> PacketBaselines<P> {
    /// Takes the capabilities that both sides have.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        let mut mask = CapabilityMask::NONE;
        for (index, name) in P::DEFINITION.capabilities.iter().enumerate() {
            if active.contains(name) {
                mask = mask.with(index);
            }
        }
        if let (Some(store), true) = (&mut self.store, self.mask != Some(mask)) {
            store.reset_spare();
        }
        self.mask = Some(mask);
    }

    /// The capabilities of the connection that the packet knows.
    #[must_use]
    pub fn mask(&self) -> CapabilityMask {
        self.mask.unwrap_or_default()
    }

    /// Forgets all.
    pub fn forget(&mut self, state: &mut CodecState) {
        if let Some(store) = self.store.take() {
            store.count_out(state);
        }
    }

    /// Forgets the packet that the last one cancels.
    pub fn cancel(&mut self, state: &mut CodecState) {
        if let Some(store) = &mut self.store {
            store.cancel(state);
        }
    }

    /// Reads a body.
    ///
    /// # Errors
    /// When it is not what the definition and the packets before say, or over the limits.
    pub fn decode(&mut self, state: &mut CodecState, body: &[u8]) -> Result<&P, Box<DeltaError>> {
        match self.read(state, body) {
            Ok(place) => {
                state.previous = Some(P::DEFINITION.number);
                match self.store.as_deref().and_then(|store| store.packet(place)) {
                    Some(packet) => Ok(packet),
                    None => Err(state.refused::<P>(DeltaErrorKind::Unknown)),
                }
            }
            Err(CodecFailure { place, kind: fault }) => Err(self.explain(state, body, place, fault)),
        }
    }

    /// Where the packet is that was read.
    #[inline(always)]
    fn read(&mut self, state: &mut CodecState, body: &[u8]) -> Result<u32, CodecFailure> {
        let mask = self.checked(state)?;
        state.mask = mask;
        state.bitvector = 0;
        state.is_known = false;
        let store = self.store.get_or_insert_with(new_store);
        if !P::DEFINITION.is_delta() {
            let mut from = FastSource::new(body, P::Bits::NONE);
            let packet = &mut store.scratch;
            let read = packet.read(&mut from, mask);
            if read.is_err() || !from.remaining().is_empty() {
                return Err(CodecFailure { place: Some(0), kind: None });
            }
            state.first = packet.first(mask);
            store.weigh(state, 0)?;
            return Ok(0);
        }
        let count = P::bits(mask);
        let bytes = bytes_of(count);
        let unread = CodecFailure { place: None, kind: None };
        let (bits, rest) = P::Bits::split(body, bytes).ok_or(unread)?;
        if !is_clean(bits.bytes(), count, bytes) {
            return Err(unread);
        }
        let mut from = FastSource::new(rest, bits);
        let mut ahead = from;
        let key = P::read_key(&mut ahead, mask).map_err(|_| unread)?;
        let (place, is_known) = store.find(key);
        (state.bitvector, state.is_known) = (bytes, is_known);
        if !is_known {
            state.check_room()?;
        }
        from.is_first = !is_known;
        let packet = store.unfold(state, place)?;
        let read = packet.read(&mut from, mask);
        if read.is_err() || !from.remaining().is_empty() {
            return Err(CodecFailure { place: Some(place), kind: None });
        }
        state.first = packet.first(mask);
        if !is_known && P::Key::IS_ONE {
            store.mark_known(state);
        } else if !is_known {
            let body = state.keep_body(body)?;
            store.add(state, key, StoredBaseline::Body { mask, body })?;
        }
        let weighed = store.weigh(state, place);
        weighed.map_err(|fault| CodecFailure { place: Some(place), kind: Some(fault) })?;
        Ok(if cancels_itself::<P>() { store.cancel_own(state, place) } else { place })
    }

    #[cold]
    #[inline(never)]
    fn explain(
        &mut self,
        state: &mut CodecState,
        body: &[u8],
        place: Option<u32>,
        fault: Option<DeltaErrorKind>,
    ) -> Box<DeltaError> {
        let previous = state.previous();
        let error = match fault {
            Some(fault @ (DeltaErrorKind::Direction | DeltaErrorKind::Variant)) => state.refused::<P>(fault),
            fault => {
                let mask = self.mask();
                let mut zero = None;
                let packet = match place {
                    Some(0) if !state.is_known => Some(&mut **zero.insert(Box::<P>::default())),
                    Some(place) => {
                        self.store.as_deref_mut().and_then(|store| store.unfold(state, place).ok())
                    }
                    None => None,
                };
                explain::decoding(body, packet, mask, fault, previous)
            }
        };
        state.failed = Some(error.clone());
        error
    }

    /// Writes the body of a packet to the end of `out`; false, and nothing is written, if it says nothing
    /// new and is of a type that is not sent then.
    ///
    /// # Errors
    /// When a field holds what cannot be said on the wire, or there would be too many packets to remember.
    pub fn encode(
        &mut self,
        state: &mut CodecState,
        new: &P,
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        let start = out.len();
        let refusal = match self.write(state, new, sending, out) {
            Ok(true) => {
                state.previous = Some(P::DEFINITION.number);
                return Ok(true);
            }
            Ok(false) => None,
            Err(refusal) => Some(refusal),
        };
        out.truncate(start);
        refusal.map_or(Ok(false), |refusal| Err(self.explain_writing(state, new, sending, refusal)))
    }

    /// Writes a body to the end of `out`, be it sent or not.
    #[inline(always)]
    fn write(
        &mut self,
        state: &mut CodecState,
        new: &P,
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, CodecFailure> {
        let start = out.len();
        let mask = self.checked(state)?;
        if !P::DEFINITION.is_delta() {
            let mut to = FastSink::<P::Bits>::new(out, &[]);
            let written = new.write(new, &mut to, mask);
            state.first = new.first(mask);
            return written.map(|()| true).map_err(|_| CodecFailure { place: None, kind: None });
        }
        let bytes = bytes_of(P::bits(mask));
        let key = new.key(mask);
        let store = &mut **self.store.get_or_insert_with(new_store);
        let (place, is_known) = store.find(key);
        let old = &*store.unfold(state, place)?;
        out.extend_from_slice(P::Bits::NONE.bytes().get(..bytes).unwrap_or_default());
        let mut to = FastSink::<P::Bits>::new(out, sending.bits);
        let written = new.write(old, &mut to, mask);
        let WriteResult { bits, is_news, is_even } = to.end();
        if written.is_err() {
            return Err(CodecFailure { place: Some(place), kind: None });
        }
        if is_known && !matches!(P::DEFINITION.info, Info::Always) && !is_news && !sending.force {
            return Ok(false);
        }
        if let Some(to) = out.get_mut(start..start.saturating_add(bytes)) {
            to.copy_from_slice(bits.bytes().get(..bytes).unwrap_or_default());
        }
        state.first = new.first(mask);
        if !is_known {
            state.check_room()?;
        }
        if is_known || P::Key::IS_ONE {
            if !is_known {
                store.mark_known(state);
            }
            if is_news || !is_known {
                store.unfold(state, place)?.remember(new);
                store.weigh(state, place)?;
            }
        } else {
            let kept = if is_even {
                StoredBaseline::Body { mask, body: state.keep_body(out.get(start..).unwrap_or_default())? }
            } else {
                StoredBaseline::whole(Box::new(new.clone()))
            };
            store.add(state, key, kept)?;
        }
        if cancels_itself::<P>() {
            store.cancel(state);
        }
        Ok(true)
    }

    #[cold]
    #[inline(never)]
    fn explain_writing(
        &mut self,
        state: &mut CodecState,
        new: &P,
        sending: EncodeOptions<'_>,
        CodecFailure { place, kind: fault }: CodecFailure,
    ) -> Box<DeltaError> {
        let previous = state.previous();
        let error = match fault {
            Some(fault @ (DeltaErrorKind::Direction | DeltaErrorKind::Variant)) => state.refused::<P>(fault),
            fault => {
                let mask = self.mask();
                let zero = P::default();
                let store = self.store.as_deref();
                let old = store.zip(place).and_then(|(store, place)| store.packet(place)).unwrap_or(&zero);
                explain::encoding(new, old, sending.bits, mask, fault, previous)
            }
        };
        if matches!(fault, Some(DeltaErrorKind::Memory { .. })) {
            state.failed = Some(error.clone());
        }
        error
    }

    /// The capabilities, if packets of this type can come now.
    #[inline(always)]
    fn checked(&self, state: &CodecState) -> Result<CapabilityMask, DeltaErrorKind> {
        if !state.allows(&P::DEFINITION) {
            return Err(DeltaErrorKind::Direction);
        }
        if P::DEFINITION.capabilities.is_empty() {
            return Ok(CapabilityMask::NONE);
        }
        self.mask.ok_or(DeltaErrorKind::Variant)
    }
}

/// What is made once for each type.
#[cold]
#[inline(never)]
fn new_store<P: Body>() -> Box<BaselineTable<P>> {
    Box::default()
}

fn cancels_itself<P: Body>() -> bool {
    P::DEFINITION.cancels.contains(&P::DEFINITION.number)
}

impl<P: Body> Default for PacketBaselines<P> {
    fn default() -> Self {
        let mask = P::DEFINITION.capabilities.is_empty().then_some(CapabilityMask::NONE);
        Self { mask, store: None }
    }
}

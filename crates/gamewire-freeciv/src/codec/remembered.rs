use gamewire_schema::ir::{CapabilityMask, Info};

use super::body::{Bits, Body, bytes_of};
use super::explain;
use super::index::Index;
use super::key::Key;
use super::quick_sink::QuickSink;
use super::quick_source::QuickSource;
use super::source::Source;
use super::state::State;
use crate::delta::{DeltaError, DeltaFault, Sending};

/// The last packets of one type, one for each key.
#[derive(Clone, Debug)]
pub struct Remembered<P: Body> {
    /// The capabilities of the connection that the packet knows; `None` before they are agreed on.
    mask: Option<CapabilityMask>,
    index: Index<P::Key>,
    /// The first is no remembered packet: in packets of the delta protocol it is the one that all fields
    /// are at the start, in others the last one.
    entries: Vec<Entry<P>>,
    /// Places of forgotten packets.
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Entry<P> {
    packet: P,
    /// Bytes that it was counted as beside itself.
    heap: usize,
}

impl<P: Body> Remembered<P> {
    /// Takes the capabilities that both sides have.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        let mut mask = CapabilityMask::NONE;
        for (index, name) in P::DEFINITION.capabilities.iter().enumerate() {
            if active.contains(name) {
                mask = mask.with(index);
            }
        }
        self.mask = Some(mask);
    }

    /// The capabilities of the connection that the packet knows.
    #[must_use]
    pub fn mask(&self) -> CapabilityMask {
        self.mask.unwrap_or_default()
    }

    /// Forgets all.
    pub fn forget(&mut self, state: &mut State) {
        let forgotten = self.entries.iter().skip(1);
        let bytes = forgotten.fold(0_usize, |sum, entry| sum.saturating_add(Self::weight(entry.heap)));
        let held = self.entries.len().saturating_sub(1).saturating_sub(self.free.len());
        state.baselines = state.baselines.saturating_sub(held);
        state.bytes = state.bytes.saturating_sub(bytes).saturating_sub(self.index.bytes());
        *self = Self { mask: self.mask, ..Self::default() };
    }

    /// Forgets the packet that the last one cancels.
    pub fn cancel(&mut self, state: &mut State) {
        let place = self.index.remove(P::Key::cancelled(state.first));
        let Some(entry) = self.held(place) else { return };
        let heap = entry.heap;
        *entry = Entry { packet: P::default(), heap: 0 };
        self.free.push(place);
        state.baselines = state.baselines.saturating_sub(1);
        state.bytes = state.bytes.saturating_sub(heap);
    }

    /// Reads a body.
    ///
    /// # Errors
    /// When it is not what the definition and the packets before say, or over the limits.
    pub fn decode(&mut self, state: &mut State, body: &[u8]) -> Result<&P, Box<DeltaError>> {
        match self.read(state, body) {
            Ok(place) => {
                state.previous = Some(P::DEFINITION.number);
                match self.entries.get(place) {
                    Some(entry) => Ok(&entry.packet),
                    None => Err(state.refused::<P>(DeltaFault::Unknown)),
                }
            }
            Err(Refusal { place, fault }) => Err(self.explain(state, body, place, fault)),
        }
    }

    /// Where the packet is that was read.
    #[inline(always)]
    fn read(&mut self, state: &mut State, body: &[u8]) -> Result<usize, Refusal> {
        let mask = self.checked(state)?;
        state.mask = mask;
        state.bitvector = 0;
        state.is_known = false;
        if !P::DEFINITION.is_delta() {
            let mut from = QuickSource::new(body, P::Bits::NONE);
            let Some(Entry { packet, .. }) = self.first() else { return Err(DeltaFault::Unknown.into()) };
            let read = packet.read(&mut from, mask);
            if read.is_err() || !from.remaining().is_empty() {
                return Err(Refusal { place: Some(0), fault: None });
            }
            state.first = packet.first(mask);
            return Ok(0);
        }
        let count = P::bits(mask);
        let bytes = bytes_of(count);
        let unread = Refusal { place: None, fault: None };
        let (bits, rest) = P::Bits::split(body, bytes).ok_or(unread)?;
        if !is_clean(bits.bytes(), count, bytes) {
            return Err(unread);
        }
        let mut from = QuickSource::new(rest, bits);
        let mut ahead = from;
        let key = P::read_key(&mut ahead, mask).map_err(|_| unread)?;
        let known = self.index.get(key);
        let place = if known == 0 { self.add(state, key)? } else { known };
        state.bitvector = bytes;
        state.is_known = known != 0;
        let Some(entry) = self.held(place) else { return Err(unread) };
        let at = usize::try_from(place).unwrap_or(usize::MAX);
        let read = entry.packet.read(&mut from, mask);
        if read.is_err() || !from.remaining().is_empty() {
            return Err(Refusal { place: Some(at), fault: None });
        }
        let (before, heap) = (entry.heap, entry.packet.heap());
        state.first = entry.packet.first(mask);
        if heap != before {
            entry.heap = heap;
            let weighed = state.weigh(before, heap);
            weighed.map_err(|fault| Refusal { place: Some(at), fault: Some(fault) })?;
        }
        if Self::cancels_itself() {
            self.cancel_own(state, place);
        }
        Ok(at)
    }

    #[cold]
    #[inline(never)]
    fn explain(
        &mut self,
        state: &mut State,
        body: &[u8],
        place: Option<usize>,
        fault: Option<DeltaFault>,
    ) -> Box<DeltaError> {
        let previous = state.previous();
        let error = match fault {
            Some(fault @ (DeltaFault::Direction | DeltaFault::Variant)) => state.refused::<P>(fault),
            fault => {
                let mask = self.mask();
                let entry = place.and_then(|place| self.entries.get_mut(place));
                explain::decoding(body, entry.map(|entry| &mut entry.packet), mask, fault, previous)
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
        state: &mut State,
        new: &P,
        sending: Sending<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        let start = out.len();
        match self.write(state, new, sending, out, start) {
            Ok(true) => {
                state.previous = Some(P::DEFINITION.number);
                Ok(true)
            }
            Ok(false) => {
                out.truncate(start);
                Ok(false)
            }
            Err(refusal) => {
                out.truncate(start);
                Err(self.explain_writing(state, new, sending, refusal))
            }
        }
    }

    #[inline(always)]
    fn write(
        &mut self,
        state: &mut State,
        new: &P,
        sending: Sending<'_>,
        out: &mut Vec<u8>,
        start: usize,
    ) -> Result<bool, Refusal> {
        let mask = self.checked(state)?;
        if !P::DEFINITION.is_delta() {
            let mut to = QuickSink::<P::Bits>::new(out, &[]);
            let written = new.write(new, &mut to, mask);
            state.first = new.first(mask);
            return written.map(|()| true).map_err(|_| Refusal { place: None, fault: None });
        }
        let bytes = bytes_of(P::bits(mask));
        let key = new.key(mask);
        let place = self.index.get(key);
        let at = usize::try_from(place).unwrap_or(usize::MAX);
        self.first();
        let Some(old) = self.entries.get(at) else { return Err(Refusal { place: None, fault: None }) };
        out.extend_from_slice(P::Bits::NONE.bytes().get(..bytes).unwrap_or_default());
        let mut to = QuickSink::<P::Bits>::new(out, sending.bits);
        let written = new.write(&old.packet, &mut to, mask);
        let (bits, is_news) = to.end();
        if written.is_err() {
            return Err(Refusal { place: Some(at), fault: None });
        }
        let is_known = place != 0;
        if is_known && !matches!(P::DEFINITION.info, Info::Always) && !is_news && !sending.force {
            return Ok(false);
        }
        if let Some(to) = out.get_mut(start..start.saturating_add(bytes)) {
            to.copy_from_slice(bits.bytes().get(..bytes).unwrap_or_default());
        }
        state.first = new.first(mask);
        if is_news || !is_known {
            let place = if is_known { place } else { self.add(state, key)? };
            self.keep(state, place, new)?;
        }
        if Self::cancels_itself() {
            self.cancel_own(state, place);
        }
        Ok(true)
    }

    /// Remembers a packet that was written.
    #[inline(always)]
    fn keep(&mut self, state: &mut State, place: u32, new: &P) -> Result<(), DeltaFault> {
        let Some(entry) = self.held(place) else { return Ok(()) };
        entry.packet.remember(new);
        let (before, heap) = (entry.heap, entry.packet.heap());
        entry.heap = heap;
        if heap == before { Ok(()) } else { state.weigh(before, heap) }
    }

    #[cold]
    #[inline(never)]
    fn explain_writing(
        &mut self,
        state: &mut State,
        new: &P,
        sending: Sending<'_>,
        Refusal { place, fault }: Refusal,
    ) -> Box<DeltaError> {
        let previous = state.previous();
        let error = match fault {
            Some(fault @ (DeltaFault::Direction | DeltaFault::Variant)) => state.refused::<P>(fault),
            fault => {
                let mask = self.mask();
                let zero = P::default();
                let old =
                    place.and_then(|place| self.entries.get(place)).map_or(&zero, |entry| &entry.packet);
                explain::encoding(new, old, sending.bits, mask, fault, previous)
            }
        };
        if matches!(fault, Some(DeltaFault::Memory { .. })) {
            state.failed = Some(error.clone());
        }
        error
    }

    /// The capabilities, if packets of this type can come now.
    #[inline(always)]
    fn checked(&self, state: &State) -> Result<CapabilityMask, DeltaFault> {
        if !state.allows(&P::DEFINITION) {
            return Err(DeltaFault::Direction);
        }
        if P::DEFINITION.capabilities.is_empty() {
            return Ok(CapabilityMask::NONE);
        }
        self.mask.ok_or(DeltaFault::Variant)
    }

    /// The entry that is no remembered packet.
    #[inline(always)]
    fn first(&mut self) -> Option<&mut Entry<P>> {
        if self.entries.is_empty() {
            self.entries.push(Entry { packet: P::default(), heap: 0 });
        }
        self.entries.first_mut()
    }

    /// A remembered packet.
    #[inline(always)]
    fn held(&mut self, place: u32) -> Option<&mut Entry<P>> {
        let place = usize::try_from(place).ok().filter(|place| *place != 0)?;
        self.entries.get_mut(place)
    }

    /// Remembers a packet with a new key.
    #[inline(never)]
    fn add(&mut self, state: &mut State, key: P::Key) -> Result<u32, DeltaFault> {
        if state.baselines >= state.limits.baselines {
            return Err(DeltaFault::Baselines { limit: state.limits.baselines });
        }
        let place = match self.free.pop() {
            Some(place) => {
                // What cancelled itself is still there.
                if let (true, Some(entry)) = (Self::cancels_itself(), self.held(place)) {
                    *entry = Entry { packet: P::default(), heap: 0 };
                }
                place
            }
            None => {
                let bytes = state.bytes.saturating_add(Self::weight(0));
                if bytes > state.limits.bytes {
                    return Err(DeltaFault::Memory { limit: state.limits.bytes });
                }
                state.bytes = bytes;
                self.first();
                let place = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
                self.entries.push(Entry { packet: P::default(), heap: 0 });
                place
            }
        };
        state.baselines = state.baselines.saturating_add(1);
        state.bytes = state.bytes.saturating_add(self.index.set(key, place));
        Ok(place)
    }

    /// What an entry is counted as.
    const fn weight(heap: usize) -> usize {
        size_of::<Entry<P>>().saturating_add(heap)
    }

    fn cancels_itself() -> bool {
        P::DEFINITION.cancels.contains(&P::DEFINITION.number)
    }

    /// Forgets what a packet cancels among its own type; what it says itself can still be seen until the
    /// place is used again.
    #[cold]
    fn cancel_own(&mut self, state: &mut State, place: u32) {
        let key = P::Key::cancelled(state.first);
        if self.index.get(key) != place {
            return self.cancel(state);
        }
        self.index.remove(key);
        self.free.push(place);
        state.baselines = state.baselines.saturating_sub(1);
        if let Some(entry) = self.held(place) {
            state.bytes = state.bytes.saturating_sub(entry.heap);
            entry.heap = 0;
        }
    }
}

impl<P: Body> Default for Remembered<P> {
    fn default() -> Self {
        let mask = P::DEFINITION.capabilities.is_empty().then_some(CapabilityMask::NONE);
        Self { mask, index: Index::default(), entries: Vec::new(), free: Vec::new() }
    }
}

/// A packet that cannot be read or written.
#[derive(Clone, Copy)]
struct Refusal {
    /// What it was read or written over, if it came to that.
    place: Option<usize>,
    /// What stands in the way beside the bytes.
    fault: Option<DeltaFault>,
}

impl From<DeltaFault> for Refusal {
    fn from(fault: DeltaFault) -> Self {
        Self { place: None, fault: Some(fault) }
    }
}

/// Whether the bits behind those of the fields are 0.
#[inline(always)]
fn is_clean(bits: &[u8], count: usize, bytes: usize) -> bool {
    let used = count.saturating_sub(bytes.saturating_sub(1).saturating_mul(8));
    let last = bits.get(bytes.saturating_sub(1)).copied().unwrap_or(0);
    u16::from(last) >> used.min(8) == 0
}

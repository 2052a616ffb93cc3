use super::body::Body;
use super::index::Index;
use super::kept::StoredBaseline;
use super::key::Key;
use super::state::CodecState;
use crate::delta::DeltaErrorKind;

/// The packets of one type that are remembered, each at a place; places count from 1.
#[derive(Clone, Debug)]
pub(super) struct BaselineTable<P: Body> {
    index: Index<P::Key>,
    /// Found at place 0. Of packets without key it is the one that is remembered. Of others, it is none of them:
    /// in a decoder, the last one that was read with a new key or is never remembered; in an encoder, what all
    /// fields are at the start.
    pub(super) scratch: P,
    /// Bytes that it was counted as; not at all in an encoder, while it stays as it was at the start.
    spare_bytes: usize,
    /// Whether the packet without key is remembered.
    is_one_known: bool,
    entries: Vec<StoredBaseline<P>>,
    /// Places of forgotten packets.
    free: Vec<u32>,
}

impl<P: Body> BaselineTable<P> {
    /// Bytes of a place.
    const PLACE: usize = size_of::<StoredBaseline<P>>();

    /// Where the packet with a key is, and whether it is remembered.
    #[inline(always)]
    pub(super) fn find(&self, key: P::Key) -> (u32, bool) {
        if P::Key::IS_ONE {
            return (0, self.is_one_known);
        }
        let place = self.index.get(key);
        (place, place != 0)
    }

    /// The packet at a place, if all its fields are there.
    #[inline(always)]
    pub(super) fn packet(&self, place: u32) -> Option<&P> {
        match place.checked_sub(1) {
            None => Some(&self.scratch),
            Some(index) => self.entries.get(usize::try_from(index).ok()?)?.packet(),
        }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn unfold(&mut self, state: &mut CodecState, place: u32) -> Result<&mut P, DeltaErrorKind> {
        match place {
            0 => Ok(&mut self.scratch),
            place => self.entry(place).ok_or(DeltaErrorKind::Unknown)?.materialize(state),
        }
    }

    /// Counts what a packet takes by now.
    #[inline(always)]
    pub(super) fn weigh(&mut self, state: &mut CodecState, place: u32) -> Result<(), DeltaErrorKind> {
        if place != 0 {
            return self.entry(place).map_or(Ok(()), |kept| kept.update_memory_use(state));
        }
        let (before, now) = (self.spare_bytes, size_of::<P>().saturating_add(self.scratch.heap()));
        if now == before {
            return Ok(());
        }
        self.spare_bytes = now;
        state.weigh(before, now)
    }

    /// Which fields there are has changed: nothing is left of those of others.
    pub(super) fn reset_spare(&mut self) {
        if !self.is_one_known {
            self.scratch = P::default();
        }
    }

    /// The packet without key is remembered from now on.
    #[inline(always)]
    pub(super) fn mark_known(&mut self, state: &mut CodecState) {
        self.is_one_known = true;
        state.baselines = state.baselines.saturating_add(1);
    }

    /// The packet without key is remembered no longer, though it can still be seen.
    fn mark_forgotten(&mut self, state: &mut CodecState) {
        let held = usize::from(core::mem::take(&mut self.is_one_known));
        state.baselines = state.baselines.saturating_sub(held);
    }

    #[inline(always)]
    fn entry(&mut self, place: u32) -> Option<&mut StoredBaseline<P>> {
        self.entries.get_mut(usize::try_from(place.checked_sub(1)?).ok()?)
    }

    /// Remembers a packet with a new key.
    #[inline(never)]
    pub(super) fn add(
        &mut self,
        state: &mut CodecState,
        key: P::Key,
        kept: StoredBaseline<P>,
    ) -> Result<u32, DeltaErrorKind> {
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                state.weigh(0, Self::PLACE)?;
                self.entries.push(StoredBaseline::Empty);
                u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
            }
        };
        state.baselines = state.baselines.saturating_add(1);
        state.bytes = state.bytes.saturating_add(self.index.set(key, place));
        if let Some(entry) = self.entry(place) {
            *entry = kept;
            entry.update_memory_use(state)?;
        }
        Ok(place)
    }

    /// Forgets the packet that the last one cancels.
    pub(super) fn cancel(&mut self, state: &mut CodecState) {
        if P::Key::IS_ONE {
            self.mark_forgotten(state);
            self.reset_spare();
            state.bytes = state.bytes.saturating_sub(core::mem::take(&mut self.spare_bytes));
            return;
        }
        let place = self.remove(state, P::Key::cancelled(state.first));
        if let Some(entry) = self.entry(place) {
            entry.release(state);
            *entry = StoredBaseline::Empty;
            self.free.push(place);
            state.baselines = state.baselines.saturating_sub(1);
        }
    }

    /// The same where the packet at a place may cancel itself; where it can be seen from then on.
    #[cold]
    pub(super) fn cancel_own(&mut self, state: &mut CodecState, own: u32) -> u32 {
        if P::Key::IS_ONE {
            self.mark_forgotten(state);
            return own;
        }
        let key = P::Key::cancelled(state.first);
        if own == 0 || self.index.get(key) != own {
            self.cancel(state);
            return own;
        }
        self.remove(state, key);
        self.free.push(own);
        state.baselines = state.baselines.saturating_sub(1);
        if let Some(entry) = self.entry(own) {
            entry.release(state);
            if let StoredBaseline::Packet { packet, .. } = core::mem::replace(entry, StoredBaseline::Empty) {
                self.scratch = *packet;
            }
        }
        0
    }

    /// Takes its place from a key; 0 if it had none.
    fn remove(&mut self, state: &mut CodecState, key: P::Key) -> u32 {
        let (place, bytes) = self.index.remove(key);
        state.bytes = state.bytes.saturating_sub(bytes);
        place
    }

    /// All of it is forgotten.
    pub(super) fn count_out(mut self, state: &mut CodecState) {
        self.mark_forgotten(state);
        let held = self.entries.len().saturating_sub(self.free.len());
        let places = self.entries.len().saturating_mul(Self::PLACE);
        state.baselines = state.baselines.saturating_sub(held);
        let bytes = places.saturating_add(self.index.bytes()).saturating_add(self.spare_bytes);
        state.bytes = state.bytes.saturating_sub(bytes);
        self.entries.iter_mut().for_each(|entry| entry.release(state));
    }
}

impl<P: Body> Default for BaselineTable<P> {
    fn default() -> Self {
        Self {
            index: Index::default(),
            scratch: P::default(),
            spare_bytes: 0,
            is_one_known: false,
            entries: Vec::new(),
            free: Vec::new(),
        }
    }
}

//! Reassembles IP fragments within limits.

use std::collections::VecDeque;
use std::net::IpAddr;

use etherparse::IpNumber;

use super::payload::PacketError;

/// The fragment fields of an IP header.
#[derive(Clone, Copy)]
pub(super) struct FragmentInfo {
    pub(super) identification: u32,
    /// Offset in bytes.
    pub(super) offset: usize,
    pub(super) more: bool,
}

/// Limits for the reassembly of fragments.
///
/// An incomplete datagram is dropped when a newer one needs its slot, and when its identification is reused after
/// `timeout_ns`. A fragment that overlaps another with different bytes, or has a different end, drops its
/// datagram including later fragments of it; an exact duplicate is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefragLimits {
    /// Maximum number of incomplete datagrams; the oldest is dropped first. At least 1.
    pub datagrams: usize,
    /// Time after which a reused identification means a new datagram, in nanoseconds of capture time.
    pub timeout_ns: u64,
}

impl Default for DefragLimits {
    /// 64 datagrams, 30 seconds.
    fn default() -> Self {
        Self { datagrams: 64, timeout_ns: 30_000_000_000 }
    }
}

impl DefragLimits {
    /// Returns the maximum memory at these limits, in bytes. Each datagram needs its bytes and at most one range per
    /// two pieces of eight bytes; the last completed datagram is kept, too.
    pub const fn worst_case_bytes(&self) -> usize {
        const DATA: usize = MAX_DATAGRAM.next_power_of_two();
        const SPANS: usize = (DATA / 16) * size_of::<(usize, usize)>();
        self.datagrams.saturating_add(1).saturating_mul(DATA.saturating_add(SPANS))
    }
}

/// The key of a fragmented datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FragmentKey {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) identification: u32,
    pub(super) protocol: u8,
}

#[derive(Debug)]
struct Slot {
    key: FragmentKey,
    since: i64,
    /// `None` after contradictory fragments.
    datagram: Option<PartialDatagram>,
}

/// The incomplete datagrams, oldest first. There are few, so that a linear search is fast enough, and no sender
/// can cause hash collisions.
#[derive(Debug, Default)]
pub(super) struct Defragmenter {
    limits: DefragLimits,
    slots: VecDeque<Slot>,
    /// The last complete datagram, which the caller borrows.
    whole: Vec<u8>,
}

impl Defragmenter {
    pub(super) fn new(limits: DefragLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds a fragment that was captured at `time`. Returns the protocol and payload of the datagram if it is
    /// complete.
    ///
    /// # Errors
    /// [`PacketError`] if the fragment is invalid or contradicts an earlier one. The datagram is dropped.
    pub(super) fn add(
        &mut self,
        time: i64,
        key: FragmentKey,
        protocol: IpNumber,
        fragment: FragmentInfo,
        payload: &[u8],
    ) -> Result<Option<(IpNumber, &[u8])>, PacketError> {
        let mut at = self.slots.iter().position(|slot| slot.key == key);
        let too_old = |slot: &Slot| slot.since.abs_diff(time) > self.limits.timeout_ns;
        if let Some(old) = at.filter(|&at| self.slots.get(at).is_some_and(too_old)) {
            self.slots.remove(old);
            at = None;
        }
        let at = at.unwrap_or_else(|| self.open(time, key));
        let Some(slot) = self.slots.get_mut(at) else { return Ok(None) };
        let Some(datagram) = &mut slot.datagram else {
            return Err(PacketError::FragmentConflict { offset: fragment.offset });
        };
        match datagram.add(protocol, fragment, payload) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(error) => {
                slot.datagram = None;
                return Err(error);
            }
        }
        let datagram = self.slots.remove(at).and_then(|slot| slot.datagram).unwrap_or_default();
        self.whole = datagram.data;
        Ok(Some((datagram.protocol.unwrap_or(protocol), &self.whole)))
    }

    /// Adds a new datagram and returns its index. Drops the oldest if there are too many.
    fn open(&mut self, time: i64, key: FragmentKey) -> usize {
        while self.slots.len() >= self.limits.datagrams.max(1) {
            self.slots.pop_front();
        }
        let datagram = Some(PartialDatagram::reusing(std::mem::take(&mut self.whole)));
        self.slots.push_back(Slot { key, since: time, datagram });
        self.slots.len().saturating_sub(1)
    }

    pub(super) fn buffered_bytes(&self) -> usize {
        let datagrams = self.slots.iter().filter_map(|slot| slot.datagram.as_ref());
        let held = datagrams.map(PartialDatagram::held_bytes).fold(0, usize::saturating_add);
        held.saturating_add(self.whole.capacity())
    }
}

/// Maximum length of an IP payload, given by its length field of 16 bits.
pub(super) const MAX_DATAGRAM: usize = 65_535;

/// An incomplete datagram.
#[derive(Debug, Default)]
struct PartialDatagram {
    data: Vec<u8>,
    /// The received ranges of `data`, in order and without overlaps.
    spans: Vec<(usize, usize)>,
    /// The length, if the last fragment arrived.
    end: Option<usize>,
    /// The protocol in the first fragment.
    protocol: Option<IpNumber>,
}

impl PartialDatagram {
    /// Returns an empty datagram that reuses the memory of `data`.
    fn reusing(mut data: Vec<u8>) -> Self {
        data.clear();
        Self { data, ..Self::default() }
    }

    /// Adds a fragment, and returns whether the datagram is complete. A duplicate is ignored.
    ///
    /// # Errors
    /// [`PacketError`] if the fragment is invalid or contradicts an earlier one.
    fn add(
        &mut self,
        protocol: IpNumber,
        fragment: FragmentInfo,
        payload: &[u8],
    ) -> Result<bool, PacketError> {
        let FragmentInfo { offset, more, .. } = fragment;
        let misplaced = PacketError::FragmentBounds { offset, len: payload.len() };
        let end = offset.checked_add(payload.len()).filter(|end| *end <= MAX_DATAGRAM).ok_or(misplaced)?;
        if payload.is_empty() || (more && !payload.len().is_multiple_of(8)) {
            return Err(misplaced);
        }
        let conflict = PacketError::FragmentConflict { offset };
        let arrived_end = self.spans.last().map_or(0, |&(_, end)| end);
        match self.end {
            Some(known) if end > known || (!more && end != known) => return Err(conflict),
            None if !more && arrived_end > end => return Err(conflict),
            _ => {}
        }
        if self.overlaps(offset, end) {
            let same = self.holds(offset, end) && self.data.get(offset..end) == Some(payload);
            return if same { Ok(false) } else { Err(conflict) };
        }
        self.store(offset, end, payload);
        if !more {
            self.end = Some(end);
        }
        if offset == 0 {
            self.protocol = Some(protocol);
        }
        Ok(self.end.is_some_and(|end| self.spans == [(0, end)]))
    }

    fn overlaps(&self, start: usize, end: usize) -> bool {
        let at = self.spans.partition_point(|&(_, span_end)| span_end <= start);
        self.spans.get(at).is_some_and(|&(span_start, _)| span_start < end)
    }

    fn holds(&self, start: usize, end: usize) -> bool {
        self.spans.iter().any(|&(span_start, span_end)| span_start <= start && end <= span_end)
    }

    /// Copies a payload that overlaps nothing, and joins its range with adjacent ones.
    fn store(&mut self, start: usize, end: usize, payload: &[u8]) {
        if self.data.len() < end {
            let room = end.next_power_of_two().saturating_sub(self.data.len());
            self.data.reserve_exact(room);
            self.data.resize(end, 0);
        }
        if let Some(target) = self.data.get_mut(start..end) {
            target.copy_from_slice(payload);
        }
        let at = self.spans.partition_point(|&(_, span_end)| span_end < start);
        let touching = self.spans.iter().skip(at).take_while(|&&(span_start, _)| span_start <= end);
        let (count, joined) = touching.fold((0_usize, (start, end)), |(count, joined), &(from, to)| {
            (count.saturating_add(1), (joined.0.min(from), joined.1.max(to)))
        });
        self.spans.splice(at..at.saturating_add(count), [joined]);
    }

    /// Returns the memory in use, in bytes.
    fn held_bytes(&self) -> usize {
        let spans = self.spans.capacity().saturating_mul(size_of::<(usize, usize)>());
        self.data.capacity().saturating_add(spans)
    }
}

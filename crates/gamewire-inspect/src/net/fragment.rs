//! One datagram coming together from its fragments.

use etherparse::IpNumber;

use super::error::PacketError;
use super::ip::FragmentPlace;

/// The largest IP payload, by the 16 bits of its length.
pub(super) const MAX_DATAGRAM: usize = 65_535;

/// How a datagram took a fragment.
pub(super) enum AddOutcome {
    Incomplete,
    Complete,
}

/// A datagram with holes.
#[derive(Debug, Default)]
pub(super) struct PartialDatagram {
    data: Vec<u8>,
    /// The ranges of `data` that arrived: in order, apart from each other.
    spans: Vec<(usize, usize)>,
    /// The length, once the last fragment has told it.
    end: Option<usize>,
    /// What the first fragment says the datagram is.
    protocol: Option<IpNumber>,
}

impl PartialDatagram {
    /// A datagram that reuses the memory of `data`.
    pub(super) fn reusing(mut data: Vec<u8>) -> Self {
        data.clear();
        Self { data, ..Self::default() }
    }

    /// Takes a fragment in. A repetition is ignored.
    ///
    /// # Errors
    /// If the fragment cannot be of any datagram, or contradicts one that arrived before.
    pub(super) fn add(
        &mut self,
        protocol: IpNumber,
        place: FragmentPlace,
        payload: &[u8],
    ) -> Result<AddOutcome, PacketError> {
        let FragmentPlace { offset, more, .. } = place;
        let misplaced = PacketError::FragmentPlace { offset, len: payload.len() };
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
            return if same { Ok(AddOutcome::Incomplete) } else { Err(conflict) };
        }
        self.store(offset, end, payload);
        if !more {
            self.end = Some(end);
        }
        if offset == 0 {
            self.protocol = Some(protocol);
        }
        let whole = self.end.is_some_and(|end| self.spans == [(0, end)]);
        Ok(if whole { AddOutcome::Complete } else { AddOutcome::Incomplete })
    }

    fn overlaps(&self, start: usize, end: usize) -> bool {
        let at = self.spans.partition_point(|&(_, span_end)| span_end <= start);
        self.spans.get(at).is_some_and(|&(span_start, _)| span_start < end)
    }

    fn holds(&self, start: usize, end: usize) -> bool {
        self.spans.iter().any(|&(span_start, span_end)| span_start <= start && end <= span_end)
    }

    /// Copies a payload that overlaps nothing, and joins its range with its neighbours.
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

    /// Takes a complete datagram out.
    pub(super) fn into_whole(self) -> (Option<IpNumber>, Vec<u8>) {
        (self.protocol, self.data)
    }

    /// The memory held, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let spans = self.spans.capacity().saturating_mul(size_of::<(usize, usize)>());
        self.data.capacity().saturating_add(spans)
    }
}

use gamewire_wire::{CodecError, Found, Result};

use super::{MAX_PARTS, PART_BYTES};
use crate::shared::data::SizedData;
use crate::shared::system::Snap;

/// Maximum age of a late part in ticks: three seconds. Older ticks belong to a restarted game.
const MAX_AGE_TICKS: i32 = 150;

/// The parts of one snapshot, which may arrive in any order.
///
/// It stores the parts of at most one snapshot: parts of a later tick replace them, and parts of an
/// earlier tick are ignored.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    tick: i32,
    num_parts: i32,
    received: u64,
    last_len: usize,
    data: Vec<u8>,
}

impl Parts {
    /// Returns the allocated memory in bytes.
    pub const fn held_bytes(&self) -> usize {
        self.data.capacity()
    }

    /// Returns the parts of the incomplete snapshot. The parts that complete it have its base and checksum.
    pub(crate) fn incomplete(&self) -> impl Iterator<Item = Snap<'_>> {
        let Self { tick, num_parts, received, last_len, ref data } = *self;
        let parts =
            (0..num_parts).filter(move |part| received & 1_u64.wrapping_shl(part.unsigned_abs()) != 0);
        parts.filter_map(move |part| {
            let start = usize::try_from(part).ok()?.checked_mul(PART_BYTES)?;
            let is_last = part.saturating_add(1) == num_parts;
            let end = if is_last { last_len } else { start.checked_add(PART_BYTES)? };
            let data = SizedData(data.get(start..end)?);
            Some(Snap { tick, delta: 0, num_parts, part, crc: 0, data })
        })
    }

    /// Adds a part. Returns the complete delta if it was the last missing part.
    ///
    /// # Errors
    /// [`CodecError`] if its numbers or its size are invalid, or contradict the earlier parts. The earlier
    /// parts are kept.
    pub fn take(&mut self, part: &Snap<'_>) -> Result<Option<&[u8]>> {
        let refuse =
            |field, expected, found| CodecError::new(0, expected, found).in_field(field).in_packet("snap");
        if !(1..=MAX_PARTS).contains(&part.num_parts) {
            return Err(refuse("num_parts", "1 to 64 parts", Found::Value(part.num_parts.into())));
        }
        if !(0..part.num_parts).contains(&part.part) {
            return Err(refuse("part", "a part below the number of parts", Found::Value(part.part.into())));
        }
        let behind = self.tick.wrapping_sub(part.tick);
        if self.received != 0 && (1..=MAX_AGE_TICKS).contains(&behind) {
            return Ok(None);
        }
        let is_last = part.part.saturating_add(1) == part.num_parts;
        if part.data.0.len() > PART_BYTES || (!is_last && part.data.0.len() < PART_BYTES) {
            return Err(refuse(
                "data",
                "900 bytes, fewer only in the last part",
                Found::Bytes(part.data.0.len()),
            ));
        }
        if self.received == 0 || self.tick != part.tick {
            *self = Self {
                tick: part.tick,
                num_parts: part.num_parts,
                received: 0,
                last_len: 0,
                data: core::mem::take(&mut self.data),
            };
        } else if self.num_parts != part.num_parts {
            return Err(refuse("num_parts", "as many parts as before", Found::Value(part.num_parts.into())));
        }
        let index = usize::try_from(part.part).unwrap_or(0);
        let start = index.saturating_mul(PART_BYTES);
        let end = start.saturating_add(part.data.0.len());
        if self.data.len() < end {
            self.data.resize(end, 0);
        }
        if let Some(place) = self.data.get_mut(start..end) {
            place.copy_from_slice(part.data.0);
        }
        self.received |= 1_u64.wrapping_shl(part.part.unsigned_abs());
        if is_last {
            self.last_len = end;
        }
        if self.received.count_ones() == self.num_parts.unsigned_abs() {
            self.received = 0;
            return Ok(self.data.get(..self.last_len));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::data::SizedData;

    fn part(tick: i32, num_parts: i32, part: i32, data: &[u8]) -> Snap<'_> {
        Snap { tick, delta: 1, num_parts, part, crc: 0, data: SizedData(data) }
    }

    #[test]
    fn parts_in_any_order_complete_the_snapshot() {
        let (first, second, last) = ([1; 900], [2; 900], [3; 5]);
        let whole = [first.as_slice(), &second, &last].concat();
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let mut parts = Parts::default();
            for (step, index) in order.into_iter().enumerate() {
                let data = [first.as_slice(), &second, &last][index];
                let got = parts.take(&part(7, 3, i32::try_from(index).unwrap(), data)).unwrap();
                assert_eq!(got.map(<[u8]>::to_vec), (step == 2).then(|| whole.clone()));
            }
        }
    }

    #[test]
    fn a_duplicate_part_does_not_count_twice() {
        let mut parts = Parts::default();
        assert_eq!(parts.take(&part(7, 2, 0, &[1; 900])), Ok(None));
        assert_eq!(parts.take(&part(7, 2, 0, &[1; 900])), Ok(None));
        assert!(parts.take(&part(7, 2, 1, &[2])).unwrap().is_some());
    }

    #[test]
    fn a_late_part_of_an_earlier_snapshot_is_ignored() {
        let mut parts = Parts::default();
        assert_eq!(parts.take(&part(9, 2, 0, &[1; 900])), Ok(None));
        assert_eq!(parts.take(&part(7, 2, 1, &[2])), Ok(None));
        assert!(parts.take(&part(9, 2, 1, &[3])).unwrap().is_some_and(|whole| whole.ends_with(&[1, 3])));
    }

    #[test]
    fn a_restarted_game_counts_from_a_lower_tick() {
        let mut parts = Parts::default();
        parts.take(&part(5000, 2, 0, &[1; 900])).unwrap();
        parts.take(&part(3, 2, 0, &[2; 900])).unwrap();
        assert!(parts.take(&part(3, 2, 1, &[2])).unwrap().is_some());
    }

    #[test]
    fn t9_parts_of_sixty_four_ticks_take_the_memory_of_one() {
        let mut parts = Parts::default();
        for tick in 0..64 {
            assert_eq!(
                parts.take(&part(tick, 64, tick, &[1; 900][..if tick == 63 { 1 } else { 900 }])),
                Ok(None)
            );
        }
        assert!(parts.data.capacity() <= 2 * 64 * 900);
    }

    #[test]
    fn t9_invalid_numbers_are_rejected() {
        let mut parts = Parts::default();
        for (num_parts, index, length) in
            [(0, 0, 900), (65, 0, 900), (-1, 0, 900), (2, 2, 900), (2, -1, 900), (2, 0, 899), (2, 1, 901)]
        {
            assert!(
                parts.take(&part(7, num_parts, index, &[0; 901][..length])).is_err(),
                "{num_parts} {index}"
            );
        }
        parts.take(&part(7, 3, 0, &[0; 900])).unwrap();
        assert!(parts.take(&part(7, 2, 1, &[0; 9])).is_err(), "the number of parts does not change");
    }
}

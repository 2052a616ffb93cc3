//! Runs of bits moved a word at a time: bit n is bit n mod 8 of byte n div 8, least significant
//! first, so that a packet is one little-endian number.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "shifts are below 8, counts at most 64, places within slices"
)]

/// How many bits one step moves.
const WORD: usize = 64;

/// The lowest `count` bits set; all of them from 64 on.
const fn mask(count: usize) -> u64 {
    if count >= WORD { u64::MAX } else { (1 << count) - 1 }
}

/// The 8 bytes from `byte` on; those behind the end are 0.
#[inline]
fn word(bytes: &[u8], byte: usize) -> u64 {
    let rest = bytes.get(byte..).unwrap_or_default();
    if let Some(word) = rest.first_chunk::<8>() {
        return u64::from_le_bytes(*word);
    }
    // Put together in a register: memory that was written byte by byte is read as a word slowly.
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The lowest 16 bits of a word.
#[inline]
pub(crate) const fn low_16(word: u64) -> u16 {
    let [low, high, ..] = word.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// At most 64 bits from bit `at` on; bits behind the end are 0.
#[inline]
pub(crate) fn load(bytes: &[u8], at: usize, count: usize) -> u64 {
    let (byte, shift) = (at / 8, at % 8);
    let low = word(bytes, byte) >> shift;
    if shift == 0 {
        return low & mask(count);
    }
    let ninth = u64::from(bytes.get(byte + 8).copied().unwrap_or(0));
    (low | ninth << (WORD - shift)) & mask(count)
}

/// Puts the lowest `count` bits of `value` (at most 64) at bit `at`. Bits before it stay; those
/// behind it, up to 9 bytes from the one that `at` is in, are 0 or anything, in its last byte 0.
/// What lies outside of `bytes` is left out.
#[inline]
pub(crate) fn put(bytes: &mut [u8], at: usize, count: usize, value: u64) {
    let (byte, shift) = (at / 8, at % 8);
    let place = bytes.get_mut(byte..).unwrap_or_default();
    let Some(first) = place.first() else { return };
    let before = u128::from(u64::from(*first) & mask(shift));
    let wide = (before | u128::from(value & mask(count)) << shift).to_le_bytes();
    if let (Some(to), Some(from)) = (place.first_chunk_mut::<9>(), wide.first_chunk::<9>()) {
        *to = *from;
        return;
    }
    for (to, from) in place.iter_mut().zip(wide).take((shift + count).div_ceil(8)) {
        *to = from;
    }
}

/// Puts the lowest `count` bits of `value` (at most 64) at bit `at`; all other bits stay.
pub(crate) fn replace(bytes: &mut [u8], at: usize, count: usize, value: u64) {
    let (byte, shift) = (at / 8, at % 8);
    let changed = (u128::from(mask(count)) << shift).to_le_bytes();
    let wide = (u128::from(value & mask(count)) << shift).to_le_bytes();
    let place = bytes.get_mut(byte..).unwrap_or_default();
    for ((to, from), mask) in place.iter_mut().zip(wide).zip(changed) {
        *to = *to & !mask | from;
    }
}

/// Copies `count` bits from bit `from` of `source` to bit `at` of `bytes`, as [`put`] does.
#[inline]
pub(crate) fn copy(bytes: &mut [u8], at: usize, source: &[u8], from: usize, count: usize) {
    if (at | from | count).is_multiple_of(8)
        && let Some(to) = bytes.get_mut(at / 8..).and_then(|to| to.get_mut(..count / 8))
        && let Some(from) = source.get(from / 8..).and_then(|from| from.get(..count / 8))
    {
        to.copy_from_slice(from);
    } else {
        copy_some(bytes, at, source, from, count);
    }
}

fn copy_some(bytes: &mut [u8], at: usize, source: &[u8], from: usize, count: usize) {
    let (up, down) = (at % 8, from % 8);
    let to = bytes.get_mut(at / 8..).unwrap_or_default();
    let words = source.get(from / 8..).unwrap_or_default().as_chunks::<8>().0;
    // As many words as the target has from the byte on in which the bits begin.
    let places = to.as_chunks_mut::<8>().0;
    let places = places.get_mut(..(up + count) / WORD).unwrap_or_default();
    let copied = if up > down {
        shift_up(places, words, up, up - down)
    } else {
        shift_down(places, words, up, down - up)
    };
    let done = (copied * WORD).saturating_sub(up);
    for done in (done..count).step_by(WORD) {
        let step = (count - done).min(WORD);
        put(bytes, at + done, step, load(source, from + done, step));
    }
}

/// Fills `places` from the bit `up` of the first one on with `words` moved up by `shift`, 1 to 7
/// bits, and says how many it could fill.
#[inline]
fn shift_up(places: &mut [[u8; 8]], words: &[[u8; 8]], up: usize, shift: usize) -> usize {
    let kept = places.first().map_or(0, |first| u64::from_le_bytes(*first) & mask(up));
    let mut carry = 0;
    for (to, from) in places.iter_mut().zip(words) {
        let word = u64::from_le_bytes(*from);
        *to = (word << shift | carry).to_le_bytes();
        carry = word >> (WORD - shift);
    }
    if let Some(first) = places.first_mut() {
        *first = (u64::from_le_bytes(*first) & !mask(up) | kept).to_le_bytes();
    }
    places.len().min(words.len())
}

/// The same down by 0 to 7 bits.
#[inline]
fn shift_down(places: &mut [[u8; 8]], words: &[[u8; 8]], up: usize, shift: usize) -> usize {
    let kept = places.first().map_or(0, |first| u64::from_le_bytes(*first) & mask(up));
    let (low, high) = (words, words.get(1..).unwrap_or_default());
    for ((to, low), high) in places.iter_mut().zip(low).zip(high) {
        let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
        // Shifted twice, since once by 64 is none.
        *to = (low >> shift | high << 1 << (WORD - 1 - shift)).to_le_bytes();
    }
    if let Some(first) = places.first_mut() {
        *first = (u64::from_le_bytes(*first) & !mask(up) | kept).to_le_bytes();
    }
    places.len().min(high.len())
}

/// Whether two runs of `count` bits are the same.
pub(crate) fn same(one: (&[u8], usize), other: (&[u8], usize), count: usize) -> bool {
    (0..count).step_by(WORD).all(|done| {
        let step = (count - done).min(WORD);
        load(one.0, one.1 + done, step) == load(other.0, other.1 + done, step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What moving bit by bit gives.
    fn bit(bytes: &[u8], at: usize) -> bool {
        bytes[at / 8] >> (at % 8) & 1 == 1
    }

    const SOURCE: [u8; 24] = [
        0x1d, 0xc3, 0x55, 0xaa, 0x01, 0x80, 0xff, 0x00, 0x37, 0x9b, 0x42, 0xe8, 0x6c, 0x15, 0xf0, 0x0f, 0x81,
        0x7e, 0x24, 0xdb, 0x99, 0x66, 0x3c, 0xc3,
    ];

    #[test]
    fn words_at_every_place_are_the_bits_one_by_one() {
        for at in 0..SOURCE.len() * 8 {
            for count in 0..=64.min(SOURCE.len() * 8 - at) {
                let slow = (0..count).fold(0, |value, n| value | u64::from(bit(&SOURCE, at + n)) << n);
                assert_eq!(load(&SOURCE, at, count), slow, "{count} bits at {at}");
            }
        }
        assert_eq!(load(&SOURCE, 24 * 8, 64), 0);
        assert_eq!(load(&SOURCE, usize::MAX / 2, 64), 0);
    }

    #[test]
    fn copies_between_any_two_places_are_the_bits_one_by_one() {
        for from in 0..17 {
            for at in 0..17 {
                for count in [0, 1, 7, 8, 9, 63, 64, 65, 100, 127, 128, 129] {
                    let mut to = [0xff; 40];
                    copy(&mut to, at, &SOURCE, from, count);
                    assert!((0..at).all(|n| bit(&to, n)), "bits before {at}");
                    assert!((0..count).all(|n| bit(&to, at + n) == bit(&SOURCE, from + n)));
                    let end = at + count;
                    let padding = if count == 0 { end..end } else { end..end.next_multiple_of(8) };
                    assert!(padding.into_iter().all(|n| !bit(&to, n)), "{count} bits from {from} to {at}");
                    assert!(same((&to, at), (&SOURCE, from), count));
                }
            }
        }
    }

    #[test]
    fn replaced_bits_leave_their_neighbours() {
        for at in 0..40 {
            for count in [1, 5, 16, 33, 64] {
                let mut bytes = [0xff; 14];
                replace(&mut bytes, at, count, 0);
                assert!((0..14 * 8).all(|n| bit(&bytes, n) != (at..at + count).contains(&n)));
                replace(&mut bytes, at, count, u64::MAX);
                assert_eq!(bytes, [0xff; 14]);
            }
        }
    }

    #[test]
    fn nothing_is_written_outside() {
        let mut bytes = [0; 2];
        put(&mut bytes, 12, 64, u64::MAX);
        assert_eq!(bytes, [0, 0xf0]);
        put(&mut bytes, 99, 64, u64::MAX);
        replace(&mut bytes, 12, 64, 0);
        assert_eq!(bytes, [0, 0]);
    }
}

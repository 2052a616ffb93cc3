//! Copies runs of bits, a word at a time: bit n is bit n mod 8 of byte n div 8, least significant bit
//! first, so that a packet is one little-endian number.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "shifts are below 8, counts at most 64, positions within slices"
)]

/// Bits of one step.
const WORD: usize = 64;

/// Returns a mask of the lowest `count` bits; all of them from 64 on.
const fn mask(count: usize) -> u64 {
    if count >= WORD { u64::MAX } else { (1 << count) - 1 }
}

/// Returns the 8 bytes from `byte` on. Bytes after the end are 0.
#[inline]
fn word(bytes: &[u8], byte: usize) -> u64 {
    let rest = bytes.get(byte..).unwrap_or_default();
    if let Some(word) = rest.first_chunk::<8>() {
        return u64::from_le_bytes(*word);
    }
    short_word(rest)
}

/// Returns a word of less than 8 bytes, combined in a register. Reading memory as a word immediately after writing it
/// byte by byte is slow.
fn short_word(rest: &[u8]) -> u64 {
    if let (Some(low), Some(high)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
        return u64::from(low) | u64::from(high) << (8 * (rest.len() - 4));
    }
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Returns the lowest 16 bits of a word.
#[inline]
pub(crate) const fn low_16(word: u64) -> u16 {
    let [low, high, ..] = word.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// Returns `count` (at most 64) bits from bit `at` on. Bits after the end are 0.
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

/// Writes the lowest `count` bits of `value` (at most 64) at bit `at`. Bits before it are kept. The rest
/// of the last written byte is 0; the bytes after it, up to 9 from the byte of `at`, are undefined. Bits
/// outside of `bytes` are dropped.
#[inline]
pub(crate) fn put(bytes: &mut [u8], at: usize, count: usize, value: u64) {
    let (byte, shift) = (at / 8, at % 8);
    let target = bytes.get_mut(byte..).unwrap_or_default();
    let Some(first) = target.first() else { return };
    let before = u128::from(u64::from(*first) & mask(shift));
    let value = value & mask(count);
    if shift == 0
        && let Some(to) = target.first_chunk_mut::<8>()
    {
        *to = value.to_le_bytes();
        return;
    }
    let wide = (before | u128::from(value) << shift).to_le_bytes();
    if let (Some(to), Some(from)) = (target.first_chunk_mut::<9>(), wide.first_chunk::<9>()) {
        *to = *from;
    } else {
        put_bytes(target, &wide, (shift + count).div_ceil(8));
    }
}

/// Writes the first `count` bytes one by one, near the end of a packet.
fn put_bytes(target: &mut [u8], bytes: &[u8], count: usize) {
    for (to, from) in target.iter_mut().zip(bytes).take(count) {
        *to = *from;
    }
}

/// Replaces `count` (at most 64) bits at bit `at`. All other bits are kept.
pub(crate) fn replace(bytes: &mut [u8], at: usize, count: usize, value: u64) {
    let (byte, shift) = (at / 8, at % 8);
    let changed = (u128::from(mask(count)) << shift).to_le_bytes();
    let wide = (u128::from(value & mask(count)) << shift).to_le_bytes();
    let target = bytes.get_mut(byte..).unwrap_or_default();
    for ((to, from), mask) in target.iter_mut().zip(wide).zip(changed) {
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
    let target = bytes.get_mut(at / 8..).unwrap_or_default();
    let before = target.first().map_or(0, |first| u64::from(*first));
    write_prefixed(target, before & mask(at % 8), at % 8, source, from, count);
}

/// Writes the lowest `first` (below 64) bits of `head` to the front of `bytes`, and after them `count` bits from bit
/// `from` of `source`, as [`put`] does. The other bits of `head` must be 0.
#[inline(always)]
pub(crate) fn write_prefixed(
    bytes: &mut [u8],
    head: u64,
    first: usize,
    source: &[u8],
    from: usize,
    count: usize,
) {
    let step = WORD - first;
    let values = source.get(from / 8..).unwrap_or_default();
    if let (Some(low), Some([_, high @ ..])) = (values.first_chunk(), values.first_chunk::<9>())
        && let Some((word, rest)) = bytes.split_first_chunk_mut()
        && count >= step
    {
        *word = (head | shift_down(*low, *high, from % 8) << first).to_le_bytes();
        copy_to_front(rest, source, from + step, count - step);
    } else {
        write_prefixed_short(bytes, head, first, source, from, count);
    }
}

/// Implements [`write_prefixed`] for less than a word, and near the end of `source`.
#[cold]
fn write_prefixed_short(bytes: &mut [u8], head: u64, first: usize, source: &[u8], from: usize, count: usize) {
    let step = count.min(WORD - first);
    put(bytes, 0, first, head);
    put(bytes, first, step, load(source, from, step));
    if count > step {
        copy_to_front(bytes.get_mut(8..).unwrap_or_default(), source, from + step, count - step);
    }
}

/// Bytes of a long run that are copied in one step.
const BLOCK: usize = 32;

/// Copies `count` bits from bit `from` of `source` to the front of `to`, and fills the last byte with zeros.
#[inline(always)]
pub(crate) fn copy_to_front(to: &mut [u8], source: &[u8], from: usize, count: usize) {
    let (to, source, shift) = (to.get_mut(..count.div_ceil(8)), source.get(from / 8..), from % 8);
    let (Some(to), Some(source)) = (to, source) else { return };
    let mut done = 0;
    for block in to.as_chunks_mut::<BLOCK>().0 {
        let Some(from) = source.get(done..).and_then(|rest| rest.first_chunk()) else { break };
        *block = shifted(from, shift);
        done += BLOCK;
    }
    if done < to.len() {
        // The last block may overlap the one before.
        let tail = to.len().checked_sub(BLOCK).and_then(|start| source.get(start..));
        if let (Some(from), Some(block)) = (tail.and_then(<[u8]>::first_chunk), to.last_chunk_mut()) {
            *block = shifted(from, shift);
        } else {
            return copy_rest(to, source, shift, done, count);
        }
    }
    if let Some(last) = to.last_mut() {
        *last &= u8::MAX >> (count.wrapping_neg() % 8);
    }
}

/// Returns a block shifted down by `shift` (below 8) bits. Several words are shifted in parallel, because no word
/// depends on another: the last bits of each word are in the byte after it, and the word that starts one byte later has
/// them in the right position.
#[inline(always)]
fn shifted(from: &[u8; BLOCK + 1], shift: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let (low, high) = (from.split_at(BLOCK).0, from.split_at(1).1);
    let words = low.as_chunks::<8>().0.iter().zip(high.as_chunks::<8>().0);
    for (to, (low, high)) in block.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *to = shift_down(*low, *high, shift).to_le_bytes();
    }
    block
}

/// Returns a word shifted down by `shift` (below 8) bits; `high` is the word that starts a byte later.
#[inline(always)]
const fn shift_down(low: [u8; 8], high: [u8; 8], shift: usize) -> u64 {
    u64::from_le_bytes(low) >> shift | u64::from_le_bytes(high) << (8 - shift)
}

/// Copies the rest of [`copy_to_front`] after `done` bytes.
#[inline(never)]
fn copy_rest(to: &mut [u8], source: &[u8], shift: usize, done: usize, count: usize) {
    for at in (done * 8..count).step_by(WORD) {
        let step = (count - at).min(WORD);
        put(to, at, step, load(source, shift + at, step));
    }
}

/// Returns whether two runs of `count` bits are equal.
pub(crate) fn same(one: (&[u8], usize), other: (&[u8], usize), count: usize) -> bool {
    (0..count).step_by(WORD).all(|done| {
        let step = (count - done).min(WORD);
        load(one.0, one.1 + done, step) == load(other.0, other.1 + done, step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one bit.
    fn bit(bytes: &[u8], at: usize) -> bool {
        bytes[at / 8] >> (at % 8) & 1 == 1
    }

    const SOURCE: [u8; 24] = [
        0x1d, 0xc3, 0x55, 0xaa, 0x01, 0x80, 0xff, 0x00, 0x37, 0x9b, 0x42, 0xe8, 0x6c, 0x15, 0xf0, 0x0f, 0x81,
        0x7e, 0x24, 0xdb, 0x99, 0x66, 0x3c, 0xc3,
    ];

    #[test]
    fn words_at_every_position_equal_single_bits() {
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
    fn copies_between_any_two_positions_equal_single_bits() {
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
    fn replacing_keeps_other_bits() {
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
    fn bits_outside_the_slice_are_dropped() {
        let mut bytes = [0; 2];
        put(&mut bytes, 12, 64, u64::MAX);
        assert_eq!(bytes, [0, 0xf0]);
        put(&mut bytes, 99, 64, u64::MAX);
        replace(&mut bytes, 12, 64, 0);
        assert_eq!(bytes, [0, 0]);
    }
}

//! Arrays as views into the packet. They allocate nothing, and all their bits are within the packet.

use core::fmt;
use core::marker::PhantomData;

use super::Number;
use crate::shared::bits;
use crate::shared::payload::Payload;

/// The numbers of an array.
#[derive(Clone, Copy)]
pub struct Numbers<'a, N> {
    payload: Payload<'a>,
    number: PhantomData<N>,
}

impl<'a, N: Number> Numbers<'a, N> {
    /// Creates an array of all bits of `payload`.
    pub(crate) const fn new(payload: Payload<'a>) -> Self {
        Self { payload, number: PhantomData }
    }

    /// Copies as many numbers as possible to the front of `values`.
    #[inline]
    pub fn copy_to(self, values: &mut [N]) {
        if let Some(bytes) = N::as_bytes_mut(values) {
            let all = self.payload;
            let count = bytes.len().wrapping_mul(8);
            if all.bit_len() >= count {
                // A slice of constant length makes the number of bits constant, too.
                bits::copy_to_front(bytes, all.source(), all.start(), count);
                return;
            }
            let end = all.start().saturating_add(bytes.len().saturating_mul(8)).min(all.end());
            Payload::known(all.source(), all.start(), end).copy_to(bytes);
            return;
        }
        values.iter_mut().zip(self).for_each(|(value, number)| *value = number);
    }
}

impl<N: Number> Iterator for Numbers<'_, N> {
    type Item = N;

    #[inline]
    fn next(&mut self) -> Option<N> {
        let (source, start, end) = (self.payload.source(), self.payload.start(), self.payload.end());
        let next = start.saturating_add(N::BITS);
        (next <= end).then(|| {
            self.payload = Payload::within(source, next, end);
            N::from_bits(bits::load(source, start, N::BITS))
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.payload.bit_len().checked_div(N::BITS).unwrap_or_default();
        (left, Some(left))
    }
}

impl<N: Number> ExactSizeIterator for Numbers<'_, N> {}

impl<N: Number + fmt::Debug> fmt::Debug for Numbers<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

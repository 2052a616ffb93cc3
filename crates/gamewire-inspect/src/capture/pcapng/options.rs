//! The options at the end of a block: code, length, value, padding to four bytes.

use super::super::error::Damage;
use super::super::order::Order;

/// Ends a list of options; so does the end of the block.
const END: u16 = 0;

/// The options in `rest`, each as its code and value; damage ends them.
pub(super) struct Options<'a> {
    pub(super) order: Order,
    pub(super) rest: &'a [u8],
}

impl<'a> Iterator for Options<'a> {
    type Item = Result<(u16, &'a [u8]), Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        let code = self.order.u16(self.rest, 0)?;
        if code == END {
            self.rest = &[];
            return None;
        }
        let length = usize::from(self.order.u16(self.rest, 2)?);
        let (_, body) = self.rest.split_at_checked(4)?;
        let Some((value, padded)) = body.split_at_checked(length) else {
            self.rest = &[];
            return Some(Err(Damage::OptionLength { code, length, available: body.len() }));
        };
        // The last option's padding may be missing: nothing follows it.
        let padding = length.next_multiple_of(4).saturating_sub(length);
        self.rest = padded.get(padding..).unwrap_or_default();
        Some(Ok((code, value)))
    }
}

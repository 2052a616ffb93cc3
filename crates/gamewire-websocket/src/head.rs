/// Maximum bytes of the head of an upgrade request or response.
pub const MAX_HEAD_BYTES: usize = 8 << 10;

/// Maximum lines of a head, without the first.
pub(crate) const MAX_HEADERS: usize = 64;

/// The bytes that end a head.
const END: &[u8] = b"\r\n\r\n";

/// A buffer that collects the head of an HTTP message from the bytes of a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadBuffer {
    bytes: Vec<u8>,
}

/// The head is longer than [`MAX_HEAD_BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadTooLong;

impl HeadBuffer {
    pub(crate) const fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Moves bytes from the front of `data` until the head is complete, and returns it then.
    pub(crate) fn read(&mut self, data: &mut &[u8]) -> Result<Option<&[u8]>, HeadTooLong> {
        // The end may be split between the old and the new bytes.
        let old = self.bytes.len();
        let searched = old.saturating_sub(END.len());
        let room = MAX_HEAD_BYTES.saturating_sub(old);
        let (part, _) = data.split_at(room.min(data.len()));
        self.bytes.extend_from_slice(part);
        let unsearched = self.bytes.get(searched..).unwrap_or_default();
        let end = unsearched.windows(END.len()).position(|bytes| bytes == END);
        let Some(end) = end.map(|at| searched.saturating_add(at).saturating_add(END.len())) else {
            *data = data.get(part.len()..).unwrap_or_default();
            return if self.bytes.len() >= MAX_HEAD_BYTES { Err(HeadTooLong) } else { Ok(None) };
        };
        *data = data.get(end.saturating_sub(old)..).unwrap_or_default();
        self.bytes.truncate(end);
        Ok(Some(&self.bytes))
    }
}

/// Returns the value of the only header with this name; `None` if there is none, or several.
pub(crate) fn only_value<'h>(headers: &[httparse::Header<'h>], name: &str) -> Option<&'h [u8]> {
    let mut values = headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    let value = values.next()?.value;
    if values.next().is_some() { None } else { Some(value) }
}

/// Returns whether a header with this name lists a word, in any case.
pub(crate) fn has_word(headers: &[httparse::Header<'_>], name: &str, word: &str) -> bool {
    let values = headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    let mut words = values.flat_map(|header| header.value.split(|byte| *byte == b','));
    words.any(|listed| listed.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
}

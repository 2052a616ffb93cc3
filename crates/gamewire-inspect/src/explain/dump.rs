//! Hex dumps of xxd, `hexdump -C`, od, tcpdump and Wireshark: an offset, bytes, and optionally their characters.

/// Maximum number of bytes in a line.
const MAX_LINE: usize = 64;

struct Line<'a> {
    offset: usize,
    /// The offset ends with one space, as in the output of od, so that it may also be one of the bytes.
    is_loose: bool,
    bytes: Vec<u8>,
    /// The previous line is `*`: the line above it is repeated up to this one.
    is_after_star: bool,
    rest: &'a str,
}

/// Returns the bytes of a hex dump; `None` if a line is not one of a dump.
pub(super) fn parse(text: &str, max_bytes: usize) -> Option<Vec<u8>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut is_after_star = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "*" {
            is_after_star = true;
        } else {
            lines.push(Line { is_after_star, ..Line::parse(line)? });
            is_after_star = false;
        }
    }
    let first = lines.first()?.offset;
    let mut all: Vec<u8> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let at = line.offset.checked_sub(first)?;
        if line.is_loose && !line.is_after_star && (first > 0 || at != all.len()) {
            return None;
        }
        if line.is_after_star {
            let repeated =
                all.get(all.len().checked_sub(lines.get(index.checked_sub(1)?)?.bytes.len())?..)?;
            let repeated: Vec<u8> = repeated.to_vec();
            while !repeated.is_empty() && all.len() < at && all.len() <= max_bytes {
                all.extend_from_slice(&repeated);
            }
        }
        // The next offset shows how many of the words are bytes.
        let next = lines.get(index.saturating_add(1)).filter(|next| !next.is_after_star);
        let length = next.and_then(|next| next.offset.checked_sub(line.offset));
        let known = length.filter(|length| *length > 0 && *length <= line.bytes.len());
        let count = known.unwrap_or(line.bytes.len());
        all.extend_from_slice(line.bytes.get(..count)?);
    }
    let has_bytes = !all.is_empty();
    has_bytes.then_some(all)
}

impl<'a> Line<'a> {
    /// Parses an offset and the bytes after it.
    fn parse(line: &'a str) -> Option<Self> {
        let (digits, rest) = line.split_once([' ', '\t', ':']).unwrap_or((line, ""));
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        let is_loose = line.contains(' ') && !line.contains(':') && !rest.starts_with([' ', '\t']);
        let min_digits = if is_loose { 6 } else { 4 };
        if !(min_digits..=8).contains(&digits.len()) {
            return None;
        }
        let offset = usize::from_str_radix(digits, 16).ok()?;
        let mut line = Self { offset, is_loose, bytes: Vec::new(), is_after_star: false, rest };
        while line.bytes.len() < MAX_LINE && !line.is_rest_text() && line.take_word() {}
        Some(line)
    }

    /// Moves the next word to the bytes. Returns false if it is not one or two bytes.
    fn take_word(&mut self) -> bool {
        let rest = self.rest.trim_start();
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let digits: Option<Vec<u8>> =
            word.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
        let Some(digits) = digits.filter(|digits| matches!(digits.len(), 2 | 4)) else { return false };
        let (pairs, _) = digits.as_chunks::<2>();
        self.bytes.extend(pairs.iter().map(|[high, low]| high << 4 | low));
        self.rest = after;
        true
    }

    /// Returns whether the rest of the line is the bytes as characters.
    fn is_rest_text(&self) -> bool {
        let rest = self.rest.trim();
        let rest =
            rest.strip_prefix(['|', '>']).and_then(|rest| rest.strip_suffix(['|', '<'])).unwrap_or(rest);
        let shown: String = self.bytes.iter().map(|byte| shown(*byte)).collect();
        !rest.is_empty() && rest.replace('·', ".").trim() == shown.trim()
    }
}

/// Returns a byte as dumps show it.
const fn shown(byte: u8) -> char {
    if byte.is_ascii_graphic() || byte == b' ' { byte as char } else { '.' }
}

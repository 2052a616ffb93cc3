//! Lists of numbers in programs and logs, such as `[16, 0, 255]` or `{ 0x10, 0x0 }`.

/// Returns the bytes of a list; `None` if the text is not a list of numbers from -128 to 255.
///
/// Numbers of two digits can be decimal or hexadecimal. They are decimal in brackets, or next to numbers of another
/// length.
pub(super) fn parse(text: &str) -> Option<Vec<u8>> {
    let opened = text.find('{').or_else(|| text.find('['));
    let inner = opened.and_then(|start| text.get(start.saturating_add(1)..));
    let inner = inner.map(|inner| inner.rfind([']', '}']).and_then(|end| inner.get(..end)).unwrap_or(inner));
    let is_list = inner.is_some() && text.contains(',');
    let words = inner.unwrap_or(text).split([',', ';']).flat_map(str::split_whitespace);
    let words: Vec<&str> = words.collect();
    let is_hex = |word: &&str| word.starts_with("0x") || word.starts_with("0X");
    if words.iter().all(is_hex) {
        return words.iter().map(|word| u8::from_str_radix(word.get(2..)?, 16).ok()).collect();
    }
    let is_padded = words.iter().any(|word| word.len() == 2 && word.starts_with('0'));
    let has_other_lengths = words.iter().any(|word| word.len() != 2);
    if words.len() < 2 || is_padded || !(is_list || has_other_lengths) {
        return None;
    }
    let byte = |word: &&str| {
        let number: i16 = word.parse().ok()?;
        // Java and C# have signed bytes.
        u8::try_from(number).ok().or_else(|| i8::try_from(number).ok().map(i8::cast_unsigned))
    };
    words.iter().map(byte).collect()
}

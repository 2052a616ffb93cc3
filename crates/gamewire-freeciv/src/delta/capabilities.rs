/// The capabilities that choose variants and that both sides have: `ours` and `theirs` are
/// capability strings, words between blanks or commas, a mandatory one with `+` in front.
///
/// `functional` are those that the definition names. The cost is bounded by those and by the
/// length of the strings.
#[must_use]
pub fn active_capabilities<'f>(functional: &'f [String], ours: &str, theirs: &str) -> Vec<&'f str> {
    functional.iter().map(String::as_str).filter(|name| has(ours, name) && has(theirs, name)).collect()
}

fn has(list: &str, name: &str) -> bool {
    let mut words = list.split(|c: char| c == ',' || c.is_ascii_whitespace());
    words.any(|word| word.strip_prefix('+').unwrap_or(word) == name)
}

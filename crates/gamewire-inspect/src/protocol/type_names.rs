use super::FieldValues;

/// Describes a type of a protocol's definition for people who do not know the types of its decoder:
/// `Option<Text<'a>> as Sanitize::Lines` is `text, optional`, `i32 as 0..=60` is `integer 0..=60`.
pub(super) fn describe_type(kind: &str) -> String {
    let (ty, rule) = kind.split_once(" as ").unwrap_or((kind, ""));
    let ty = ty.trim();
    if let Some(inner) = argument(ty, "Option") {
        return format!("{}, optional", with_range(&one(inner), rule));
    }
    with_range(&one(ty), rule)
}

/// Returns the values of a field without a [`Shape`](gamewire_wire::Shape), by its type in the definition.
pub(super) fn values_of(kind: &str) -> FieldValues {
    let kind = kind.strip_prefix("list of ").unwrap_or(kind);
    match kind.trim_matches(['[', ']']).split('<').next().unwrap_or(kind) {
        // Teeworlds has no other integers.
        "i32" | "u8" | "u16" | "u32" => FieldValues::Int(32),
        "Byte" => FieldValues::Uint(8),
        "Ushort" | "MessageId" => FieldValues::Uint(16),
        "integer" | "Short" => FieldValues::Int(64),
        "f32" | "number" | "milliseconds" => FieldValues::Float,
        "bool" | "Bool" | "bit" | "boolean" => FieldValues::Bool,
        "Text" | "text" | "Uuid" => FieldValues::Text,
        "Bytes" | "Rest" | "Payload" | "bytes" => FieldValues::Bytes,
        // Header fields, such as "10 or 12 bits", and the prefixes of Riptide's frames.
        kind if kind.ends_with(" bits") || kind.contains("signed") => FieldValues::Int(64),
        _ => FieldValues::Other,
    }
}

/// Returns whether a type in the definition is a list or array.
pub(super) fn is_list(kind: &str) -> bool {
    ["[", "List<", "Texts<", "list of "].iter().any(|start| kind.starts_with(start))
}

/// Joins the lines of a doc comment.
pub(super) fn joined(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the words for a type without its rule.
fn one(ty: &str) -> String {
    if let Some(member) = argument(ty, "List") {
        return format!("list of {}", one(member));
    }
    if let Some(count) = argument(ty, "Texts") {
        return format!("{count} texts");
    }
    if let Some(inner) = ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']')) {
        return match inner.rsplit_once(';') {
            Some((member, count)) => format!("{} {}s", count.trim(), one(member)),
            None => format!("list of {}", one(inner)),
        };
    }
    let name = ty.split('<').next().unwrap_or(ty).trim();
    match name {
        "bool" => "boolean".into(),
        "i32" | "u8" | "u16" | "u32" | "BigEndian16" => "integer".into(),
        "f32" => "number".into(),
        "IntText" => "text".into(),
        "Decimal" => "integer in text".into(),
        "Numbers" => "numbers".into(),
        "Rest" | "SizedData" | "Padding" => "bytes".into(),
        "Sha256" => "sha256".into(),
        name => spaced(name),
    }
}

/// Returns the last argument between the angle brackets if `ty` is `name<...>`.
fn argument<'a>(ty: &'a str, name: &str) -> Option<&'a str> {
    let inner = ty.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>')?;
    Some(inner.strip_prefix("'a,").unwrap_or(inner).trim())
}

/// Adds the bounds of a rule, except those that equal the limits of the integer type.
fn with_range(words: &str, rule: &str) -> String {
    match rule.split_once("..=").map(|(least, most)| (least.trim(), most.trim())) {
        None | Some(("i32::MIN", "i32::MAX")) => words.into(),
        Some((least, "i32::MAX")) => format!("{words} from {least}"),
        Some((least, most)) => format!("{words} {least}..={most}"),
    }
}

/// Returns `GameStateFlags` as `game state flags`; a version number after a name is left out.
fn spaced(name: &str) -> String {
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
        return name.into();
    }
    let mut words = String::new();
    for letter in name.trim_end_matches(|last: char| last.is_ascii_digit()).chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_described_in_words() {
        for (kind, words) in [
            ("Text<'a>", "text"),
            ("Text<'a> as Sanitize::Lines", "text"),
            ("Option<Text<'a>> as Sanitize::Lines", "text, optional"),
            ("Option<i32>", "integer, optional"),
            ("List<'a, Text<'a>>", "list of text"),
            ("List<'a, Client06<'a>>", "list of client"),
            ("List<'a, ServerAddress>", "list of server address"),
            ("Texts<'a, 6>", "6 texts"),
            ("[bool; 6]", "6 booleans"),
            ("[IntText<6>; 6]", "6 texts"),
            ("[i32]", "list of integer"),
            ("IntText<4>", "text"),
            ("Rest<'a>", "bytes"),
            ("Uuid", "uuid"),
            ("Sha256", "sha256"),
            ("Token", "token"),
            ("f32", "number"),
            ("GameStateFlags", "game state flags"),
        ] {
            assert_eq!(describe_type(kind), words, "{kind}");
        }
    }

    #[test]
    fn only_bounds_that_restrict_the_type_are_described() {
        for (kind, words) in [
            ("i32 as 0..=60", "integer 0..=60"),
            ("i32 as -1..=63", "integer -1..=63"),
            ("i32 as 0..=i32::MAX", "integer from 0"),
            ("LaserKind as i32::MIN..=i32::MAX", "laser kind"),
            ("List<'a, i32> as 0..=128", "list of integer 0..=128"),
            ("Tick as FROM_ZERO", "tick"),
        ] {
            assert_eq!(describe_type(kind), words, "{kind}");
        }
    }

    #[test]
    fn types_in_words_stay_as_they_are() {
        for words in ["bit", "10 or 12 bits", "4 bytes"] {
            assert_eq!(describe_type(words), words);
        }
    }
}

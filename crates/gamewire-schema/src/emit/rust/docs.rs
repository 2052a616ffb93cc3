//! The documentation of generated code.

/// Escapes text, so that rustdoc shows it without links, tags or emphasis. The derive removes the backslashes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        match c {
            '`' => {
                in_code = !in_code;
                escaped.push(c);
            }
            '[' | ']' | '<' | '>' | '*' | '_' | '\\' if !in_code => escaped.extend(['\\', c]),
            '\n' => escaped.push(c),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns the documentation of a file of packets about one topic.
pub(super) fn topic(name: &str, doc: &str) -> String {
    match (name, doc) {
        ("", "") => "The packets.".into(),
        (name, "") => format!("Packets about {}.", name.replace('_', " ")),
        (_, doc) => escaped(doc),
    }
}

//! Subjects of NATS. Their parts are joined by dots.

/// The first part of all subjects.
pub(super) const PREFIX: &str = "gamewire";
/// Maximum bytes of a name that are used.
const MAX_NAME: usize = 64;

/// Returns a name as one part of a subject. Bytes other than letters, digits, - and _ become `=` and two digits, so
/// that no name reaches another subject.
pub(super) fn part(name: &str) -> String {
    let name = if name.is_empty() { "_" } else { name };
    let mut part = String::new();
    for byte in name.bytes().take(MAX_NAME) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => part.push(char::from(byte)),
            other => part.push_str(&format!("={other:02x}")),
        }
    }
    part
}

/// Returns the subject of the state of a proxy.
pub(super) fn state(name: &str) -> String {
    format!("{PREFIX}.{}.state", part(name))
}

/// Returns the subject of the records of a proxy.
pub(super) fn records(name: &str) -> String {
    format!("{PREFIX}.{}.records", part(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g7_no_name_reaches_another_subject() {
        for (name, expected) in [
            ("proxy-1_a", "proxy-1_a"),
            ("*", "=2a"),
            (">", "=3e"),
            ("a.state gamewire", "a=2estate=20gamewire"),
            ("", "_"),
            ("127.0.0.1:1", "127=2e0=2e0=2e1=3a1"),
            ("\r\nPUB x 1\r\n", "=0d=0aPUB=20x=201=0d=0a"),
        ] {
            assert_eq!(part(name), expected);
        }
        assert!(part(&"é".repeat(1_000)).len() <= MAX_NAME * 3);
        assert_eq!(state("a.b"), "gamewire.a=2eb.state");
    }
}

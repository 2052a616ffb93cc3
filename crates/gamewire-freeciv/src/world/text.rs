//! Text of the server without what is meant for menus and windows.

/// The text without marks of colours and fonts; a link becomes the name of what it links to.
pub(crate) fn without_marks(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut plain = String::with_capacity(text.len());
    let mut rest: &str = &text;
    while let Some((before, from_mark)) = split_at_mark(rest) {
        plain.push_str(before);
        let Some((mark, after)) = from_mark.split_once(']') else {
            plain.push('[');
            rest = from_mark;
            break;
        };
        match shown(mark) {
            Some(name) => {
                plain.push_str(name);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = from_mark;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// A name of the ruleset as it is shown: without the place of a menu's underlined letter and
/// without the hint for translators in front of it.
pub(crate) fn shown_name(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let name = match text.strip_prefix('?').and_then(|hinted| hinted.split_once(':')) {
        Some((_, name)) => name,
        None => &text,
    };
    name.replace("%s", "")
}

fn split_at_mark(text: &str) -> Option<(&str, &str)> {
    text.split_once('[')
}

/// What stands for a mark in plain text, if it is one.
fn shown(mark: &str) -> Option<&str> {
    let inner = mark.trim_start_matches('/');
    let word = inner.split([' ', '=']).next().unwrap_or_default();
    match word {
        "l" | "link" => {
            Some(inner.split_once("name=\"").and_then(|(_, name)| name.split('"').next()).unwrap_or_default())
        }
        "b" | "bold" | "c" | "color" | "i" | "italic" | "s" | "strike" | "u" | "underline" => Some(""),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_links_become_names() {
        let text = br##"[c fg="#8B0000"]You have founded [l tgt="city" id=121 name="Roma" /].[/c]"##;
        assert_eq!(without_marks(text), "You have founded Roma.");
    }

    #[test]
    fn brackets_that_are_no_marks_stay() {
        for text in ["[x] or [", "a[", "]][[", "[1] [two] three"] {
            assert_eq!(without_marks(text.as_bytes()), text);
        }
    }

    #[test]
    fn names_lose_what_is_for_translators_and_menus() {
        assert_eq!(shown_name(b"?unit:Workers"), "Workers");
        assert_eq!(shown_name(b"%sBuild City%s"), "Build City");
        assert_eq!(shown_name(b"Why?:not"), "Why?:not");
    }
}

use crate::number::Event;
use crate::packets::{ChatMsg, EarlyChatMsg};

/// A message from the server: chat, news or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Message {
    /// The kind of event.
    pub event: Event,
    /// The text without color and font markup. Links are replaced by their names.
    pub text: String,
    /// The tile of the event.
    pub tile: Option<i32>,
    /// The turn of the event.
    pub turn: i16,
    /// The connection that sent it.
    pub connection: Option<i16>,
}

impl Message {
    /// Creates the message of a packet from before the game.
    pub fn early(message: &EarlyChatMsg) -> Self {
        let EarlyChatMsg { message, tile, event, turn, phase, conn_id } = message.clone();
        Self::new(&ChatMsg { message, tile, event, turn, phase, conn_id })
    }

    /// Creates the message of a packet.
    pub fn new(message: &ChatMsg) -> Self {
        Self {
            event: Event(message.event),
            text: without_markup(&message.message),
            tile: (message.tile >= 0).then_some(message.tile),
            turn: message.turn,
            connection: (message.conn_id >= 0).then_some(message.conn_id),
        }
    }
}

/// Returns the text without color and font markup. Links are replaced by their names.
pub(crate) fn without_markup(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut plain = String::with_capacity(text.len());
    let mut rest: &str = &text;
    while let Some((before, from_tag)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((tag, after)) = from_tag.split_once(']') else {
            plain.push('[');
            rest = from_tag;
            break;
        };
        match tag_text(tag) {
            Some(name) => {
                plain.push_str(name);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = from_tag;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Returns a ruleset name in the form for display: without the mark of a menu shortcut and without the translation
/// context at its start.
pub(crate) fn shown_name(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let name = match text.strip_prefix('?').and_then(|hinted| hinted.split_once(':')) {
        Some((_, name)) => name,
        None => &text,
    };
    name.replace("%s", "")
}

/// Returns the plain text that replaces a tag, or `None` if it is not a tag.
fn tag_text(tag: &str) -> Option<&str> {
    let inner = tag.trim_start_matches('/');
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
    fn markup_is_removed_and_links_become_names() {
        let text = br##"[c fg="#8B0000"]You have founded [l tgt="city" id=121 name="Roma" /].[/c]"##;
        assert_eq!(without_markup(text), "You have founded Roma.");
    }

    #[test]
    fn brackets_that_are_not_tags_are_kept() {
        for text in ["[x] or [", "a[", "]][[", "[1] [two] three"] {
            assert_eq!(without_markup(text.as_bytes()), text);
        }
    }

    #[test]
    fn displayed_names_have_no_context_and_no_placeholder() {
        assert_eq!(shown_name(b"?unit:Workers"), "Workers");
        assert_eq!(shown_name(b"%sBuild City%s"), "Build City");
        assert_eq!(shown_name(b"Why?:not"), "Why?:not");
    }
}

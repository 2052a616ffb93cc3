use super::change::Changes;
use super::message::without_markup;
use crate::number::Event;
use crate::packets::{Packet, PageMsg};

/// A page of text from the server: a report, the introduction of a scenario, or a message for new connections.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Page {
    /// The kind of event; `None` for a message for new connections.
    pub event: Option<Event>,
    /// The caption. It may be empty.
    pub caption: String,
    /// The headline. It may be empty.
    pub headline: String,
    /// The text without color and font markup.
    pub text: String,
}

/// A page that is not complete yet.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct PageParts {
    page: PageMsg,
    text: Vec<u8>,
    missing: u16,
}

/// Maximum length of a page's text in bytes. The text after it is dropped.
const MAX_TEXT: usize = 1 << 20;

/// Applies a packet about pages. Returns false for other packets.
pub(super) fn apply(parts: &mut Option<PageParts>, packet: &Packet<'_>, changes: &mut Changes) -> bool {
    match packet {
        Packet::PageMsg(it) => {
            *parts = Some(PageParts { page: (*it).clone(), text: Vec::new(), missing: it.parts });
        }
        Packet::PageMsgPart(it) => {
            let Some(PageParts { text, missing, .. }) = parts else { return true };
            let room = MAX_TEXT.saturating_sub(text.len());
            text.extend(it.lines.iter().take(room));
            *missing = missing.saturating_sub(1);
        }
        Packet::ConnectMsg(it) => {
            let text = without_markup(&it.message);
            changes.push_page(Page { event: None, caption: String::new(), headline: String::new(), text });
            return true;
        }
        _ => return false,
    }
    if let Some(PageParts { page, text, .. }) = parts.take_if(|parts| parts.missing == 0) {
        changes.push_page(Page {
            event: Some(Event(page.event)),
            caption: page.caption.to_str_lossy().into_owned(),
            headline: page.headline.to_str_lossy().into_owned(),
            text: without_markup(&text),
        });
    }
    true
}

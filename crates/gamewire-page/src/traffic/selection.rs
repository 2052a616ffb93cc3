use std::cell::LazyCell;
use std::sync::Arc;

use gamewire_inspect::filter::Filter;

use super::packet::StoredPacket;

/// A selection of packets. A packet must meet all conditions that are set.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The filter must match the packet.
    pub filter: Option<Arc<Filter>>,
    /// The packet must belong to the conversation with this number.
    pub conversation: Option<u64>,
    /// The packet must have this property.
    pub only: Option<Only>,
}

/// A property of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// The packet could not be decoded completely.
    Errors,
    /// The packet has a warning.
    Warnings,
    /// The link lost the packet.
    Lost,
    /// The packet has a message that was already sent.
    Resent,
    /// The packet has a chat message.
    Chat,
}

/// Names of chat messages in all protocols.
const CHAT: [&str; 5] = ["say", "chat", "chat_msg", "early_chat_msg", "chat_msg_req"];

impl Only {
    /// Returns the property with this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "errors" => Self::Errors,
            "warnings" => Self::Warnings,
            "lost" => Self::Lost,
            "resent" => Self::Resent,
            "chat" => Self::Chat,
            _ => return None,
        })
    }
}

impl Selection {
    /// Returns whether a packet is selected.
    pub fn holds(&self, packet: &StoredPacket) -> bool {
        if self.conversation.is_some_and(|wanted| packet.info.conversation != wanted) {
            return false;
        }
        let record = LazyCell::new(|| packet.record());
        let happened = match self.only {
            None => true,
            Some(Only::Errors) => packet.has_error(),
            Some(Only::Warnings) => packet.has_warning(),
            Some(Only::Lost) => packet.delivery.is_lost,
            Some(Only::Resent) => packet.delivery.resent.is_some(),
            Some(Only::Chat) => record.nodes().any(|node| CHAT.contains(&node.name())),
        };
        happened && self.filter.as_ref().is_none_or(|filter| filter.holds(packet.meta(), &record))
    }
}

use std::sync::Arc;

use gamewire_inspect::filter::Filter;

use super::packet::StoredPacket;

/// Which packets a reader wants.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// A condition.
    pub filter: Option<Arc<Filter>>,
    /// A conversation.
    pub conversation: Option<u64>,
    /// Something that happened to the packet.
    pub only: Option<Only>,
}

/// Something that happened to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// It could not be decoded.
    Errors,
    /// It has a warning.
    Warnings,
    /// The link lost it.
    Lost,
    /// It has a message that was sent before.
    Resent,
    /// It has a line of chat.
    Chat,
}

/// Messages with a line of chat, in all protocols.
const CHAT: [&str; 5] = ["say", "chat", "chat_msg", "early_chat_msg", "chat_msg_req"];

impl Only {
    /// Returns the one with this name.
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
    /// Returns whether a packet is wanted.
    pub fn holds(&self, packet: &StoredPacket) -> bool {
        if self.conversation.is_some_and(|wanted| packet.info.conversation != wanted) {
            return false;
        }
        let happened = match self.only {
            None => true,
            Some(Only::Errors) => packet.has_error(),
            Some(Only::Warnings) => packet.has_warning(),
            Some(Only::Lost) => packet.delivery.is_lost,
            Some(Only::Resent) => packet.delivery.resent.is_some(),
            Some(Only::Chat) => packet.record().nodes().any(|node| CHAT.contains(&node.name())),
        };
        happened && self.filter.as_ref().is_none_or(|filter| filter.holds(packet.meta(), &packet.record()))
    }
}

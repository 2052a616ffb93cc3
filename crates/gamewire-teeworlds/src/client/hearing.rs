//! What a server says outside of the login: it is answered, or told to the application.

use super::context::Context;
use super::stage::LoginState;
use super::{Event, MapInfo};
use crate::link::InboundChunk;
use crate::session::message::{ClientMessage, ServerMessage};
use crate::shared::extended::names;
use crate::shared::pack::Text;

/// Takes one message. What cannot be read, or does not belong here, is counted and goes by.
pub(super) fn handle_chunk(chunk: InboundChunk<'_>, stage: &mut LoginState, context: &mut Context<'_>) {
    let word = match context.dialect().decode_server_message(chunk.content) {
        Ok(word) => word,
        Err(error) => {
            context.desk.counts.undecodable = context.desk.counts.undecodable.saturating_add(1);
            return context.emit(Event::Undecodable(error));
        }
    };
    if must_be_vital(&word) && !chunk.vital {
        context.desk.counts.unexpected = context.desk.counts.unexpected.saturating_add(1);
    } else if let Some(event) = to_event(&word, stage) {
        context.emit(event);
    } else if !auto_reply(&word, context) {
        stage.handle_message(&word, context);
    }
}

/// Whether a message counts only if it was sent as vital. What was not may come twice.
const fn must_be_vital(word: &ServerMessage<'_>) -> bool {
    !matches!(
        word,
        ServerMessage::Snapshot(_)
            | ServerMessage::InputTiming { .. }
            | ServerMessage::Ping
            | ServerMessage::PingReply
            | ServerMessage::PingEx(_)
            | ServerMessage::PongEx(_)
            | ServerMessage::WhatIs(_)
            | ServerMessage::Other
    )
}

/// Answers a message that may come at any time; whether it was one.
fn auto_reply(word: &ServerMessage<'_>, context: &mut Context<'_>) -> bool {
    let answered = match *word {
        ServerMessage::Ping => context.send_nonvital(&ClientMessage::PingReply),
        ServerMessage::PingEx(id) => context.send_nonvital(&ClientMessage::PongEx(id)),
        ServerMessage::WhatIs(uuid) => match names::name_of(uuid) {
            Some(name) => context.send_vital(&ClientMessage::ItIs { uuid, name: Text::new(name) }),
            None => context.send_vital(&ClientMessage::IDontKnow(uuid)),
        },
        ServerMessage::MapDetails { map, url } => {
            context.line.details = Some(MapInfo {
                name: map.name.into(),
                crc: map.crc,
                size: map.size,
                sha256: map.sha256,
                url: url.map(Into::into),
            });
            Ok(())
        }
        ServerMessage::PingReply
        | ServerMessage::PongEx(_)
        | ServerMessage::VoteClearOptions
        | ServerMessage::Other => Ok(()),
        _ => return false,
    };
    context.count_failure(answered);
    true
}

/// The event that a message is, if the application is only to be told of it.
fn to_event(word: &ServerMessage<'_>, stage: &LoginState) -> Option<Event> {
    Some(match *word {
        ServerMessage::RconAuth { granted } => Event::RconAuth { granted },
        ServerMessage::RconLine(line) => Event::RconLine(line.into()),
        ServerMessage::Capabilities { version, flags } => Event::Capabilities { version, flags },
        ServerMessage::Reconnect => Event::Reconnect,
        ServerMessage::Redirect { port } => Event::Redirect { port: u16::try_from(port).ok()? },
        ServerMessage::Motd(text) => Event::Motd(text.into()),
        ServerMessage::Broadcast(text) => Event::Broadcast(text.into()),
        ServerMessage::Chat { from, audience, text } => {
            let name = from.and_then(|from| stage.name_of(from)).cloned();
            Event::Chat { from, audience, name, text: text.into() }
        }
        ServerMessage::Kill { killer, victim, weapon } => Event::Kill { killer, victim, weapon },
        ServerMessage::Emoticon { from, emoticon } => Event::Emoticon { from, emoticon },
        ServerMessage::VoteSet { timeout, description, reason } => {
            Event::VoteSet { timeout, description: description.into(), reason: reason.into() }
        }
        ServerMessage::VoteStatus { yes, no, total } => Event::VoteStatus { yes, no, total },
        _ => return None,
    })
}

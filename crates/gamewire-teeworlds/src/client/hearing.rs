//! What a server says outside of the login: it is answered, or told to the application.

use super::context::Context;
use super::stage::Stage;
use super::{Event, NeededMap};
use crate::link::Incoming;
use crate::session::decode_from_server;
use crate::session::message::{FromClient, FromServer};
use crate::shared::extended::names;
use crate::shared::pack::Text;

/// Takes one message. What cannot be read, or does not belong here, is counted and goes by.
pub(super) fn handle_chunk(chunk: Incoming<'_>, stage: &mut Stage, context: &mut Context<'_>) {
    let word = match decode_from_server(context.dialect(), chunk.content) {
        Ok(word) => word,
        Err(error) => {
            context.desk.counts.undecodable = context.desk.counts.undecodable.saturating_add(1);
            return context.tell(Event::Undecodable(error));
        }
    };
    if must_be_vital(&word) && !chunk.vital {
        context.desk.counts.out_of_place = context.desk.counts.out_of_place.saturating_add(1);
    } else if let Some(event) = event_of(&word, stage) {
        context.tell(event);
    } else if !answer(&word, context) {
        stage.hear(&word, context);
    }
}

/// Whether a message counts only if it was sent as vital. What was not may come twice.
const fn must_be_vital(word: &FromServer<'_>) -> bool {
    !matches!(
        word,
        FromServer::Snapshot(_)
            | FromServer::InputTiming { .. }
            | FromServer::Ping
            | FromServer::PingReply
            | FromServer::PingEx(_)
            | FromServer::PongEx(_)
            | FromServer::WhatIs(_)
            | FromServer::Other
    )
}

/// Answers a message that may come at any time; whether it was one.
fn answer(word: &FromServer<'_>, context: &mut Context<'_>) -> bool {
    let answered = match *word {
        FromServer::Ping => context.say_once(&FromClient::PingReply),
        FromServer::PingEx(id) => context.say_once(&FromClient::PongEx(id)),
        FromServer::WhatIs(uuid) => match names::name_of(uuid) {
            Some(name) => context.say(&FromClient::ItIs { uuid, name: Text::new(name) }),
            None => context.say(&FromClient::IDontKnow(uuid)),
        },
        FromServer::MapDetails { map, url } => {
            context.line.details = Some(NeededMap {
                name: map.name.into(),
                crc: map.crc,
                size: map.size,
                sha256: map.sha256,
                url: url.map(Into::into),
            });
            Ok(())
        }
        FromServer::PingReply | FromServer::PongEx(_) | FromServer::VoteClearOptions | FromServer::Other => {
            Ok(())
        }
        _ => return false,
    };
    context.count(answered);
    true
}

/// The event that a message is, if the application is only to be told of it.
fn event_of(word: &FromServer<'_>, stage: &Stage) -> Option<Event> {
    Some(match *word {
        FromServer::RconAuth { granted } => Event::RconAuth { granted },
        FromServer::RconLine(line) => Event::RconLine(line.into()),
        FromServer::Capabilities { version, flags } => Event::Capabilities { version, flags },
        FromServer::Reconnect => Event::Reconnect,
        FromServer::Redirect { port } => Event::Redirect { port: u16::try_from(port).ok()? },
        FromServer::Motd(text) => Event::Motd(text.into()),
        FromServer::Broadcast(text) => Event::Broadcast(text.into()),
        FromServer::Chat { from, audience, text } => {
            let name = from.and_then(|from| stage.name_of(from)).cloned();
            Event::Chat { from, audience, name, text: text.into() }
        }
        FromServer::Kill { killer, victim, weapon } => Event::Kill { killer, victim, weapon },
        FromServer::Emoticon { from, emoticon } => Event::Emoticon { from, emoticon },
        FromServer::VoteSet { timeout, description, reason } => {
            Event::VoteSet { timeout, description: description.into(), reason: reason.into() }
        }
        FromServer::VoteStatus { yes, no, total } => Event::VoteStatus { yes, no, total },
        _ => return None,
    })
}

use gamewire_machine::Instant;

use super::ClientState;
use super::context::Context;
use super::state::LoginState;
use super::{Client, Event, MapInfo};
use crate::codec::MessageBuf;
use crate::handshake::ConnectOutcome;
use crate::link::{CloseReason, InboundChunk, LinkInput, PacketError};
use crate::model::message::{ClientMessage, ServerMessage};
use crate::shared::extended;
use crate::shared::pack::Text;

impl Client {
    /// Handles a datagram of the server during the handshake.
    pub(super) fn on_handshake_datagram(&mut self, now: Instant, data: &[u8]) -> Result<(), PacketError> {
        let ClientState::Connecting(connecting) = &mut self.state else { return Err(PacketError::Closed) };
        let outcome = connecting.receive(now, data)?;
        self.shared.clock.advance(now);
        match outcome {
            ConnectOutcome::Waiting => {}
            ConnectOutcome::Online(link) => self.start_session(link),
            ConnectOutcome::OnlineWithMessages(link) => {
                self.start_session(link);
                // An error in the first packet does not close the connection.
                let _ = self.on_datagram(now, data);
            }
            ConnectOutcome::Refused { reason } => self.close(CloseReason::Refused { reason }),
        }
        Ok(())
    }

    /// Handles a datagram of the server on an established connection.
    pub(super) fn on_datagram(&mut self, now: Instant, data: &[u8]) -> Result<(), PacketError> {
        let ClientState::Online(online, state) = &mut self.state else { return Err(PacketError::Closed) };
        let input = online.link.receive(now, data, &mut self.scratch)?;
        let now = self.shared.clock.advance(now);
        let mut context = Context { shared: &mut self.shared, online };
        match input {
            LinkInput::Chunks(chunks) => {
                for chunk in chunks {
                    on_chunk(chunk, state, &mut context);
                }
                state.handle_timeout(&mut context);
                online.request_resend(now);
            }
            LinkInput::KeepAlive => {}
            LinkInput::Control { .. } => context.count_unexpected(),
            LinkInput::Close { reason } => {
                let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
                self.close(CloseReason::PeerClosed { reason });
            }
        }
        Ok(())
    }
}

/// Handles one message. A message that cannot be decoded, or is not valid in this state, is counted and dropped.
fn on_chunk(chunk: InboundChunk<'_>, state: &mut LoginState, context: &mut Context<'_>) {
    let message = match context.dialect().decode_server_message(chunk.content) {
        Ok(message) => message,
        Err(error) => {
            let stats = &mut context.shared.stats;
            stats.undecodable = stats.undecodable.saturating_add(1);
            return context.emit(Event::Undecodable(error));
        }
    };
    if must_be_vital(&message) && !chunk.vital {
        return context.count_unexpected();
    }
    let announcement = context.shared.announced.apply(&message);
    if let Some(announcement) = announcement {
        context.emit(Event::Announced(announcement));
    } else if let ServerMessage::Other(_) = message {
        let (dialect, content) = (context.dialect(), chunk.content.to_vec());
        context.emit(Event::Message(MessageBuf { dialect, vital: chunk.vital, content }));
    } else if let Some(event) = to_event(&message, state) {
        context.shared.lines.is_ddnet |= matches!(event, Event::Capabilities { .. });
        context.emit(event);
    } else if !auto_reply(&message, context) {
        state.on_message(&message, context);
    }
}

/// Returns whether a message is only valid if it was sent as vital. A non-vital message can arrive twice.
const fn must_be_vital(message: &ServerMessage<'_>) -> bool {
    !matches!(
        message,
        ServerMessage::Snapshot(_)
            | ServerMessage::InputTiming { .. }
            | ServerMessage::Ping
            | ServerMessage::PingReply
            | ServerMessage::PingEx(_)
            | ServerMessage::PongEx(_)
            | ServerMessage::WhatIs(_)
            | ServerMessage::Other(_)
    )
}

/// Handles a message that is valid in every state. Returns whether the message is one.
fn auto_reply(message: &ServerMessage<'_>, context: &mut Context<'_>) -> bool {
    let result = match *message {
        ServerMessage::Ping => context.send_nonvital(&ClientMessage::PingReply),
        ServerMessage::PingEx(id) => context.send_nonvital(&ClientMessage::PongEx(id)),
        ServerMessage::WhatIs(uuid) => match extended::name_of(uuid) {
            Some(name) => context.send_vital(&ClientMessage::ItIs { uuid, name: Text::new(name) }),
            None => context.send_vital(&ClientMessage::IDontKnow(uuid)),
        },
        ServerMessage::MapDetails { map, url } => {
            context.online.map_details = Some(MapInfo {
                name: map.name.into(),
                crc: map.crc,
                size: map.size,
                sha256: map.sha256,
                url: url.map(Into::into),
            });
            Ok(())
        }
        ServerMessage::PingReply | ServerMessage::PongEx(_) | ServerMessage::RconType { .. } => Ok(()),
        _ => return false,
    };
    context.count_failure(result);
    true
}

/// Converts a message that only the application handles.
fn to_event(message: &ServerMessage<'_>, state: &LoginState) -> Option<Event> {
    Some(match *message {
        ServerMessage::RconAuth { granted } => Event::RconAuth { granted },
        ServerMessage::RconLine(line) => Event::RconLine(line.into()),
        ServerMessage::Capabilities { version, flags } => Event::Capabilities { version, flags },
        ServerMessage::Reconnect => Event::Reconnect,
        ServerMessage::Redirect { port } => Event::Redirect { port: u16::try_from(port).ok()? },
        ServerMessage::Motd(text) => Event::Motd(text.into()),
        ServerMessage::Broadcast(text) => Event::Broadcast(text.into()),
        ServerMessage::Chat { from, audience, text } => {
            let name = from.and_then(|from| state.name_of(from)).cloned();
            Event::Chat { from, audience, name, text: text.into() }
        }
        ServerMessage::Kill { killer, victim, weapon } => Event::Kill { killer, victim, weapon },
        ServerMessage::Emoticon { from, emoticon } => Event::Emoticon { from, emoticon },
        ServerMessage::VoteSet { timeout, description, reason } => {
            Event::VoteSet { timeout, description: description.into(), reason: reason.into() }
        }
        ServerMessage::VoteStatus { yes, no, total } => Event::VoteStatus { yes, no, total },
        ServerMessage::RaceTime { time, checkpoint, is_finish } => {
            Event::RaceTime { time, checkpoint, is_finish }
        }
        ServerMessage::Checkpoint { difference } => Event::Checkpoint { difference },
        ServerMessage::RaceFinish(race) => Event::RaceFinish(race),
        _ => return None,
    })
}

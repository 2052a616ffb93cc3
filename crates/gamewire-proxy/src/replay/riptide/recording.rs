use core::convert::Infallible;
use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Role, Transport};
use gamewire_riptide::raw::{FrameSplitter, Packet, Payload, V20, V21, Version};
use gamewire_riptide::{ClientId, DisconnectReason, Format, Message, MessageSendMode, RejectReason};
use thiserror::Error;

use crate::replay::RecordedConversation;
use crate::replay::steps::Step;

/// Number of recent sequence ids stored for each side, to detect resent packets.
const SEQ_IDS: usize = 1_024;

/// The reason why a conversation cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordingError {
    /// The format is unknown.
    #[error("unknown Riptide format")]
    UnknownFormat,
    /// The conversation has no reply to a connect request.
    #[error("the recording does not contain the beginning of the connection")]
    NoConnection,
}

/// An action of the recorded server after it accepted the client.
#[derive(Clone, Debug)]
pub(super) enum ServerStep {
    /// Sends a message.
    Message(Message),
    /// Announces that another client connected (true) or disconnected (false).
    Announce(ClientId, bool),
    /// Disconnects the client with this data.
    Disconnect(Option<Message>),
}

/// The reply of the recorded server to the connect request.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Accepted(ClientId),
    Rejected(RejectReason, Option<Message>),
}

/// A recorded Riptide connection: the messages of both applications in order, without resends. Times are relative to
/// the reply to the connect request.
#[derive(Clone, Debug)]
pub struct RiptideRecording {
    pub(super) format: Format,
    pub(super) connect_data: Option<Message>,
    pub(super) reply: Reply,
    pub(super) server: Vec<Step<ServerStep, Infallible>>,
    pub(super) client: Vec<Step<Message, Infallible>>,
    duration: Duration,
}

impl RiptideRecording {
    /// Decodes the first connection of a conversation.
    ///
    /// # Errors
    /// [`RecordingError`] if the format is unknown, or if the conversation has no reply to a connect request.
    pub fn new(conversation: &RecordedConversation) -> Result<Self, RecordingError> {
        match conversation.dialect {
            Some(V20::NAME) => Reading::read::<V20>(Format::V20, conversation),
            Some(V21::NAME) => Reading::read::<V21>(Format::V21, conversation),
            _ => Err(RecordingError::UnknownFormat),
        }
    }

    /// Returns the format of both sides.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the name of the format, as in [`RecordedConversation::dialect`].
    #[must_use]
    pub const fn dialect(&self) -> &'static str {
        dialect(self.format)
    }

    /// Returns whether the recorded server accepted the client.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        matches!(self.reply, Reply::Accepted(_))
    }

    /// Returns the number of messages that `sender` sent.
    #[must_use]
    pub fn messages(&self, sender: Role) -> usize {
        let is_message = |step: &&Step<_, _>| matches!(step, Step::Send(_, ServerStep::Message(_)));
        match sender {
            Role::Client => self.client.len(),
            Role::Server => self.server.iter().filter(is_message).count(),
        }
    }

    /// Returns the time from the reply to the connect request to the last packet.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        self.duration
    }
}

/// Returns the name of a format.
pub(super) const fn dialect(format: Format) -> &'static str {
    match format {
        Format::V20 => V20::NAME,
        Format::V21 => V21::NAME,
    }
}

/// Returns steps with their times since `start`.
fn steps<M>(start: Duration, messages: Vec<(Duration, M)>) -> Vec<Step<M, Infallible>> {
    messages.into_iter().map(|(at, message)| Step::Send(at.saturating_sub(start), message)).collect()
}

/// The parts of a recording decoded so far.
struct Reading {
    format: Format,
    connect_data: Option<Message>,
    /// The reply and its time.
    reply: Option<(Reply, Duration)>,
    server: Vec<(Duration, ServerStep)>,
    client: Vec<(Duration, Message)>,
    seen: [VecDeque<u16>; 2],
    last: Duration,
    has_ended: bool,
}

impl Reading {
    fn read<V: Version>(
        format: Format,
        conversation: &RecordedConversation,
    ) -> Result<RiptideRecording, RecordingError> {
        let mut reading = Self {
            format,
            connect_data: None,
            reply: None,
            server: Vec::new(),
            client: Vec::new(),
            seen: Default::default(),
            last: Duration::ZERO,
            has_ended: false,
        };
        let mut splitters =
            [FrameSplitter::new(format, V::MAX_SIZE), FrameSplitter::new(format, V::MAX_SIZE)];
        for packet in &conversation.packets {
            if conversation.transport == Transport::Udp {
                reading.packet::<V>(packet.at, packet.sender, &packet.bytes);
                continue;
            }
            let [of_client, of_server] = &mut splitters;
            let splitter = if packet.sender == Role::Client { of_client } else { of_server };
            let mut rest = packet.bytes.as_slice();
            // Skip the rest of the stream after an invalid length.
            while let Ok(Some(frame)) = splitter.next(&mut rest) {
                reading.packet::<V>(packet.at, packet.sender, frame);
            }
        }
        let (reply, start) = reading.reply.ok_or(RecordingError::NoConnection)?;
        Ok(RiptideRecording {
            format,
            connect_data: reading.connect_data,
            reply,
            server: steps(start, reading.server),
            client: steps(start, reading.client),
            duration: reading.last.saturating_sub(start),
        })
    }

    fn packet<V: Version>(&mut self, at: Duration, sender: Role, bytes: &[u8]) {
        let Ok(packet) = Packet::decode::<V, _>(bytes, sender, &mut ()) else { return };
        if self.has_ended || self.is_repeated(sender, &packet) {
            return;
        }
        self.last = at;
        let message = |mode, id, payload: &Payload<'_>| Message::received(self.format, mode, id, payload);
        // Fewer than 8 bits are only padding.
        let data = |data: &Payload<'_>| {
            (data.bit_len() >= 8)
                .then(|| Message::received(self.format, MessageSendMode::Unreliable, None, data))
        };
        let message = match (&packet, sender) {
            (Packet::Reliable(one), _) => message(MessageSendMode::Reliable, Some(one.id), &one.payload),
            (Packet::Unreliable(one), _) => message(MessageSendMode::Unreliable, Some(one.id), &one.payload),
            (Packet::Notify(one), _) => message(MessageSendMode::Notify, None, &one.payload),
            (Packet::Connect(request), Role::Client) if self.reply.is_none() => {
                self.connect_data = data(&request.data);
                return;
            }
            (Packet::Welcome(welcome), Role::Server) => {
                self.reply.get_or_insert((Reply::Accepted(ClientId(welcome.client_id)), at));
                return;
            }
            (Packet::Reject(reject), Role::Server) => {
                let reason = RejectReason::from_number(self.format, reject.reason);
                let reply = Reply::Rejected(reason, data(&reject.data));
                self.reply.get_or_insert((reply, at));
                self.has_ended = true;
                return;
            }
            (Packet::ClientConnected(other), Role::Server) => {
                self.server.push((at, ServerStep::Announce(ClientId(other.client_id), true)));
                return;
            }
            (Packet::ClientDisconnected(other), Role::Server) => {
                self.server.push((at, ServerStep::Announce(ClientId(other.client_id), false)));
                return;
            }
            (Packet::Disconnect(end), Role::Server) => {
                let is_kick =
                    DisconnectReason::from_number(self.format, end.reason) == DisconnectReason::Kicked;
                let data = if is_kick { data(&end.data) } else { None };
                self.server.push((at, ServerStep::Disconnect(data)));
                self.has_ended = true;
                return;
            }
            (Packet::Leave(_), _) => {
                self.has_ended = true;
                return;
            }
            _ => return,
        };
        match sender {
            Role::Client => self.client.push((at, message)),
            Role::Server => self.server.push((at, ServerStep::Message(message))),
        }
    }

    /// Returns whether a packet is a resend of an earlier packet.
    fn is_repeated(&mut self, sender: Role, packet: &Packet<'_>) -> bool {
        let seq_id = match packet {
            Packet::Reliable(packet) => packet.seq_id,
            Packet::Welcome(packet) => packet.seq_id,
            Packet::ClientConnected(packet) => packet.seq_id,
            Packet::ClientDisconnected(packet) => packet.seq_id,
            _ => return false,
        };
        let [of_client, of_server] = &mut self.seen;
        let seen = if sender == Role::Client { of_client } else { of_server };
        if seen.contains(&seq_id) {
            return true;
        }
        if seen.len() >= SEQ_IDS {
            seen.pop_front();
        }
        seen.push_back(seq_id);
        false
    }
}

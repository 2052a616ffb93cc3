use core::fmt;
use std::collections::VecDeque;

use super::order_kind::OrderKind;
use crate::number::Action;
use crate::packets::Packet;
use crate::session::RequestId;
use crate::world::{LegalActions, Message, World};

/// The id of an order, valid until the application has taken its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrderId(pub(super) RequestId);

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The outcome of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OrderOutcome {
    /// The server sent packets other than messages, so it executed the order. After the command `/start`, they also
    /// show that no connected player is missing.
    Done,
    /// The server sent messages alone, which do not show whether it executed the order: for example the reply to a
    /// command that starts with `/`. A command that becomes a vote is also answered, and not executed yet, and so is a
    /// command during which the server logged an error.
    Answered,
    /// The server rejected the order with this message, or failed to load a game.
    Refused(String),
    /// The server sent nothing. The order changed nothing, or was rejected without a message.
    Silent,
}

/// The server's reply to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrderReply {
    /// The outcome.
    pub outcome: OrderOutcome,
    /// All messages that the server sent with the reply.
    pub messages: Vec<Message>,
    /// The answer, if the order was a query.
    pub answer: Option<Answer>,
}

/// The server's answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Answer {
    /// The legal actions of a unit, for [`query_actions`](crate::orders::query_actions).
    LegalActions(LegalActions),
    /// The price of an action in gold, for [`query_price`](crate::orders::query_price).
    Price(u32),
    /// A name for a new city, for [`query_city_name`](crate::orders::query_city_name).
    CityName(String),
}

impl OrderReply {
    /// Returns whether the outcome is [`OrderOutcome::Done`].
    pub fn is_done(&self) -> bool {
        self.outcome == OrderOutcome::Done
    }

    /// Returns the legal actions, if the order queried them.
    pub const fn legal_actions(&self) -> Option<&LegalActions> {
        match &self.answer {
            Some(Answer::LegalActions(actions)) => Some(actions),
            _ => None,
        }
    }

    /// Returns the server's message if it rejected the order.
    pub fn refusal(&self) -> Option<&str> {
        match &self.outcome {
            OrderOutcome::Refused(message) => Some(message),
            OrderOutcome::Done | OrderOutcome::Answered | OrderOutcome::Silent => None,
        }
    }
}

/// The orders that the server has not processed yet, and the replies that the application has not taken yet.
#[derive(Debug, Default)]
pub(super) struct PendingOrders {
    waiting: VecDeque<(RequestId, OrderKind)>,
    current: Option<(RequestId, CurrentReply)>,
    replies: VecDeque<(OrderId, OrderReply)>,
}

/// The packets since the server began to process an order.
#[derive(Debug, Default)]
struct CurrentReply {
    kind: OrderKind,
    /// True if a packet shows that the order was executed.
    has_packets: bool,
    /// True if the server put the order to the vote.
    opens_vote: bool,
    /// True if the server loaded a game, or failed to. It sends a packet about that in both cases.
    has_load: bool,
    /// True if the server could not read the game.
    has_failed_load: bool,
    answer: Option<Answer>,
    messages: Vec<Message>,
}

impl PendingOrders {
    /// Maximum number of stored replies. Above it, the oldest reply is dropped.
    const MAX_REPLIES: usize = 1024;
    /// Maximum number of messages in one reply. Twice as many are kept if they decide the outcome.
    const MAX_MESSAGES: usize = 256;

    pub(super) fn expect(&mut self, request: RequestId, kind: OrderKind) -> OrderId {
        // Request numbers are reused.
        self.replies.retain(|(order, _)| order.0 != request);
        self.waiting.push_back((request, kind));
        OrderId(request)
    }

    pub(super) fn on_started(&mut self, request: RequestId) {
        let order = self.waiting.front().filter(|(waiting, _)| *waiting == request);
        self.current =
            order.map(|(_, kind)| (request, CurrentReply { kind: *kind, ..CurrentReply::default() }));
    }

    pub(super) fn on_packet(&mut self, packet: &Packet<'_>, world: &World) {
        let Some((_, reply)) = &mut self.current else { return };
        match packet {
            Packet::ProcessingStarted(_) | Packet::ProcessingFinished(_) => {}
            Packet::ChatMsg(message) => {
                let message = Message::new(message);
                let decides = message.event.is_refusal() || message.event.is_logged_error();
                let max = if decides { Self::MAX_MESSAGES * 2 } else { Self::MAX_MESSAGES };
                if reply.messages.len() < max {
                    reply.messages.push(message);
                }
            }
            Packet::GameLoad(load) => {
                reply.has_load = true;
                reply.has_failed_load |= !load.load_successful;
                reply.has_packets |= load.load_successful;
            }
            // The server answers that the action is not possible.
            Packet::UnitActionAnswer(answer) if Action::of(world.version(), answer.action_type).is_none() => {
            }
            Packet::VoteNew(_) => reply.opens_vote = true,
            // They are about the vote that the order opened.
            Packet::VoteUpdate(_) | Packet::VoteResolve(_) | Packet::VoteRemove(_) if reply.opens_vote => {}
            _ => {
                reply.has_packets = true;
                if let Some(answer) = answer(packet, world) {
                    reply.answer = Some(answer);
                }
            }
        }
    }

    /// Stores the reply to the order that the server has processed. Returns the order's id.
    pub(super) fn on_finished(&mut self, request: RequestId, world: &World) -> Option<OrderId> {
        let (_, reply) = self.current.take().filter(|(current, _)| *current == request)?;
        self.waiting.pop_front();
        if self.replies.len() >= Self::MAX_REPLIES {
            self.replies.pop_front();
        }
        let order = OrderId(request);
        self.replies.push_back((order, reply.into_reply(world)));
        Some(order)
    }

    pub(super) fn take(&mut self, order: OrderId) -> Option<OrderReply> {
        let index = self.replies.iter().position(|(id, _)| *id == order)?;
        self.replies.remove(index).map(|(_, reply)| reply)
    }

    pub(super) fn is_waiting(&self, order: OrderId) -> bool {
        self.waiting.iter().any(|(request, _)| *request == order.0)
    }
}

/// Returns the answer in a packet, if it contains one.
fn answer(packet: &Packet<'_>, world: &World) -> Option<Answer> {
    Some(match packet {
        Packet::UnitActions(answer) => Answer::LegalActions(LegalActions::new(answer, world)),
        Packet::UnitActionAnswer(answer) => Answer::Price(answer.cost),
        Packet::CityNameSuggestionInfo(answer) => Answer::CityName(answer.name.to_str_lossy().into_owned()),
        _ => return None,
    })
}

impl CurrentReply {
    fn into_reply(self, world: &World) -> OrderReply {
        let refusal = self.messages.iter().find(|message| message.event.is_refusal());
        let errors: Vec<&str> =
            self.messages.iter().filter(|it| it.event.is_logged_error()).map(|it| it.text.as_str()).collect();
        let is_shown = self.kind.is_shown(world, !errors.is_empty());
        let outcome = match refusal {
            Some(message) => OrderOutcome::Refused(message.text.clone()),
            None if self.has_failed_load => {
                let texts: Vec<&str> = self.messages.iter().map(|message| message.text.as_str()).collect();
                OrderOutcome::Refused(texts.join("\n"))
            }
            // A server that fails while it loads a game creates a new one, which has no turn yet.
            None if self.has_load && !errors.is_empty() && world.turn() == 0 => {
                OrderOutcome::Refused(errors.join("\n"))
            }
            None if self.has_packets && is_shown => OrderOutcome::Done,
            None if self.has_packets || self.opens_vote || !self.messages.is_empty() => {
                OrderOutcome::Answered
            }
            None => OrderOutcome::Silent,
        };
        OrderReply { outcome, messages: self.messages, answer: self.answer }
    }
}

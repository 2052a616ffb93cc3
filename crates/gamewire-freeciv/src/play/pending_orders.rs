use core::fmt;
use std::collections::VecDeque;

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
    /// The server sent packets other than messages, so it executed the order.
    Done,
    /// The server sent messages alone, which do not show whether it executed the order: for example the reply to a
    /// command that starts with `/`. A command that becomes a vote is also answered, and not executed yet.
    Answered,
    /// The server rejected the order with this message.
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
    waiting: VecDeque<RequestId>,
    current: Option<(RequestId, CurrentReply)>,
    replies: VecDeque<(OrderId, OrderReply)>,
}

/// The packets since the server began to process an order.
#[derive(Debug, Default)]
struct CurrentReply {
    /// True if a packet shows that the order was executed.
    has_packets: bool,
    /// True if the server put the order to the vote.
    opens_vote: bool,
    /// True if the server failed to load a game. It sends a packet about that, although nothing changed.
    has_failed_load: bool,
    answer: Option<Answer>,
    messages: Vec<Message>,
}

impl PendingOrders {
    /// Maximum number of stored replies. Above it, the oldest reply is dropped.
    const MAX_REPLIES: usize = 1024;
    /// Maximum number of messages in one reply.
    const MAX_MESSAGES: usize = 256;

    pub(super) fn expect(&mut self, request: RequestId) -> OrderId {
        // Request numbers are reused.
        self.replies.retain(|(order, _)| order.0 != request);
        self.waiting.push_back(request);
        OrderId(request)
    }

    pub(super) fn on_started(&mut self, request: RequestId) {
        let is_order = self.waiting.front() == Some(&request);
        self.current = is_order.then(|| (request, CurrentReply::default()));
    }

    pub(super) fn on_packet(&mut self, packet: &Packet<'_>, world: &World) {
        let Some((_, reply)) = &mut self.current else { return };
        match packet {
            Packet::ProcessingStarted(_) | Packet::ProcessingFinished(_) => {}
            Packet::ChatMsg(message) => {
                if reply.messages.len() < Self::MAX_MESSAGES {
                    reply.messages.push(Message::new(message));
                }
            }
            Packet::GameLoad(load) if !load.load_successful => reply.has_failed_load = true,
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
    pub(super) fn on_finished(&mut self, request: RequestId) -> Option<OrderId> {
        let (_, reply) = self.current.take().filter(|(current, _)| *current == request)?;
        self.waiting.pop_front();
        if self.replies.len() >= Self::MAX_REPLIES {
            self.replies.pop_front();
        }
        let order = OrderId(request);
        self.replies.push_back((order, reply.into_reply()));
        Some(order)
    }

    pub(super) fn take(&mut self, order: OrderId) -> Option<OrderReply> {
        let index = self.replies.iter().position(|(id, _)| *id == order)?;
        self.replies.remove(index).map(|(_, reply)| reply)
    }

    pub(super) fn is_waiting(&self, order: OrderId) -> bool {
        self.waiting.contains(&order.0)
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
    fn into_reply(self) -> OrderReply {
        let refusal = self.messages.iter().find(|message| message.event.is_refusal());
        let outcome = match refusal {
            Some(message) => OrderOutcome::Refused(message.text.clone()),
            None if self.has_failed_load => {
                let texts: Vec<&str> = self.messages.iter().map(|message| message.text.as_str()).collect();
                OrderOutcome::Refused(texts.join("\n"))
            }
            None if self.has_packets => OrderOutcome::Done,
            None if self.opens_vote || !self.messages.is_empty() => OrderOutcome::Answered,
            None => OrderOutcome::Silent,
        };
        OrderReply { outcome, messages: self.messages, answer: self.answer }
    }
}

use std::collections::VecDeque;

use super::answer::{OrderId, OrderOutcome, OrderReply};
use crate::session::RequestId;
use crate::v30::Packet;
use crate::world::Message;

/// What the server answers, and to which orders it is yet to answer.
#[derive(Debug, Default)]
pub(super) struct PendingOrders {
    waiting: VecDeque<RequestId>,
    current: Option<(RequestId, CurrentReply)>,
    given: VecDeque<(OrderId, OrderReply)>,
}

/// What came since the server began to deal with a request.
#[derive(Debug, Default)]
struct CurrentReply {
    has_packets: bool,
    messages: Vec<Message>,
}

impl PendingOrders {
    /// So many answers wait for somebody to ask for them; then the oldest goes.
    const MAX_GIVEN: usize = 1024;
    /// So many lines of one answer are kept.
    const MAX_MESSAGES: usize = 256;

    pub(super) fn expect(&mut self, request: RequestId) -> OrderId {
        // Numbers are used again.
        self.given.retain(|(ticket, _)| ticket.0 != request);
        self.waiting.push_back(request);
        OrderId(request)
    }

    pub(super) fn started(&mut self, request: RequestId) {
        let is_order = self.waiting.front() == Some(&request);
        self.current = is_order.then(|| (request, CurrentReply::default()));
    }

    pub(super) fn heard(&mut self, packet: &Packet<'_>) {
        let Some((_, heard)) = &mut self.current else { return };
        match packet {
            Packet::ProcessingStarted | Packet::ProcessingFinished => {}
            Packet::ChatMsg(message) => {
                if heard.messages.len() < Self::MAX_MESSAGES {
                    heard.messages.push(Message::new(message));
                }
            }
            _ => heard.has_packets = true,
        }
    }

    /// The order that the server has dealt with.
    pub(super) fn finished(&mut self, request: RequestId) -> Option<OrderId> {
        let (_, heard) = self.current.take().filter(|(current, _)| *current == request)?;
        self.waiting.pop_front();
        if self.given.len() >= Self::MAX_GIVEN {
            self.given.pop_front();
        }
        let ticket = OrderId(request);
        self.given.push_back((ticket, heard.into_reply()));
        Some(ticket)
    }

    pub(super) fn take(&mut self, ticket: OrderId) -> Option<OrderReply> {
        let at = self.given.iter().position(|(given, _)| *given == ticket)?;
        self.given.remove(at).map(|(_, answer)| answer)
    }

    pub(super) fn is_waiting(&self, ticket: OrderId) -> bool {
        self.waiting.contains(&ticket.0)
    }
}

impl CurrentReply {
    fn into_reply(self) -> OrderReply {
        let refusal = self.messages.iter().find(|message| message.event.is_refusal());
        let outcome = match refusal {
            Some(message) => OrderOutcome::Refused(message.text.clone()),
            None if self.has_packets || !self.messages.is_empty() => OrderOutcome::Done,
            None => OrderOutcome::Silent,
        };
        OrderReply { outcome, messages: self.messages }
    }
}

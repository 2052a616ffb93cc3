use std::collections::VecDeque;

use super::order_reply::{OrderId, OrderOutcome, OrderReply};
use crate::session::RequestId;
use crate::v30::Packet;
use crate::world::Message;

/// The orders that the server has not processed, and the replies that the application has not taken.
#[derive(Debug, Default)]
pub(super) struct PendingOrders {
    waiting: VecDeque<RequestId>,
    current: Option<(RequestId, CurrentReply)>,
    replies: VecDeque<(OrderId, OrderReply)>,
}

/// The packets since the server started to process an order.
#[derive(Debug, Default)]
struct CurrentReply {
    has_packets: bool,
    messages: Vec<Message>,
}

impl PendingOrders {
    /// Maximum number of replies that wait. Above it the oldest is dropped.
    const MAX_REPLIES: usize = 1024;
    /// Maximum number of messages of one reply.
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

    pub(super) fn on_packet(&mut self, packet: &Packet<'_>) {
        let Some((_, reply)) = &mut self.current else { return };
        match packet {
            Packet::ProcessingStarted(_) | Packet::ProcessingFinished(_) => {}
            Packet::ChatMsg(message) => {
                if reply.messages.len() < Self::MAX_MESSAGES {
                    reply.messages.push(Message::new(message));
                }
            }
            _ => reply.has_packets = true,
        }
    }

    /// Stores the reply to the order that the server has processed. Returns its id.
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

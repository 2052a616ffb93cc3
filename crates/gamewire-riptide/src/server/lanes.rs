use std::collections::VecDeque;

use gamewire_machine::TransmitQueue;

use crate::Endpoint;
use crate::peer::ReplyQueue;

/// What is to be sent, apart for each kind of transport, since each is polled for itself.
#[derive(Debug)]
pub(super) struct SendQueues {
    lanes: [TransportQueue; 3],
}

/// A kind of transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TransportKind {
    Datagrams,
    Streams,
    Others,
}

impl From<Endpoint> for TransportKind {
    #[inline]
    fn from(endpoint: Endpoint) -> Self {
        match endpoint {
            Endpoint::Udp(_) => Self::Datagrams,
            Endpoint::Tcp(_) => Self::Streams,
            Endpoint::Other(_) => Self::Others,
        }
    }
}

/// What is to be sent over one kind of transport.
#[derive(Debug)]
pub(super) struct TransportQueue {
    /// What is written already, and was sent before anything that still waits in a connection.
    pub(super) out: TransmitQueue<Endpoint>,
    /// Acks and answers to heartbeats. They go last: a run of datagrams may end with a shorter one.
    pub(super) answers: ReplyQueue,
    /// The slots of connections that may have reliable packets to send; some may be gone.
    pub(super) dirty: VecDeque<u32>,
    /// What is to be closed when all that is written has been sent.
    pub(super) closing: VecDeque<Endpoint>,
}

/// How many bytes may wait for each client beside [`FOR_ALL`], so that one message to all clients
/// does not fill a lane.
const QUEUE_BYTES_PER_CLIENT: usize = 4 << 10;
const QUEUE_BYTES_BASE: usize = 1 << 20;

impl SendQueues {
    /// Room for what is sent to so many clients at once.
    pub(super) fn new(clients: u16) -> Self {
        let limit =
            usize::from(clients).saturating_mul(QUEUE_BYTES_PER_CLIENT).saturating_add(QUEUE_BYTES_BASE);
        let lane = |_| TransportQueue {
            out: TransmitQueue::with_limit(limit),
            answers: ReplyQueue::with_limit(limit),
            dirty: VecDeque::new(),
            closing: VecDeque::new(),
        };
        Self { lanes: core::array::from_fn(lane) }
    }

    #[inline]
    pub(super) const fn of(&mut self, kind: TransportKind) -> &mut TransportQueue {
        let [datagrams, streams, others] = &mut self.lanes;
        match kind {
            TransportKind::Datagrams => datagrams,
            TransportKind::Streams => streams,
            TransportKind::Others => others,
        }
    }

    /// Where packets to an endpoint go.
    pub(super) fn out(&mut self, endpoint: Endpoint) -> &mut TransmitQueue<Endpoint> {
        &mut self.of(endpoint.into()).out
    }

    /// Where what the protocol answers an endpoint goes.
    #[inline]
    pub(super) fn answers(&mut self, endpoint: Endpoint) -> &mut ReplyQueue {
        &mut self.of(endpoint.into()).answers
    }

    /// How many packets there was no room for.
    pub(super) fn dropped(&self) -> u64 {
        let dropped = self.lanes.iter().flat_map(|lane| [lane.out.dropped(), lane.answers.dropped()]);
        dropped.fold(0, u64::saturating_add)
    }
}

use std::collections::VecDeque;

use gamewire_machine::Outbox;

use crate::Endpoint;
use crate::peer::Answers;

/// What is to be sent, apart for each kind of transport, since each is polled for itself.
#[derive(Debug)]
pub(super) struct Lanes {
    lanes: [Lane; 3],
}

/// A kind of transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Datagrams,
    Streams,
    Others,
}

impl From<Endpoint> for Kind {
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
pub(super) struct Lane {
    /// What is written already, and was sent before anything that still waits in a connection.
    pub(super) out: Outbox<Endpoint>,
    /// Acks and answers to heartbeats. They go last: a run of datagrams may end with a shorter one.
    pub(super) answers: Answers,
    /// The slots of connections that may have reliable packets to send; some may be gone.
    pub(super) dirty: VecDeque<u32>,
    /// What is to be closed when all that is written has been sent.
    pub(super) closing: VecDeque<Endpoint>,
}

/// How many bytes may wait for each client beside [`FOR_ALL`], so that one message to all clients
/// does not fill a lane.
const FOR_EACH: usize = 4 << 10;
const FOR_ALL: usize = 1 << 20;

impl Lanes {
    /// Room for what is sent to so many clients at once.
    pub(super) fn new(clients: u16) -> Self {
        let limit = usize::from(clients).saturating_mul(FOR_EACH).saturating_add(FOR_ALL);
        let lane = |_| Lane {
            out: Outbox::with_limit(limit),
            answers: Answers::with_limit(limit),
            dirty: VecDeque::new(),
            closing: VecDeque::new(),
        };
        Self { lanes: core::array::from_fn(lane) }
    }

    #[inline]
    pub(super) const fn of(&mut self, kind: Kind) -> &mut Lane {
        let [datagrams, streams, others] = &mut self.lanes;
        match kind {
            Kind::Datagrams => datagrams,
            Kind::Streams => streams,
            Kind::Others => others,
        }
    }

    /// Where packets to an endpoint go.
    pub(super) fn out(&mut self, endpoint: Endpoint) -> &mut Outbox<Endpoint> {
        &mut self.of(endpoint.into()).out
    }

    /// Where what the protocol answers an endpoint goes.
    #[inline]
    pub(super) fn answers(&mut self, endpoint: Endpoint) -> &mut Answers {
        &mut self.of(endpoint.into()).answers
    }

    /// How many packets there was no room for.
    pub(super) fn dropped(&self) -> u64 {
        let dropped = self.lanes.iter().flat_map(|lane| [lane.out.dropped(), lane.answers.dropped()]);
        dropped.fold(0, u64::saturating_add)
    }
}

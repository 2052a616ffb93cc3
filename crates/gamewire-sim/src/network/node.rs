use core::fmt;
use core::marker::PhantomData;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Wake};

use super::slot::AnyMachine;
use crate::{Conditioner, Conditions};

/// The index of a machine in a [`Network`](crate::Network), with the type of the machine.
pub struct NodeId<M> {
    pub(super) index: usize,
    machine: PhantomData<fn() -> M>,
}

impl<M> NodeId<M> {
    pub(super) const fn new(index: usize) -> Self {
        Self { index, machine: PhantomData }
    }
}

impl<M> Clone for NodeId<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for NodeId<M> {}

impl<M> fmt::Debug for NodeId<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeId({})", self.index)
    }
}

/// A datagram's sender and receiver.
#[derive(Clone, Copy)]
pub(super) struct Addresses {
    pub(super) from: SocketAddr,
    pub(super) to: SocketAddr,
}

/// A machine, its address, and the link to it.
pub(super) struct Node {
    pub(super) address: SocketAddr,
    pub(super) host: Box<dyn AnyMachine>,
    /// The link from the machine.
    pub(super) up: Conditioner<Addresses>,
    /// The link to the machine.
    pub(super) down: Conditioner<Addresses>,
    pub(super) wake: Option<Wake>,
    /// Set after a call, which may have changed the results of the machine's polls.
    pub(super) needs_poll: bool,
}

impl Node {
    pub(super) fn new(address: SocketAddr, host: Box<dyn AnyMachine>, seeds: [u64; 2]) -> Self {
        let [up, down] = seeds;
        Self {
            address,
            host,
            up: Conditioner::new(Conditions::PERFECT, up),
            down: Conditioner::new(Conditions::PERFECT, down),
            wake: None,
            needs_poll: true,
        }
    }

    /// Returns the time of the next action of this node.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let touched = self.needs_poll.then_some(now);
        let wake = self.wake.map(|wake| wake.at);
        [touched, wake, self.up.wake(), self.down.wake()].into_iter().flatten().min()
    }

    /// Returns whether the machine must be pumped.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.needs_poll || self.wake.is_some_and(|wake| wake.at <= now)
    }
}

//! Datagram machines by address, in virtual time.

mod node;
mod run;
mod slot;

pub use node::NodeId;

use core::any::Any;
use core::hash::Hasher;
use std::collections::BTreeMap;
use std::hash::DefaultHasher;
use std::net::SocketAddr;

use fastrand::Rng;
use gamewire_machine::{Instant, Machine};

use self::node::{Addresses, Node};
use self::slot::MachineSlot;
use crate::livelock::RoundCounter;
use crate::{ConditionerStats, Conditions};

type Tap = Box<dyn FnMut(Instant, SocketAddr, SocketAddr, &[u8])>;

/// Datagram machines by address, in virtual time.
///
/// Each machine has a separate link with [`Conditions`] for each direction: a datagram passes its sender's uplink and
/// its receiver's downlink. Links are perfect by default. The seed and the calls determine all results. Methods panic
/// if the [`NodeId`] belongs to another network.
pub struct Network {
    now: Instant,
    nodes: Vec<Node>,
    by_address: BTreeMap<SocketAddr, usize>,
    buffer: Vec<u8>,
    traffic: Traffic,
    rounds: RoundCounter,
    random: Rng,
}

/// The traffic so far.
#[derive(Default)]
struct Traffic {
    digest: DefaultHasher,
    tap: Option<Tap>,
    sent: u64,
    unreachable: u64,
}

impl Traffic {
    fn note(&mut self, now: Instant, from: SocketAddr, to: SocketAddr, datagram: &[u8]) {
        self.sent = self.sent.saturating_add(1);
        self.digest.write_u64(now.as_micros());
        self.digest.write(from.to_string().as_bytes());
        self.digest.write(to.to_string().as_bytes());
        self.digest.write_usize(datagram.len());
        self.digest.write(datagram);
        if let Some(tap) = &mut self.tap {
            tap(now, from, to, datagram);
        }
    }
}

impl Network {
    /// Creates a network without machines, at time zero.
    pub fn new(seed: u64) -> Self {
        Self {
            now: Instant::ZERO,
            nodes: Vec::new(),
            by_address: BTreeMap::new(),
            buffer: Vec::new(),
            traffic: Traffic::default(),
            rounds: RoundCounter::default(),
            random: Rng::with_seed(seed),
        }
    }

    /// Returns the virtual time.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Adds a machine at an address. It replaces a machine with the same address.
    pub fn add<M>(&mut self, address: SocketAddr, machine: M) -> NodeId<M>
    where
        M: Machine + 'static,
        M::Event: 'static,
        M::DatagramError: 'static,
    {
        let index = self.nodes.len();
        let seeds = [self.random.u64(..), self.random.u64(..)];
        self.nodes.push(Node::new(address, Box::new(MachineSlot::new(machine)), seeds));
        self.by_address.insert(address, index);
        NodeId::new(index)
    }

    /// Moves a machine to another address, as when a router forgets a mapping. Datagrams to the old address are lost,
    /// including those in flight.
    pub fn rebind<M>(&mut self, id: NodeId<M>, address: SocketAddr) {
        let node = self.node_mut(id);
        let old = core::mem::replace(&mut node.address, address);
        if self.by_address.get(&old) == Some(&id.index) {
            self.by_address.remove(&old);
        }
        self.by_address.insert(address, id.index);
    }

    /// Sets the conditions of a machine's link: `up` for datagrams that it sends, `down` for datagrams that it
    /// receives.
    pub fn set_conditions<M>(&mut self, id: NodeId<M>, up: Conditions, down: Conditions) {
        let node = self.node_mut(id);
        node.up.set_conditions(up);
        node.down.set_conditions(down);
    }

    /// Sends a datagram with any sender's address, as an attacker would. It is lost if no machine has the address `to`.
    pub fn inject(&mut self, from: SocketAddr, to: SocketAddr, datagram: &[u8]) {
        self.traffic.note(self.now, from, to, datagram);
        match self.by_address.get(&to).and_then(|index| self.nodes.get_mut(*index)) {
            Some(node) => _ = node.down.push(self.now, Addresses { from, to }, datagram),
            None => self.traffic.unreachable = self.traffic.unreachable.saturating_add(1),
        }
    }

    /// Passes every datagram to `tap` when it is sent: the time, sender, receiver and bytes.
    pub fn set_tap(&mut self, tap: impl FnMut(Instant, SocketAddr, SocketAddr, &[u8]) + 'static) {
        self.traffic.tap = Some(Box::new(tap));
    }

    /// Returns a digest of all datagrams: time, sender, receiver and bytes. All runs of one build have the same digest;
    /// another build may have another one.
    pub fn digest(&self) -> u64 {
        self.traffic.digest.finish()
    }

    /// Returns the number of datagrams sent.
    pub const fn sent(&self) -> u64 {
        self.traffic.sent
    }

    /// Returns the number of datagrams to addresses without a machine.
    pub const fn unreachable(&self) -> u64 {
        self.traffic.unreachable
    }

    /// Returns the counters of a machine's link: uplink and downlink.
    pub fn tally<M>(&self, id: NodeId<M>) -> (ConditionerStats, ConditionerStats) {
        let node = self.node(id);
        (*node.up.tally(), *node.down.tally())
    }

    /// Returns a machine's address.
    pub fn address<M>(&self, id: NodeId<M>) -> SocketAddr {
        self.node(id).address
    }

    /// Returns a machine.
    pub fn machine<M: Machine + 'static>(&self, id: NodeId<M>) -> &M {
        &self.hosted(id).machine
    }

    /// Returns a machine so that commands can be issued. Calls `handle_timeout` first, as drivers do.
    pub fn machine_mut<M: Machine + 'static>(&mut self, id: NodeId<M>) -> &mut M {
        let now = self.now;
        self.node_mut(id).needs_poll = true;
        let machine = &mut self.hosted_mut(id).machine;
        machine.handle_timeout(now);
        machine
    }

    /// Returns the events of a machine since the last [`take_events`](Self::take_events).
    pub fn events<M: Machine + 'static>(&self, id: NodeId<M>) -> &[M::Event] {
        &self.hosted(id).events
    }

    /// Takes the events of a machine.
    pub fn take_events<M: Machine + 'static>(&mut self, id: NodeId<M>) -> Vec<M::Event> {
        core::mem::take(&mut self.hosted_mut(id).events)
    }

    /// Returns the number of datagrams that a machine rejected, and the last error.
    pub fn rejected<M: Machine + 'static>(&self, id: NodeId<M>) -> (u64, Option<&M::DatagramError>) {
        let hosted = self.hosted(id);
        (hosted.rejected, hosted.last_reject.as_ref())
    }

    #[expect(clippy::expect_used, reason = "a mistake of the test")]
    fn node<M>(&self, id: NodeId<M>) -> &Node {
        self.nodes.get(id.index).expect("the id is of this network")
    }

    #[expect(clippy::expect_used, reason = "a mistake of the test")]
    fn node_mut<M>(&mut self, id: NodeId<M>) -> &mut Node {
        self.nodes.get_mut(id.index).expect("the id is of this network")
    }

    #[expect(clippy::expect_used, reason = "a mistake of the test")]
    fn hosted<M: Machine + 'static>(&self, id: NodeId<M>) -> &MachineSlot<M> {
        let host: &dyn Any = &*self.node(id).host;
        host.downcast_ref().expect("the id is of this network")
    }

    #[expect(clippy::expect_used, reason = "a mistake of the test")]
    fn hosted_mut<M: Machine + 'static>(&mut self, id: NodeId<M>) -> &mut MachineSlot<M> {
        let host: &mut dyn Any = &mut *self.node_mut(id).host;
        host.downcast_mut().expect("the id is of this network")
    }
}

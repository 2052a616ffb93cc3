use core::any::Any;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Output, Wake, pump};

/// Maximum number of datagrams that a machine may write at a time. More count as an endless loop.
const MAX_IN_ONE_GO: u32 = 100_000;

/// A machine of any type.
pub(super) trait AnyMachine: Any {
    fn receive(&mut self, now: Instant, from: SocketAddr, data: &[u8]);

    fn pump(
        &mut self,
        now: Instant,
        buffer: &mut Vec<u8>,
        send: &mut dyn FnMut(SocketAddr, &[u8]),
    ) -> Option<Wake>;
}

/// A machine and its events.
pub(super) struct MachineSlot<M: Machine> {
    pub(super) machine: M,
    pub(super) events: Vec<M::Event>,
    pub(super) rejected: u64,
    pub(super) last_reject: Option<M::DatagramError>,
}

impl<M: Machine> MachineSlot<M> {
    pub(super) const fn new(machine: M) -> Self {
        Self { machine, events: Vec::new(), rejected: 0, last_reject: None }
    }
}

impl<M> AnyMachine for MachineSlot<M>
where
    M: Machine + 'static,
    M::Event: 'static,
    M::DatagramError: 'static,
{
    fn receive(&mut self, now: Instant, from: SocketAddr, data: &[u8]) {
        if let Err(reject) = self.machine.handle_datagram(now, from, data) {
            self.rejected = self.rejected.saturating_add(1);
            self.last_reject = Some(reject);
        }
    }

    fn pump(
        &mut self,
        now: Instant,
        buffer: &mut Vec<u8>,
        send: &mut dyn FnMut(SocketAddr, &[u8]),
    ) -> Option<Wake> {
        let mut sent = 0_u32;
        let count_and_send = |output: Output, datagram: &[u8]| {
            sent = sent.saturating_add(1);
            assert!(sent <= MAX_IN_ONE_GO, "the machine never stops writing datagrams");
            if let Output::Datagram(transmit) = output {
                send(transmit.to, datagram);
            }
        };
        pump(&mut self.machine, now, buffer, count_and_send, |event| self.events.push(event))
    }
}

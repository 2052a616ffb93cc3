use std::net::IpAddr;

use super::Event;
use super::server::ServerState;
use crate::handshake::customer_prefix;
use crate::link::{CloseReason, Link};

const FULL: &str = "This server is full";

impl ServerState {
    /// Puts a verified connection into a slot, and returns the slot. Otherwise closes the connection with a reason.
    pub(super) fn accept(&mut self, mut link: Link) -> Option<usize> {
        let address = link.peer();
        if let Some(slot) = self.peers.slot(address) {
            // The same client has restarted and verified its address again.
            self.remove(slot, CloseReason::PeerClosed { reason: "reconnected".into() });
        }
        let max = self.config.max_clients_per_address;
        let same = self.peers.addresses().filter(|known| is_same_host(known.ip(), address.ip())).count();
        let refusal = if !self.join_limiter.try_acquire(self.peers.clock.now(), address) {
            Some("Too many connections in a short time".to_owned())
        } else if self.events.is_full() {
            // The application does not poll. Essential events must not accumulate.
            Some(FULL.to_owned())
        } else if same >= usize::from(max) {
            Some(format!("Only {max} players with the same IP are allowed"))
        } else if self.peers.free_slot(link.dialect()).is_none() {
            Some(FULL.to_owned())
        } else {
            None
        };
        if let Some(reason) = refusal {
            link.close(Some(reason.as_bytes()));
            self.peers.send_rest_of(&mut link);
            return None;
        }
        let dialect = link.dialect();
        let slot = self.peers.insert(link)?;
        let id = self.peers.get(slot)?.id;
        self.events.push(Event::Connected { id, address, dialect });
        Some(slot)
    }
}

/// Returns whether two addresses can belong to the same host. A host may have any number of IPv6 addresses.
fn is_same_host(one: IpAddr, other: IpAddr) -> bool {
    match (one.to_canonical(), other.to_canonical()) {
        (IpAddr::V6(one), IpAddr::V6(other)) => customer_prefix(one) == customer_prefix(other),
        (one, other) => one == other,
    }
}
